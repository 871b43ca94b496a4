// Reading and writing the Matrix Market files of the commands.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "linalg/files/matrix_market.hpp"
#include "tools/hodge/matrix/host_matrix.hpp"

namespace hodge::tools {

struct MatrixFile {
  linalg::MatrixMarketHeader header;
  std::unique_ptr<HostMatrix> matrix;  // expanded, duplicates summed
};

// Errors: ConfigError where the file is missing or its content is wrong (FILE:LINE: ...).
MatrixFile read_matrix_file(const std::filesystem::path& file);
std::vector<double> read_vector_file(const std::filesystem::path& file);

// Checks before any work starts that the output is none of the inputs (by whatever path), no
// folder, and in a folder that exists. Errors: ConfigError.
void check_output(const std::filesystem::path& output,
                  const std::vector<std::filesystem::path>& inputs);

// The same matrix in another form of Matrix Market files.
//
// Forms: general, symmetric, skew (coordinate files) and array (all entries, by columns). Errors:
// ConfigError where the matrix (from `input`) is not of the symmetry that the form stands for, or
// too large for an array; IoError.
void write_in_form(const std::string& form, const HostMatrix& a, const std::filesystem::path& input,
                   const std::filesystem::path& output);

// "coordinate real symmetric": the words of the header.
std::string to_text(const linalg::MatrixMarketHeader& header);

}  // namespace hodge::tools
