// The first lines of a Matrix Market file: the banner, comments, and the line of sizes.
#pragma once

#include "linalg/files/matrix_market.hpp"
#include "linalg/files/text_lines.hpp"

namespace hodge::linalg {

struct MatrixMarketStart {
  MatrixMarketHeader header;
  long long size_line = 0;  // the number of the line of sizes
};

// "6 entries as line 3 says"; of an array, whose number follows from its sizes: "3 entries below
// the diagonal of the 3 x 3 in line 3".
std::string count_text(const MatrixMarketStart& start);

// As in the banner: "general", "symmetric", "skew-symmetric".
std::string name_of(MatrixMarketSymmetry symmetry);

// Leaves `lines` at the line of sizes. ConfigError for an unknown or unsupported kind of matrix,
// and for sizes that are not numbers, contradict each other or do not fit 32-bit indices.
MatrixMarketStart read_matrix_market_header(TextLines& lines);

}  // namespace hodge::linalg
