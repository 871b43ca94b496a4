// Matrix Market files, a text format for exchanging matrices: R. F. Boisvert, R. Pozo, K.
// Remington, "The Matrix Market exchange formats: initial design", NISTIR 5935 (1996).
//
//   %%MatrixMarket matrix coordinate real symmetric     format, field, symmetry in any case
//   % comments and blank lines may stand anywhere below
//   3 3 4                                               rows, columns, entries that follow
//   1 1 2.5                                             row, column, value: counted from 1
//
// Formats: `coordinate` and `array` (dense by columns, one value per line; only the lower triangle
// of a symmetric matrix). Fields: `real` (1.5e3, 1.5d3), `integer` (up to 2^53) and `pattern` (all
// values are 1). Symmetries: `general`, `symmetric`, `hermitian` (of reals, so symmetric) and
// `skew-symmetric`, on whose diagonal a coordinate file may list zeros. Complex matrices are
// refused, and more rows or columns than 1 000 000 and 16 for each entry. Entries at the same place
// are kept and count as their sum. Files compressed with gzip are read if zlib was found at build
// time.
//
// Errors: ConfigError "FILE:LINE: what, what was expected" for bad content, including NaN and
// infinity; IoError if a file cannot be read or written.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "linalg/matrices/coo.hpp"
#include "linalg/matrices/csr.hpp"

namespace hodge::linalg {

enum class MatrixMarketFormat { array, coordinate };
enum class MatrixMarketField { real, integer, pattern };
enum class MatrixMarketSymmetry { general, symmetric, skew };

struct MatrixMarketHeader {
  MatrixMarketFormat format = MatrixMarketFormat::coordinate;
  MatrixMarketField field = MatrixMarketField::real;
  MatrixMarketSymmetry symmetry = MatrixMarketSymmetry::general;
  int rows = 0, cols = 0;
  long long stored = 0;  // values (pattern: places) that the file lists
};

struct MatrixMarketData {
  MatrixMarketHeader header;
  // Both triangles, in the order of the file, each entry followed by its mirror image. The zeros of
  // an array file are left out, those of a coordinate file are kept.
  CooMatrix<Host, double> matrix;
};

MatrixMarketData read_matrix_market(const std::filesystem::path& path);

// A matrix of one column, of either format.
std::vector<double> read_vector(const std::filesystem::path& path);

// As `coordinate real`, by rows, each value with the fewest digits that reproduce it. Of a
// symmetric or skew matrix only the lower triangle is written; ShapeError unless the matrix has
// this symmetry to the last bit. The file is written under another name and renamed. NumericalError
// for NaN and infinity, which readers need not accept.
void write_matrix_market(const std::filesystem::path& path, const CsrMatrix<Host>& a,
                         MatrixMarketSymmetry symmetry = MatrixMarketSymmetry::general);

// As `array real general` with one column.
void write_vector(const std::filesystem::path& path, std::span<const double> x);

// The symmetry that a matrix has to the last bit, explicit zeros included.
MatrixMarketSymmetry exact_symmetry(const CsrMatrix<Host>& a);

}  // namespace hodge::linalg
