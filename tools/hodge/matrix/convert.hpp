// `hodge matrix convert`: the same matrix in another form of Matrix Market files.
#pragma once

#include <filesystem>
#include <string>

#include "tools/hodge/matrix/matrix_files.hpp"

namespace hodge::tools {

// Forms: general, symmetric, skew (coordinate files) and array (all entries, by columns). Errors:
// ConfigError where the matrix (from `input`) is not of the symmetry that the form stands for, or
// too large for an array; IoError.
void write_in_form(const std::string& form, const HostMatrix& a, const std::filesystem::path& input,
                   const std::filesystem::path& output);

}  // namespace hodge::tools
