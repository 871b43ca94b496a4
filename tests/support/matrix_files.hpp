// Small Matrix Market files for the tests of the commands.
#pragma once

#include <fstream>
#include <string>

#include "tests/support/matrices.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tests {

inline std::string matrix_market_text(const HostMatrix& a) {
  std::ostringstream text;
  text.precision(17);
  text << "%%MatrixMarket matrix coordinate real general\n";
  text << a.rows << " " << a.cols << " " << a.columns.size() << "\n";
  for (int i = 0; i < a.rows; ++i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      text << i + 1 << " " << a.columns[k] + 1 << " " << a.values[k] << "\n";
    }
  }
  return text.str();
}

inline std::string vector_text(const std::vector<double>& values) {
  std::ostringstream text;
  text.precision(17);
  text << "%%MatrixMarket matrix array real general\n" << values.size() << " 1\n";
  for (const double value : values) text << value << "\n";
  return text.str();
}

// The numbers of an array file, whatever its shape.
inline std::vector<double> read_array(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string header;
  std::getline(stream, header);
  int rows = 0, cols = 0;
  stream >> rows >> cols;
  std::vector<double> values;
  for (double value = 0; stream >> value;) values.push_back(value);
  return values;
}

}  // namespace hodge::tests
