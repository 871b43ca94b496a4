// A checkpoint: the whole state of a run in one HDF5 file that is written aside, synchronised and
// renamed, and whose every byte is under a checksum.
//
//   bytes 0 .. 511     the seal (seal.hpp), a user block of HDF5, which other readers skip
//   bytes 512 ..       HDF5: version, config, inputs, step, time, the parts of the state by name,
//   and
//                      contents, a text that says where each of them lies (contents.hpp)
//
// A checkpoint is not believed: the seal is checked first, then every count, size and place, then
// each number when it is read (StateVisitor). HDF5 does not take part in it.
//
// Errors of reading: IoError for a file that is damaged or says what no run writes, ConfigError for
// one that is no checkpoint or of another format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "linalg/files/file_descriptor.hpp"
#include "sim/app/checkpoint/contents.hpp"
#include "sim/app/checkpoint/hdf5_structure.hpp"
#include "sim/app/checkpoint/seal.hpp"
#include "sim/base/input_file.hpp"
#include "sim/base/state_visitor.hpp"

namespace hodge::sim {

// The first values of every checkpoint, read before anything is allocated.
struct CheckpointHeader {
  std::string version;  // of the program
  std::string config;   // the resolved configuration, YAML
  long step = 0;
  double time = 0;
  std::optional<InputFiles> inputs{};  // that the configuration names; none: not known
};

// Writes a state as it visits it: lists go to the disk at once, a range after the other.
class CheckpointWriter final : public StateVisitor {
 public:
  // `file` is empty and may be read, too; `path` is named in errors.
  CheckpointWriter(FileDescriptor& file, std::filesystem::path path,
                   const CheckpointHeader& header);

  bool restores() const override { return false; }
  void visit_part(const std::string& name, StatePart part) override;
  void visit_ranges(const std::string& name, const RangedList& list) override;
  std::string subject(const std::string& name) const override;

  // Writes what belongs to the lists, and the seal.
  void finish();

 private:
  using PlacesOfLists = std::map<std::uint64_t, std::uint64_t>;  // where they begin, and their ends

  void write_list(const std::string& name, std::span<double> values);
  void write_around(const PlacesOfLists& lists, std::uint64_t begin, std::string_view bytes);

  FileDescriptor& file_;
  std::filesystem::path path_;
  Hdf5Structure structure_;
  std::vector<CheckpointPart> parts_;
};

// The state that visit_state visits, with its seal. Errors: IoError; `path` is then as it was
// before.
void write_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header,
                      const std::function<void(StateVisitor&)>& visit_state);

// Gives a state back.
class CheckpointReader final : public StateVisitor {
 public:
  // Checks every byte of the file.
  explicit CheckpointReader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  const CheckpointHeader& header() const { return header_; }

  bool restores() const override { return true; }
  void visit_part(const std::string& name, StatePart part) override;
  void visit_ranges(const std::string& name, const RangedList& list) override;
  std::string subject(const std::string& name) const override;
  // Whether the state has a part of this name: those of earlier versions lack some.
  bool has(const std::string& name) const;
  // The names of all parts PREFIX...SUFFIX, without both.
  std::vector<std::string> names_between(const std::string& prefix,
                                         const std::string& suffix) const;
  [[noreturn]] void refuse_all(const std::string& why) const;  // the file as a whole

 private:
  const CheckpointPart& find(const std::string& name, PartKind kind) const;
  const CheckpointPart& find_list(const std::string& name, std::size_t count) const;
  void read(const CheckpointPart& part, void* to);
  void require_possible(const CheckpointPart& part, std::span<const double> values) const;
  void read_into(const std::string& name, double& value);
  void read_into(const std::string& name, long& value);
  void read_into(const std::string& name, std::string& text);
  void read_into(const std::string& name, std::vector<double>& values);
  void read_into(const std::string& name, std::span<double> values);

  std::filesystem::path path_;
  FileDescriptor file_;
  CheckpointContents contents_;
  CheckpointHeader header_;
};

}  // namespace hodge::sim
