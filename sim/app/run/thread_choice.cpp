#include "sim/app/run/thread_choice.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>

namespace hodge::sim {
namespace {

constexpr int fewest_steps = 4;          // of a window
constexpr double least_seconds = 0.04;   // of a window: ten turns of a scheduler
constexpr double least_gain = 0.05;      // of a trial that wins
constexpr double much_slower = 0.3;      // than at the last trial: the next one comes at once
constexpr int most_windows = 64;         // between trials
constexpr int first_of_long_steps = 32;  // windows before the first trial
constexpr double seconds_of_a_long_step = 0.02;
constexpr int steps_of_start = 5;  // that set up memory and solvers

}  // namespace

ThreadChoice::ThreadChoice(int most) : most_(most), chosen_(most), tried_(most) {}

bool ThreadChoice::is_full(const Window& window) const {
  return window.steps >= fewest_steps && window.seconds >= least_seconds;
}

// The trial has taken as long for fewer steps as the window before it.
bool ThreadChoice::cannot_win() const {
  return trial_.steps < before_.steps && trial_.seconds > before_.seconds;
}

int ThreadChoice::next_to_try() {
  if (chosen_ == 1) return 2;
  if (chosen_ == most_) return chosen_ / 2;
  tries_more_ = !tries_more_;
  return tries_more_ ? std::min(2 * chosen_, most_) : chosen_ / 2;
}

// Something has come in between since the last trial.
bool ThreadChoice::has_become_slow(double seconds) {
  if (usual_ == 0) return false;
  waiting_.add(seconds);
  if (!is_full(waiting_)) return false;
  return std::exchange(waiting_, {}).mean() > (1 + much_slower) * usual_;
}

void ThreadChoice::wait_windows(int windows) {
  windows_ = windows;
  waited_ = 0;
  wait_ = windows * std::max(before_.steps, fewest_steps);
  phase_ = Phase::wait;
}

bool ThreadChoice::judge() {
  const double usual = (before_.seconds + after_.seconds) / (before_.steps + after_.steps);
  const bool wins = trial_.mean() < (1 - least_gain) * usual;
  if (wins) chosen_ = tried_;
  usual_ = wins ? trial_.mean() : usual;
  waiting_ = {};
  wait_windows(wins ? 1 : std::min(2 * windows_, most_windows));
  return wins;
}

bool ThreadChoice::add_step(double seconds) {
  if (most_ == 1) return false;
  switch (phase_) {
    case Phase::wait:
      if (++waited_ < std::max(wait_, steps_of_start) && !has_become_slow(seconds)) return false;
      if (windows_ == 0) {
        wait_windows(seconds < seconds_of_a_long_step ? 1 : first_of_long_steps);
        return false;
      }
      before_ = trial_ = after_ = {};
      phase_ = Phase::before;
      return false;
    case Phase::before:
      before_.add(seconds);
      if (!is_full(before_)) return false;
      tried_ = next_to_try();
      phase_ = Phase::trial;
      return false;
    case Phase::trial:
      trial_.add(seconds);
      if (trial_.steps < before_.steps && !cannot_win()) return false;
      phase_ = Phase::after;
      return false;
    case Phase::after:
      after_.add(seconds);
      return after_.steps >= before_.steps && judge();
  }
  return false;
}

StepThreads::StepThreads(bool may_change)
    : most_(omp_get_max_threads()),
      choice_(may_change && omp_get_proc_bind() == omp_proc_bind_false ? most_ : 1) {}

StepThreads::~StepThreads() {
  omp_set_num_threads(most_);
}

std::string StepThreads::add_step(double seconds) {
  const int before = choice_.threads();
  const bool changed = choice_.add_step(seconds);
  if (choice_.threads() != before) omp_set_num_threads(choice_.threads());
  if (!changed) return "";
  return fmt::format("{} of {} threads, which is faster as measured", choice_.chosen(), most_);
}

}  // namespace hodge::sim
