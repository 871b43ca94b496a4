// Matrix Market files as the commands take them, and where they may write.
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

// An output must not be one of the inputs, whichever way it is written, nor a folder, nor in a
// folder that is not there; checked before any work starts. Errors: ConfigError.
void check_output(const std::filesystem::path& output,
                  const std::vector<std::filesystem::path>& inputs);

// "coordinate real symmetric": the words of the header.
std::string to_text(const linalg::MatrixMarketHeader& header);

}  // namespace hodge::tools
