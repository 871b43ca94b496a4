// The first lines of a Matrix Market file: the banner, comments, and the line of sizes.
#pragma once

#include "linalg/files/matrix_market.hpp"
#include "linalg/files/text_lines.hpp"

namespace hodge::linalg {

struct MatrixMarketStart {
  MatrixMarketHeader header;
  long long size_line = 0;  // the number of the line of sizes
};

// As in the banner: "general", "symmetric", "skew-symmetric".
std::string name_of(MatrixMarketSymmetry symmetry);

// Leaves `lines` at the line of sizes. ConfigError for an unknown or unsupported kind of matrix,
// and for sizes that are not numbers, contradict each other or do not fit 32-bit indices.
MatrixMarketStart read_matrix_market_header(TextLines& lines);

}  // namespace hodge::linalg
