// Writes files that a reader sees whole or not at all: under another name in the same folder, then
// renamed. A pipe or a device (/dev/stdout) is written directly.
//
// Errors: IoError with the path and the system's reason. The temporary file is removed after every
// failure; only a killed process may leave one behind. is_temporary() recognises its name.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace hodge {

// Replaces the content of `path` by `text`; on failure the file stays as it was.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// The same for a file that write(temporary path) writes; it throws if it fails.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const std::filesystem::path&)>& write);

// The name that the functions above write to before they rename.
std::filesystem::path temporary_path(const std::filesystem::path& path);
bool is_temporary(const std::filesystem::path& path);

}  // namespace hodge
