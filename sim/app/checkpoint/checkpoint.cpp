#include "sim/app/checkpoint/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string state(const std::string& name) {
  return "state/" + name;
}

template <class Value>
Value& value_of(Value* where) {
  return *where;
}
std::span<double> value_of(std::span<double> where) {
  return where;
}

}  // namespace

CheckpointWriter::CheckpointWriter(const CheckpointHeader& header) : image_(seal_bytes) {
  parts_.push_back(image_.write("version", header.version));
  parts_.push_back(image_.write("config", header.config));
  parts_.push_back(image_.write("step", header.step));
  parts_.push_back(image_.write("time", header.time));
}

void CheckpointWriter::visit_part(const std::string& name, StatePart part) {
  parts_.push_back(
      std::visit([&](auto where) { return image_.write(state(name), value_of(where)); }, part));
}

std::string CheckpointWriter::subject(const std::string& name) const {
  return "the checkpoint cannot be written: " + state(name);
}

void CheckpointWriter::save(const std::filesystem::path& path) {
  const CheckpointPart contents = image_.write("contents", contents_text(parts_));
  const std::span<char> bytes = image_.bytes();
  const std::string seal =
      seal_text(checkpoint_format, {bytes.data() + seal_bytes, bytes.size() - seal_bytes},
                {contents.begin, bytes_of(contents) - 1});
  std::copy(seal.begin(), seal.end(), bytes.begin());
  write_file_atomically(path, std::string_view(bytes.data(), bytes.size()));
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

void CheckpointReader::visit_part(const std::string& name, StatePart part) {
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

void CheckpointReader::read_into(const std::string& name, std::span<double> values) {
  const CheckpointPart& part = find(name, PartKind::list);
  if (part.count != values.size())
    refuse_all(fmt::format("{} has {} values, expected {}", name, part.count, values.size()));
  read(part, values.data());
}

}  // namespace hodge::sim
