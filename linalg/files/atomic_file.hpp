// Files that a reader sees whole or not at all: written under another name in the same folder, then
// renamed. A pipe or a device (/dev/stdout) is written directly.
//
// Errors: IoError with the path and the system's reason. The temporary file is removed on every
// failure; a kill may leave one behind, which `is_temporary` knows.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace hodge {

// `path` then holds `text`, and what it held before is gone; on failure it is untouched.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// The same for a file that somebody else writes: `write` is given the temporary path, throws if it
// fails.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const std::filesystem::path&)>& write);

// The name that the functions above write to before they rename.
std::filesystem::path temporary_path(const std::filesystem::path& path);
bool is_temporary(const std::filesystem::path& path);

}  // namespace hodge
