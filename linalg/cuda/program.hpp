// An iteration of a method as one kernel that repeats it, for systems so small that launches would
// take most of the time.
//
// Where all that an iteration queues has been gathered (deferred.hpp), its passes, products and
// scalar operations are a program: blocks that are all resident run it item by item, with a barrier
// of the grid between items, until the guard is up or enough iterations are done.
#pragma once

#include <memory>
#include <vector>

#include "linalg/cuda/deferred.hpp"
#include "linalg/cuda/pass.cuh"

namespace hodge::linalg::cuda {

struct ProgramItem {
  bool is_product = false;
  Pass<double> pass;
  DeferredProduct<double> product;
  ScalarOperations afterwards;
};

// What is gathered from here on until finish() is noted, beside being launched.
class ProgramNotes {
 public:
  static void start();
  // The items; empty where something else was queued in between, or an item does not suit.
  static std::vector<ProgramItem> finish();
};

class Program {
 public:
  // Most rows of a system that gains by it.
  static constexpr int most_rows = 1 << 19;
  static constexpr int most_items = 16;

  // Null where there are no items or too many.
  static std::unique_ptr<Program> make(const std::vector<ProgramItem>& items, const int* guard);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Queues it, to run through its items so many times at most.
  void play(int times);

 private:
  Program(const std::vector<ProgramItem>& items, const int* guard);

  ProgramItem* items_ = nullptr;
  unsigned* barrier_ = nullptr;
  int count_ = 0, blocks_ = 0;
  const int* guard_ = nullptr;
};

}  // namespace hodge::linalg::cuda
