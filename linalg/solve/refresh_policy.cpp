#include "linalg/solve/refresh_policy.hpp"

#include "linalg/base/errors.hpp"

namespace hodge::linalg {

namespace {

// A mean in which the last value has the weight 1/2.
double running_mean(double mean, double value) {
  return mean > 0 ? 0.5 * (mean + value) : value;
}

}  // namespace

const std::vector<std::string>& refresh_names() {
  static const std::vector<std::string> names{"every", "never", "auto"};
  return names;
}

Refresh refresh_of(const std::string& name) {
  const auto& names = refresh_names();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<Refresh>(i);
  throw ConfigError("refresh is '" + name + "', expected every, never or auto");
}

bool RefreshPolicy::due() const {
  if (kind_ != Refresh::automatic) return kind_ == Refresh::every;
  if (solves_ == 0 || iteration_seconds_ <= 0) return false;
  const double making = making_seconds_ / iteration_seconds_;
  return static_cast<double>(last_iterations_ * solves_) >
         making + static_cast<double>(iterations_);
}

void RefreshPolicy::made(double seconds, bool new_pattern) {
  if (!new_pattern) ++makings_;
  const bool first_of_values = makings_ == 1 && !new_pattern;
  if (first_of_values || makings_ == 0) {
    making_seconds_ = seconds;
  } else if (!new_pattern) {
    making_seconds_ = running_mean(making_seconds_, seconds);
  }
  solves_ = iterations_ = last_iterations_ = 0;
}

void RefreshPolicy::solved(int iterations, double seconds) {
  ++solves_;
  iterations_ += iterations;
  last_iterations_ = iterations;
  if (iterations > 0) iteration_seconds_ = running_mean(iteration_seconds_, seconds / iterations);
}

}  // namespace hodge::linalg
