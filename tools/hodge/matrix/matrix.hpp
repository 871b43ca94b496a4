// Matrices on the host: their arrays, their properties, their Matrix Market files, and pictures of
// their patterns.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linalg/files/matrix_market.hpp"
#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/row_statistics.hpp"

namespace hodge::tools {

// A CSR matrix on the host, as files, generators and analysis use it.
using HostMatrix = linalg::CsrMatrix<linalg::Host, double>;

// The arrays of a host matrix, to loop over.
struct HostRows {
  std::span<const int> offsets, columns;
  std::span<const double> values;

  explicit HostRows(const HostMatrix& a)
      : offsets(a.pattern().row_offsets().data(), a.pattern().row_offsets().size()),
        columns(a.pattern().columns().data(), a.pattern().columns().size()),
        values(a.values().data(), a.values().size()) {}
  int rows() const { return static_cast<int>(offsets.size()) - 1; }
};

// What follows from the entries of a sparse matrix in O(nnz) operations, on the host.
struct MatrixFacts {
  int rows = 0, cols = 0;
  long long nonzeros = 0;  // stored, explicit zeros among them
  long long explicit_zeros = 0;

  // Square matrices.
  long long off_diagonal = 0;   // stored entries beside the diagonal
  long long unmatched = 0;      // those of them, a_ij, without a stored a_ji
  long long like_diagonal = 0;  // those of them with the sign of a_ii; an M-matrix has none
  double asymmetry = 0;         // max |a_ij - a_ji| / max |a_ij|
  int diagonal_missing = 0, diagonal_zero = 0, diagonal_positive = 0, diagonal_negative = 0;
  int dominant_rows = 0;       // |a_ii| >= sum of the other |a_ij|
  double least_dominance = 0;  // min over rows of |a_ii| / sum of the other |a_ij|; may be infinite
  double row_sum = 0;  // max |sum_j a_ij| / norm_inf: 0 where constants are in the null space

  linalg::RowStatistics lengths;  // and bandwidths
  double norm_1 = 0, norm_inf = 0, norm_frobenius = 0, largest = 0;

  bool square() const { return rows == cols; }
  bool pattern_symmetric() const { return square() && unmatched == 0; }
  bool symmetric() const { return square() && asymmetry <= 1e-12; }
  // Then ssor_sai with an omega near 1 may need more iterations than jacobi (linalg/RESULTS.md).
  bool far_from_m_matrix() const { return 4 * like_diagonal > off_diagonal; }
  bool full_diagonal() const { return square() && diagonal_missing + diagonal_zero == 0; }
  bool constant_null_space() const { return square() && nonzeros > 0 && row_sum <= 1e-12; }
};

MatrixFacts facts_of(const HostMatrix& a);

struct MatrixFile {
  linalg::MatrixMarketHeader header;
  std::unique_ptr<HostMatrix> matrix;  // expanded, duplicates summed
};

// Errors: ConfigError where the file is missing or its content is wrong (FILE:LINE: ...).
MatrixFile read_matrix_file(const std::filesystem::path& file);
std::vector<double> read_vector_file(const std::filesystem::path& file);

// max |x - reference| / max |reference|; none where the reference is zero.
std::optional<double> relative_difference(const std::vector<double>& x,
                                          const std::vector<double>& reference);

// The same matrix in another form of Matrix Market files.
//
// Forms: general, symmetric, skew (coordinate files) and array (all entries, by columns). Errors:
// ConfigError where the matrix (from `input`) is not of the symmetry that the form stands for, or
// too large for an array; IoError.
void write_in_form(const std::string& form, const HostMatrix& a, const std::filesystem::path& input,
                   const std::filesystem::path& output);

// `hodge matrix info`: the facts of a matrix in words, lines of name and value.
std::string info_text(const MatrixFile& file);

// A picture of the pattern, the darker a pixel the more of its entries are stored, white where
// there is nothing. The longer side gets `size` pixels, the other one its share. Errors: IoError.
void write_png(const std::filesystem::path& file, const HostMatrix& a, int size);

// The same as text: characters in a frame, at most `columns` wide; characters are twice as high as
// wide.
std::string text_picture(const HostMatrix& a, int columns);

}  // namespace hodge::tools
