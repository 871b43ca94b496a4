#include "sim/output/row_file.hpp"

#include <fcntl.h>

namespace hodge::sim {

RowFile::RowFile(const std::filesystem::path& path) : file_(path, O_WRONLY | O_CREAT | O_TRUNC) {}

void RowFile::append(std::string_view rows) {
  const long long whole = file_.size();
  try {
    file_.write(rows);
  } catch (const IoError&) {
    file_.truncate(whole);
    throw;
  }
}

}  // namespace hodge::sim
