// The files that a configuration names: tables of formulas, surfaces of solids, the state that a
// run begins with. What is in them belongs to the run, and their digests say whether it is still
// the same. A file that has moved is the same file as long as its contents are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "linalg/files/file_descriptor.hpp"
#include "sim/base/input_file.hpp"

namespace hodge::sim {

// From the present position of the file to its end, which is read in pieces (about 1 s per GB).
struct DigestOfBytes {
  std::uint64_t bytes = 0;
  std::string digest;
};
DigestOfBytes digest_of_rest(FileDescriptor& file);

// Errors: ConfigError where there is no such file; IoError where reading fails.
std::string digest_of_file(const std::filesystem::path& path);

// A line for each, as `b2sum -l 256` writes them: the digest, two blanks, the path; and back.
// Errors: IoError for another text.
std::string inputs_text(const InputFiles& files);
InputFiles inputs_from_text(const std::string& text);

// The first file that both have under the same name with other contents.
std::optional<std::string> changed_file(const InputFiles& before, const InputFiles& now);
// The first file of `now` whose contents were not there before, under whatever name.
std::optional<std::string> new_file(const InputFiles& before, const InputFiles& now);

// The text with digests in place of the names of files.
std::string with_digests(std::string text, const InputFiles& files);

}  // namespace hodge::sim
