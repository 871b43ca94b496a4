#include "sim/base/row_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "linalg/files/atomic_file.hpp"

namespace hodge::sim {
namespace {

int flags(RowFile::Start start) {
  return start == RowFile::Start::empty ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR;
}

constexpr long long longest_key = 40;  // bytes of a number with its comma

// The number in the first column; none of a header, or of a row that is not whole.
std::optional<double> first_number(std::string_view row) {
  double key = 0;
  const char* const end = row.data() + row.size();
  const auto [rest, error] = std::from_chars(row.data(), end, key);
  return error == std::errc() && rest != end && *rest == ',' ? std::optional(key) : std::nullopt;
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

void require_own_size(const FileDescriptor& file, const std::filesystem::path& path) {
  const long long bytes = file.bytes_on_disk();
  if (bytes == file.size()) return;
  throw IoError(
      fmt::format("cannot write {}: it has {} bytes and had {}: another program has "
                  "changed it while the run wrote it",
                  path.string(), bytes, file.size()));
}

RowFile::RowFile(std::filesystem::path path, Start start)
    : path_(std::move(path)), file_(path_, flags(start)) {
  if (start == Start::with_what_is_there) header_ = read_header();
  whole_ = file_.size();
}

// Leaves the file at its end.
std::string RowFile::read_header() {
  constexpr std::size_t piece = 1 << 16;
  std::string text;
  std::size_t end = std::string::npos, before = 0;
  do {
    before = text.size();
    text += file_.read(piece);
    end = text.find('\n', before);
  } while (end == std::string::npos && text.size() > before);
  file_.seek_end();
  return text.substr(0, end);
}

void RowFile::append(std::string_view rows) {
  waiting_ += rows;
  if (waiting_.empty()) return;
  require_own_size(file_, path_);
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
  require_own_size(file_, path_);
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

void RowFile::visit_state(StateVisitor& visitor, const std::string& name, const RowsUpTo& now) {
  long bytes = whole_;
  visitor.visit(name + "/bytes", bytes, {.least = 0});
  visitor.visit(name + "/waiting", waiting_);
  if (!visitor.restores()) return;
  if (file_.bytes_on_disk() < bytes)
    throw ConfigError(fmt::format(
        "{} has {} bytes and had {} when the checkpoint was written: it is not the file of that "
        "run any more; continue in another directory with --output",
        path_.string(), file_.bytes_on_disk(), bytes));
  whole_ = bytes;
  if (!ends_with_rows_up_to(now))
    visitor.refuse(name + "/bytes",
                   fmt::format("is {}, and the rows of {} up to step {} do not end there", bytes,
                               path_.string(), now.step));
}

void RowFile::go_back() {
  file_.truncate(whole_);
  write_waiting();
}

void RowFile::begin_anew() {
  if (!header_.empty()) whole_ = std::min(whole_, static_cast<long long>(header_.size()) + 1);
}

bool RowFile::has_row_of(const RowsUpTo& now) {
  return last_key() == key_of(now);
}

bool RowFile::ends_with_rows_up_to(const RowsUpTo& now) {
  if (whole_ > 0 && text_at(whole_ - 1, 1) != "\n") return false;
  const double here = key_of(now);
  const std::optional<double> last = last_key();
  if (last && (now.of_every_step ? *last != here : *last > here)) return false;
  if (!waiting_.empty()) return true;  // and may have been written since
  const auto behind_header = static_cast<long long>(header_.size()) + 1;
  const std::optional<double> next =
      first_number(text_at(whole_ == 0 ? behind_header : whole_, longest_key));
  return !next || (now.of_every_step ? *next > here : *next >= here);
}

double RowFile::key_of(const RowsUpTo& now) const {
  return header_.starts_with("step,") ? static_cast<double>(now.step) : now.time;
}

std::optional<double> RowFile::last_key() {
  if (waiting_.empty()) return first_number(text_at(begin_of_last_row(), longest_key));
  const std::size_t end = waiting_.size() - 1,
                    before = end == 0 ? std::string::npos : waiting_.rfind('\n', end - 1);
  return first_number(
      std::string_view(waiting_).substr(before == std::string::npos ? 0 : before + 1));
}

long long RowFile::begin_of_last_row() {
  for (long long room = 4096;; room *= 2) {
    const long long begin = std::max(0LL, whole_ - room);
    const std::string text = text_at(begin, whole_ - begin);
    const std::size_t before =
        text.size() < 2 ? std::string::npos : text.rfind('\n', text.size() - 2);
    if (before != std::string::npos) return begin + static_cast<long long>(before) + 1;
    if (begin == 0) return 0;
  }
}

std::string RowFile::text_at(long long begin, long long bytes) {
  file_.seek(begin);
  std::string text = file_.read(static_cast<std::size_t>(bytes));
  file_.seek(file_.size());  // where rows are written
  return text;
}

}  // namespace hodge::sim
