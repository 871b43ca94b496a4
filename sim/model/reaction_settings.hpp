// How accurately reactions are integrated, and what they report.
#pragma once

#include <string>

namespace hodge::sim {

// The estimated error of a substep is at most absolute max |c| + relative |c| in every cell and
// scalar, the maximum over the cells that react together at the start of the call.
// Errors of substeps add up, and a run has thousands of them: hence a relative tolerance far below
// what a grid resolves. It costs little, because the method is of fourth order: a hundredth of the
// tolerance makes three times as many substeps.
struct ReactionSettings {
  double relative = 1e-8;
  double absolute = 1e-12;
  double least_substep = 1e-13;  // of dt: a smaller one is a failure
  int most_substeps = 100000;    // in one call
  int most_iterations = 10;      // of Newton's method in a stage
  int fixed_substeps = 0;        // so many equal ones, without control of the error; 0: controlled
  int cells_at_once = 1 << 18;   // share working memory (and their substeps)
};

struct ReactionReport {
  bool ok = true;
  std::string failure;  // a sentence
  std::string bad_key;  // of the rate that is not finite, as StepReport has it
  // Like the others, of the chunk of cells that needed most; 0 where no cell's state changes.
  long substeps = 0;           // accepted
  long rejected = 0;           // for their error, or because Newton's method failed
  long newton_iterations = 0;  // in all stages
};

}  // namespace hodge::sim
