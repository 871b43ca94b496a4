#include "sim/app/checkpoint/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "sim/base/crc32.hpp"
#include "sim/base/input_files.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string state(const std::string& name) {
  return "state/" + name;
}

// Where a value is read to.
template <class Value>
Value& value_of(Value* where) {
  return *where;
}
std::span<double> value_of(std::span<double> where) {
  return where;
}

}  // namespace

CheckpointWriter::CheckpointWriter(FileDescriptor& file, std::filesystem::path path,
                                   const CheckpointHeader& header)
    : file_(file), path_(std::move(path)), structure_(seal_bytes) {
  parts_.push_back(structure_.write("version", header.version));
  parts_.push_back(structure_.write("config", header.config));
  if (header.inputs) parts_.push_back(structure_.write("inputs", inputs_text(*header.inputs)));
  parts_.push_back(structure_.write("step", header.step));
  parts_.push_back(structure_.write("time", header.time));
}

void CheckpointWriter::visit_part(const std::string& name, StatePart part) {
  const auto write = [&]<class Where>(Where where) {
    if constexpr (std::is_same_v<Where, std::span<double>>)
      write_list(name, where);
    else if constexpr (std::is_same_v<Where, std::vector<double>*>)
      write_list(name, *where);
    else
      parts_.push_back(structure_.write(state(name), *where));
  };
  std::visit(write, part);
}

void CheckpointWriter::write_list(const std::string& name, std::span<double> values) {
  visit_ranges(name, {.total = values.size(),
                      .ranges = {{0, values.size()}},
                      .values = [values](std::size_t) { return values; }});
}

void CheckpointWriter::visit_ranges(const std::string& name, const RangedList& list) {
  CheckpointPart part = structure_.place_list(state(name), list.total);
  file_.seek(static_cast<long long>(part.begin));
  std::size_t done = 0;
  for (std::size_t r = 0; r < list.ranges.size(); ++r) {
    const std::span<const double> values = list.values(r);
    if (list.ranges[r].first != done || list.ranges[r].count != values.size())
      throw ShapeError(fmt::format("the ranges of {} do not follow one another", name));
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    part.crc32 = crc32(bytes, part.crc32);
    file_.write(bytes);
    done += values.size();
  }
  if (done != list.total)
    throw ShapeError(fmt::format("{} has {} values, expected {}", name, done, list.total));
  structure_.seal_list(part);
  parts_.push_back(std::move(part));
}

std::string CheckpointWriter::subject(const std::string& name) const {
  return "the checkpoint cannot be written: " + state(name);
}

// The bytes of lists are on the disk.
void CheckpointWriter::write_around(const PlacesOfLists& lists, std::uint64_t begin,
                                    std::string_view bytes) {
  const std::uint64_t page = begin, end = begin + bytes.size();
  const auto write_until = [&](std::uint64_t stop) {
    if (stop <= begin) return;
    file_.seek(static_cast<long long>(begin));
    file_.write(bytes.substr(static_cast<std::size_t>(begin - page),
                             static_cast<std::size_t>(stop - begin)));
  };
  auto list = lists.upper_bound(begin);
  if (list != lists.begin()) --list;  // may reach into the page
  for (; list != lists.end() && list->first < end; ++list) {
    write_until(list->first);
    begin = std::max(begin, std::min(list->second, end));
  }
  write_until(end);
}

void CheckpointWriter::finish() {
  PlacesOfLists lists;
  for (const CheckpointPart& part : parts_)
    if (part.kind == PartKind::list && part.count > 0)
      lists[part.begin] = part.begin + bytes_of(part);
  const CheckpointPart contents = structure_.write("contents", contents_text(parts_));
  const std::uint64_t size = structure_.finish(
      [&](std::uint64_t begin, std::string_view bytes) { write_around(lists, begin, bytes); });
  file_.truncate(static_cast<long long>(size));
  const std::string seal = seal_of(path_, file_, {contents.begin, bytes_of(contents) - 1});
  file_.seek(0);
  file_.write(seal);
}

void write_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header,
                      const std::function<void(StateVisitor&)>& visit_state) {
  write_file_atomically(path, [&](const std::filesystem::path& temporary) {
    FileDescriptor file(temporary, O_RDWR | O_TRUNC, path);
    CheckpointWriter writer(file, path, header);
    visit_state(writer);
    writer.finish();
    file.close();
  });
}

CheckpointReader::CheckpointReader(const std::filesystem::path& path)
    : path_(path), file_(path, O_RDONLY) {
  const FilePart table = check_seal(path_, file_);
  file_.seek(static_cast<long long>(table.begin));
  contents_ = read_contents(file_.read(table.bytes),
                            static_cast<std::uint64_t>(file_.bytes_on_disk()), path_);
  read_into("version", header_.version);
  header_.version = one_line(header_.version);  // is printed
  read_into("config", header_.config);
  if (contents_.contains("inputs")) {
    std::string inputs;
    read_into("inputs", inputs);
    header_.inputs = inputs_from_text(inputs);
  }
  read_into("step", header_.step);
  read_into("time", header_.time);
  if (header_.step < 0 || header_.step > most_counted)
    refuse_all(fmt::format("step is {}, expected 0 to {}", header_.step, most_counted));
  if (!(header_.time >= 0 && std::isfinite(header_.time)))
    refuse_all(fmt::format("time is {}, expected a number >= 0", header_.time));
}

void CheckpointReader::refuse_all(const std::string& why) const {
  throw IoError(fmt::format("the checkpoint {} cannot be read: {}", path_.string(), why));
}

std::string CheckpointReader::subject(const std::string& name) const {
  return fmt::format("the checkpoint {} cannot be read: {}", path_.string(), state(name));
}

bool CheckpointReader::has(const std::string& name) const {
  return contents_.contains(state(name));
}

std::vector<std::string> CheckpointReader::names_between(const std::string& prefix,
                                                         const std::string& suffix) const {
  std::vector<std::string> names;
  const std::string begin = state(prefix);
  for (const auto& [name, part] : contents_)
    if (name.starts_with(begin) && name.ends_with(suffix) &&
        name.size() >= begin.size() + suffix.size())
      names.push_back(name.substr(begin.size(), name.size() - begin.size() - suffix.size()));
  return names;
}

// What 0.2.0 had not is as at the start of a run.
void CheckpointReader::visit_part(const std::string& name, StatePart part) {
  if (name.starts_with("control_volumes/") && !has(name)) return;
  std::visit([&](auto where) { read_into(state(name), value_of(where)); }, part);
}

const CheckpointPart& CheckpointReader::find(const std::string& name, PartKind kind) const {
  const auto found = contents_.find(name);
  if (found == contents_.end()) refuse_all(name + " is not there");
  if (found->second.kind != kind)
    refuse_all(fmt::format("{} is of another type: {}, expected {}", name,
                           name_of(found->second.kind), name_of(kind)));
  return found->second;
}

// `to` has room for the values of the part.
void CheckpointReader::read(const CheckpointPart& part, void* to) {
  const auto bytes = static_cast<std::size_t>(bytes_of(part));
  auto* const begin = static_cast<char*>(to);
  file_.seek(static_cast<long long>(part.begin));
  if (file_.read_into(begin, bytes) != bytes) refuse_all(part.name + " is cut off");
  if (crc32({begin, bytes}) != part.crc32) refuse_all(part.name + " has a wrong checksum");
  if (part.kind == PartKind::list)
    require_possible(part, {static_cast<const double*>(to), static_cast<std::size_t>(part.count)});
}

void CheckpointReader::require_possible(const CheckpointPart& part,
                                        std::span<const double> values) const {
  for (const double value : values)
    if (!(std::abs(value) <= largest_stored))
      refuse_all(fmt::format("{} has the value {}, expected numbers of a flow, at most {}",
                             part.name, value, largest_stored));
}

void CheckpointReader::read_into(const std::string& name, double& value) {
  read(find(name, PartKind::number), &value);
}

void CheckpointReader::read_into(const std::string& name, long& value) {
  std::int64_t number = 0;
  read(find(name, PartKind::integer), &number);
  value = number;
}

void CheckpointReader::read_into(const std::string& name, std::string& text) {
  const CheckpointPart& part = find(name, PartKind::text);
  text.resize(part.count);
  read(part, text.data());
  text.pop_back();  // the zero at its end
}

void CheckpointReader::read_into(const std::string& name, std::vector<double>& values) {
  const CheckpointPart& part = find(name, PartKind::list);
  values.resize(part.count);
  read(part, values.data());
}

const CheckpointPart& CheckpointReader::find_list(const std::string& name,
                                                  std::size_t count) const {
  const CheckpointPart& part = find(name, PartKind::list);
  if (part.count != count)
    refuse_all(fmt::format("{} has {} values, expected {}", name, part.count, count));
  return part;
}

void CheckpointReader::read_into(const std::string& name, std::span<double> values) {
  read(find_list(name, values.size()), values.data());
}

void CheckpointReader::visit_ranges(const std::string& name, const RangedList& list) {
  const CheckpointPart& part = find_list(state(name), list.total);
  std::size_t done = 0;  // values that are in `sum`
  std::uint32_t sum = 0;
  for (std::size_t r = 0; r < list.ranges.size(); ++r) {
    const RangedList::Range& range = list.ranges[r];
    const std::span<double> values = list.values(r);
    if (range.first > done || values.size() != range.count || range.end() > list.total)
      throw ShapeError(fmt::format("the ranges of {} do not follow one another", name));
    file_.seek(static_cast<long long>(part.begin + range.first * sizeof(double)));
    const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    if (file_.read_into(reinterpret_cast<char*>(values.data()), bytes.size()) != bytes.size())
      refuse_all(part.name + " is cut off");
    if (range.end() > done) {
      sum = crc32(bytes.substr((done - range.first) * sizeof(double)), sum);
      done = range.end();
    }
    require_possible(part, values);
    list.filled(r);
  }
  if (done != list.total)
    throw ShapeError(fmt::format("{} has {} values, expected {}", name, list.total, done));
  if (sum != part.crc32) refuse_all(part.name + " has a wrong checksum");
}

}  // namespace hodge::sim
