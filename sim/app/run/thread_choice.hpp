// How many threads the steps of a run take: the count that was the fastest as measured.
//
// More threads are slower on grids whose loops are shorter than the start of a thread, and where
// another program takes a core: at the end of every loop all wait for the thread on that core. No
// bit of the fields depends on the number of threads, so it may change from step to step.
//
// A trial takes half as many threads, or twice as many up to `most`, for a window of steps, and is
// compared with the windows before and after it. It ends as soon as it cannot win. Where it wins,
// the run goes on with its count; otherwise the next trial comes after twice as many steps, or when
// steps have become slower. Trials that always lose cost less than a hundredth of a run.
#pragma once

#include <string>

namespace hodge::sim {

class ThreadChoice {
 public:
  // With `most` 1 there is nothing to choose.
  explicit ThreadChoice(int most);

  int threads() const { return phase_ == Phase::trial ? tried_ : chosen_; }  // of the next step
  int chosen() const { return chosen_; }
  // After each step: how long it took. Returns whether a trial has changed chosen().
  bool add_step(double seconds);

 private:
  enum class Phase { wait, before, trial, after };
  struct Window {
    int steps = 0;
    double seconds = 0;
    double mean() const { return seconds / steps; }
    void add(double of_step) {
      ++steps;
      seconds += of_step;
    }
  };

  bool is_full(const Window& window) const;
  bool cannot_win() const;
  bool has_become_slow(double seconds);
  int next_to_try();
  bool judge();
  void wait_windows(int windows);

  int most_, chosen_, tried_;
  bool tries_more_ = false;  // in the next trial, if both are possible
  Phase phase_ = Phase::wait;
  int waited_ = 0, wait_ = 0;  // steps between trials
  int windows_ = 0;            // of that time; 0: the first step has not come
  Window before_, trial_, after_, waiting_;
  double usual_ = 0;  // seconds of a step with chosen() threads at the last trial; 0: not known
};

// The OpenMP threads of the thread that makes the steps; at the end as many as at the start.
// Threads that are bound to cores (OMP_PROC_BIND, OMP_PLACES) stay as many as they are.
class StepThreads {
 public:
  explicit StepThreads(bool may_change);
  ~StepThreads();
  StepThreads(const StepThreads&) = delete;
  StepThreads& operator=(const StepThreads&) = delete;

  // Returns what has changed, for the log, or "".
  std::string add_step(double seconds);

 private:
  int most_;
  ThreadChoice choice_;
};

}  // namespace hodge::sim
