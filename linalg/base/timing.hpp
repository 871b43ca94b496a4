// Measures how long a piece of work takes: one run to warm up, then the median of several. The
// clock is read after the device has finished.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace hodge::linalg {

struct TimingRules {
  int repeats = 7;            // samples that the median is taken of
  double least_batch = 2e-3;  // seconds of a sample: shorter work is done several times in each
  double enough = 1.0;        // seconds of measuring after which 3 samples suffice
};

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Mean seconds per call.
template <class Space, class Work>
double seconds_of(int calls, Work&& work) {
  Space::synchronize();
  const Clock clock;
  for (int i = 0; i < calls; ++i) work();
  Space::synchronize();
  return clock.seconds() / calls;
}

template <class Space, class Work>
double median_seconds(Work&& work, const TimingRules& rules = {}) {
  work();  // brings up threads, loads kernels, touches memory
  const double once = seconds_of<Space>(1, work);
  const int calls =
      once > 0 ? static_cast<int>(std::clamp(std::ceil(rules.least_batch / once), 1.0, 1e4)) : 1;
  std::vector<double> samples;
  double spent = 0;
  for (int i = 0; i < rules.repeats && (i < 3 || spent < rules.enough); ++i) {
    samples.push_back(seconds_of<Space>(calls, work));
    spent += samples.back() * calls;
  }
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

}  // namespace hodge::linalg
