// What is there: the kind of a path, the entries of a directory, and directories that are made.
//
// A file that is not there is an answer. That the system cannot say is an error: IoError with the
// path and the reason of the system. The functions of std::filesystem that take an error code
// answer "no" there, so that a failing disk looks like an empty one; tests/checked_reads.sh refuses
// them elsewhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "linalg/files/file_descriptor.hpp"

namespace hodge {

// operation(std::error_code&), whose error is thrown: "cannot VERB PATH: ...".
template <class Operation>
auto attempt_on(std::string_view verb, const std::filesystem::path& path, Operation operation) {
  std::error_code error;
  auto result = operation(error);
  if (error) throw io_error(verb, path, error.value());
  return result;
}

// Of a path that does not exist: file_type::not_found.
std::filesystem::file_status status_of(const std::filesystem::path& path);
std::filesystem::file_status status_of_link(const std::filesystem::path& path);  // not its target

bool is_there(const std::filesystem::path& path);
bool may_be_there(const std::filesystem::path& path) noexcept;  // for messages: no error
bool is_a_file(const std::filesystem::path& path);
bool is_a_directory(const std::filesystem::path& path);
bool is_link(const std::filesystem::path& path);
bool are_the_same(const std::filesystem::path& a, const std::filesystem::path& b);  // both there
std::uintmax_t bytes_of_file(const std::filesystem::path& path);

// Also says that the working directory, which a relative path needs and an empty one means, is
// gone.
std::filesystem::path absolute_path(const std::filesystem::path& path);
std::filesystem::path canonical_path(const std::filesystem::path& path);  // and without links

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& directory);

void remove_file(const std::filesystem::path& path);

// And its parents. Their names are on the disk when this returns, also that of the last one that
// was there before: a process that was killed may have made it. (Its parent may be closed to us.)
void make_directory(const std::filesystem::path& path);

}  // namespace hodge
