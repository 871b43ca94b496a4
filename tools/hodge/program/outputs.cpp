#include "tools/hodge/program/outputs.hpp"

#include <algorithm>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const fs::path& one, const fs::path& other) {
  return canonical_path(one) == canonical_path(other) || are_the_same(one, other);
}

void check_output(const fs::path& output, const Files& inputs, bool overwrite) {
  const auto is_output = [&](const fs::path& file) { return is_same_file(output, file); };
  if (std::ranges::any_of(inputs, is_output))
    throw wrong_input("{}: is an input, expected another file to write to", output.string());
  if (is_a_directory(output))
    throw wrong_input("{}: is a directory, expected a file to write to", output.string());
  const fs::path folder = output.parent_path();
  if (!folder.empty() && !is_a_directory(folder))
    throw wrong_input("{}: there is no directory {}", output.string(), folder.string());
  if (!overwrite && fs::exists(status_of_link(output)))
    throw wrong_input("{}: is there already: give another name, or --overwrite", output.string());
}

}  // namespace

CLI::Option* add_output_file_option(CLI::App& command, const char* name, fs::path& file,
                                    const char* description) {
  const auto named = [](const std::string& text) { return text == "-" ? "/dev/stdout" : text; };
  return add_file_option(command, name, file, description)->transform(named);
}

void add_overwrite_option(CLI::App& command, bool& overwrite) {
  command.add_flag("--overwrite", overwrite, "Replace files that exist");
}

void check_outputs(const Files& outputs, const Files& inputs, bool overwrite) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->empty() || is_written_directly(*output)) continue;
    check_output(*output, inputs, overwrite);
    for (auto earlier = outputs.begin(); earlier != output; ++earlier)
      if (!earlier->empty() && is_same_file(*earlier, *output))
        throw wrong_input("{}: would be written twice, expected two files", output->string());
  }
}

void check_output_folder(const fs::path& folder,
                         const std::function<bool(const std::string&)>& writes, const Files& inputs,
                         bool overwrite) {
  if (folder.empty() || !fs::exists(status_of_link(folder))) return;
  if (!is_a_directory(folder))
    throw wrong_input("{}: is a file, expected a directory to write into", folder.string());
  Files there;
  for (const fs::path& path : entries_of(folder))
    if (writes(path.filename().string())) there.push_back(path);
  std::ranges::sort(there);
  check_outputs(there, inputs, overwrite);
}

}  // namespace hodge::tools
