#include "sim/base/frequency.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace hodge::sim {
namespace {

using testing::HasSubstr;

struct Record {
  std::vector<double> t, q;
};

// At times whose distances differ.
Record record_of(double end, const std::function<double(double)>& f) {
  Record record;
  for (double t = 0; t < end; t += 0.03 + 0.02 * std::sin(7 * t)) {
    record.t.push_back(t);
    record.q.push_back(f(t));
  }
  return record;
}

Frequency frequency_of(const Record& record) {
  return sim::frequency_of(record.t, record.q);
}

double wave(double f, double t) {
  return std::sin(2 * std::numbers::pi * f * t + 0.4);
}

TEST(Frequency, of_a_wave_with_a_mean_and_a_harmonic_is_found) {
  const Frequency found = frequency_of(record_of(
      40, [](double t) { return 5 + 0.3 * wave(0.437, t) + 0.1 * wave(2 * 0.437, t + 0.2); }));
  EXPECT_EQ(found.why_none, "");
  EXPECT_NEAR(found.value, 0.437, 1e-6);
  EXPECT_NEAR(found.amplitude, 0.3, 1e-3);
  EXPECT_LT(found.uncertainty, 1e-4);
}

TEST(Frequency, of_a_noisy_wave_lies_within_its_uncertainty) {
  std::mt19937 numbers(5);
  std::normal_distribution<double> noise(0, 0.3);
  const Frequency found =
      frequency_of(record_of(60, [&](double t) { return wave(0.31, t) + noise(numbers); }));
  EXPECT_EQ(found.why_none, "");
  EXPECT_NEAR(found.value, 0.31, 2 * found.uncertainty);
  EXPECT_GT(found.uncertainty, 1e-5);
}

TEST(Frequency, is_none_of_what_does_not_oscillate) {
  std::mt19937 numbers(3);
  std::normal_distribution<double> noise(0, 1e-9);
  const auto why = [](double end, const std::function<double(double)>& f) {
    return frequency_of(record_of(end, f)).why_none;
  };
  EXPECT_EQ(why(20, [](double) { return 3.0; }), "it does not vary");
  EXPECT_EQ(why(20, [](double t) { return std::exp(-t); }), "it does not oscillate");
  EXPECT_NE(why(20, [&](double) { return noise(numbers); }), "");
  EXPECT_THAT(why(20, [](double t) { return std::exp(-0.1 * t) * wave(0.7, t); }),
              HasSubstr("decays by"));
  EXPECT_THAT(why(20, [](double t) { return std::exp(0.1 * t) * wave(0.7, t); }),
              HasSubstr("grows by"));
  EXPECT_THAT(why(4, [](double t) { return wave(0.7, t); }), HasSubstr("expected 4 or more"));
  EXPECT_NE(why(20, [](double t) { return wave(40, t); }), "");
  EXPECT_EQ(why(0.2, [](double t) { return t; }).find("rows are too few") != std::string::npos,
            true);
}

}  // namespace
}  // namespace hodge::sim
