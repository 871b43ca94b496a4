#include "sim/base/row_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <utility>

namespace hodge::sim {
namespace {

int flags(RowFile::Start start) {
  return start == RowFile::Start::empty ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR;
}

}  // namespace

RowFile::RowFile(std::filesystem::path path, Start start)
    : path_(std::move(path)), file_(path_, flags(start)) {
  if (start == Start::with_what_is_there) file_.seek_end();
}

void RowFile::append(std::string_view rows) {
  const long long whole = file_.size();
  waiting_ += rows;
  try {
    file_.write(waiting_);
  } catch (const IoError&) {
    file_.truncate(whole);
    throw;
  }
  waiting_.clear();
}

void RowFile::append(const CsvRow& row) {
  append((empty() ? csv_header(row) : "") + csv_line(row));
}

void RowFile::synchronize() {
  file_.synchronize();
}

void RowFile::visit_state(StateVisitor& visitor, const std::string& name) {
  long bytes = file_.size();
  visitor.visit(name + "/bytes", bytes, {.least = 0});
  visitor.visit(name + "/waiting", waiting_);
  if (visitor.restores()) go_back_to(bytes);
}

void RowFile::go_back_to(long long bytes) {
  if (file_.bytes_on_disk() < bytes)
    throw ConfigError(fmt::format(
        "{} has {} bytes and had {} when the checkpoint was written: it is not the file of that "
        "run any more; continue in another directory with --output",
        path_.string(), file_.bytes_on_disk(), bytes));
  file_.truncate(bytes);
  if (!waiting_.empty()) append("");
}

}  // namespace hodge::sim
