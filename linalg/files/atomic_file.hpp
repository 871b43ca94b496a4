// Writes files that a reader sees whole or not at all: under another name in the same folder, then
// renamed. A pipe, a device and an open file (/dev/stdout, /dev/fd/3) are written directly.
//
// When a function returns, the file is on the disk under its name: its content is synchronised,
// then it is closed and renamed, then its folder is synchronised. A failure of any of these is an
// error. The temporary file has a random name and is made anew, so that it follows no link.
//
// Errors: IoError with the path and the system's reason. The temporary file is removed after every
// failure; only a killed process may leave one behind. name_behind() recognises its name.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace hodge {

// Replaces the content of `path` by `text`; on failure the file stays as it was, or, where only its
// folder could not be synchronised, is the new one.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// The same for a file that write(temporary path) writes; it throws if it fails. The temporary file
// exists and is empty.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const std::filesystem::path&)>& write);

// A pipe, a device or an open file: nothing is replaced.
bool is_written_directly(const std::filesystem::path& path);

// A name that the functions above may write to before they rename: .a.txt.1f00ba42.tmp, with
// other digits in every call.
std::filesystem::path temporary_path(const std::filesystem::path& path);

// "a.txt" of such a name; nothing for other names.
std::optional<std::string> name_behind(const std::filesystem::path& temporary);

// Makes the names in a folder survive a loss of power: files that were made, renamed or removed.
// The empty path is the current folder.
void synchronize_directory(const std::filesystem::path& directory);

}  // namespace hodge
