#include "sim/base/row_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "linalg/files/atomic_file.hpp"

namespace hodge::sim {
namespace {

int flags(RowFile::Start start) {
  return start == RowFile::Start::empty ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR;
}

// The row with the columns of a header.
CsvRow with_columns(const std::string& header, const CsvRow& row) {
  CsvRow out;
  for (std::size_t at = 0; at <= header.size();) {
    const std::size_t end = std::min(header.find(',', at), header.size());
    const std::string column = header.substr(at, end - at);
    const auto found = std::ranges::find(row, column, &CsvCell::column);
    out.push_back(found != row.end() ? *found : CsvCell(column, std::string()));
    at = end + 1;
  }
  return out;
}

}  // namespace

RowFile::RowFile(std::filesystem::path path, Start start)
    : path_(std::move(path)), file_(path_, flags(start)) {
  if (start == Start::with_what_is_there) file_.seek_end();
  whole_ = file_.size();
  if (whole_ > 0) header_ = read_header();
}

std::string RowFile::read_header() const {
  std::string header;
  std::getline(std::ifstream(path_), header);
  return header;
}

void RowFile::append(std::string_view rows) {
  waiting_ += rows;
  if (waiting_.empty()) return;
  if (file_.size() != whole_) file_.truncate(whole_);
  try {
    file_.write(waiting_);
  } catch (const IoError&) {
    cut_off_rest();
    throw;
  }
  whole_ = file_.size();
  waiting_.clear();
}

// Where that fails, the next append() tries again.
void RowFile::cut_off_rest() {
  try {
    file_.truncate(whole_);
  } catch (const IoError&) {
  }
}

void RowFile::append(const CsvRow& row) {
  if (empty()) {
    header_.clear();
    return append(csv_header(row) + csv_line(row));
  }
  append(header_.empty() ? csv_line(row) : csv_line(with_columns(header_, row)));
}

void RowFile::write_waiting() {
  append("");
}

void RowFile::synchronize() {
  if (!file_.is_at(path_))
    throw IoError(fmt::format("cannot write {}: it was removed or replaced while the run wrote it",
                              path_.string()));
  if (in_doubt_)
    throw IoError(fmt::format("cannot write {}: an earlier error of the disk may have lost rows",
                              path_.string()));
  in_doubt_ = true;
  file_.synchronize();
  if (!name_is_durable_) synchronize_directory(path_.parent_path());
  name_is_durable_ = true;
  in_doubt_ = false;
}

void RowFile::finish() {
  write_waiting();
  synchronize();
  file_.close();
}

void RowFile::visit_state(StateVisitor& visitor, const std::string& name) {
  long bytes = whole_;
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
  whole_ = bytes;
  write_waiting();
}

}  // namespace hodge::sim
