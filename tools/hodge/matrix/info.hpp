// `hodge matrix info`: the facts of a matrix, in words.
#pragma once

#include <string>

#include "tools/hodge/matrix/facts.hpp"
#include "tools/hodge/matrix/matrix_files.hpp"

namespace hodge::tools {

// Lines of name and value. `kernel` is the SpMV kernel that would multiply with it.
std::string info_text(const linalg::MatrixMarketHeader& header, const MatrixFacts& facts,
                      const std::string& kernel);

// Which of the solvers to try, a sentence.
std::string solver_hint(const MatrixFacts& facts);

}  // namespace hodge::tools
