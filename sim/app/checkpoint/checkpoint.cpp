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

void CheckpointWriter::visit(const std::string& name, double& value) {
  image_.write(state(name), value);
}
void CheckpointWriter::visit(const std::string& name, long& value) {
  image_.write(state(name), value);
}
void CheckpointWriter::visit(const std::string& name, std::string& text) {
  image_.write(state(name), text);
}
void CheckpointWriter::visit(const std::string& name, std::vector<double>& values) {
  image_.write(state(name), values);
}
void CheckpointWriter::visit_fixed(const std::string& name, std::span<double> values) {
  image_.write(state(name), values);
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

void CheckpointReader::visit(const std::string& name, double& value) {
  file_.read(state(name), value);
}
void CheckpointReader::visit(const std::string& name, long& value) {
  file_.read(state(name), value);
}
void CheckpointReader::visit(const std::string& name, std::string& text) {
  file_.read(state(name), text);
}
void CheckpointReader::visit(const std::string& name, std::vector<double>& values) {
  values.resize(file_.size(state(name)));
  file_.read(state(name), values);
}
void CheckpointReader::visit_fixed(const std::string& name, std::span<double> values) {
  file_.read(state(name), values);
}

}  // namespace hodge::sim
