#include "sim/app/checkpoint/checkpoint.hpp"

#include <fcntl.h>

#include <algorithm>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/checkpoint/seal.hpp"

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

const std::filesystem::path& checked(const std::filesystem::path& path) {
  check_seal(path);
  return path;
}

}  // namespace

CheckpointWriter::CheckpointWriter(const CheckpointHeader& header) : image_(seal_bytes) {
  image_.write("version", header.version);
  image_.write("config", header.config);
  image_.write("step", header.step);
  image_.write("time", header.time);
}

void CheckpointWriter::visit_part(const std::string& name, StatePart part) {
  std::visit([&](auto where) { image_.write(state(name), value_of(where)); }, part);
}

void CheckpointWriter::save(const std::filesystem::path& path) {
  const std::span<char> bytes = image_.bytes();
  const std::string seal =
      seal_text(checkpoint_format, {bytes.data() + seal_bytes, bytes.size() - seal_bytes});
  std::copy(seal.begin(), seal.end(), bytes.begin());
  write_file_atomically(path, std::string_view(bytes.data(), bytes.size()));
}

CheckpointReader::CheckpointReader(const std::filesystem::path& path)
    : path_(path), file_(checked(path_)) {
  file_.read("version", header_.version);
  file_.read("config", header_.config);
  file_.read("step", header_.step);
  file_.read("time", header_.time);
}

void CheckpointReader::visit_part(const std::string& name, StatePart part) {
  if (auto* const list = std::get_if<std::vector<double>*>(&part))
    (*list)->resize(file_.size(state(name)));
  std::visit([&](auto where) { file_.read(state(name), value_of(where)); }, part);
}

}  // namespace hodge::sim
