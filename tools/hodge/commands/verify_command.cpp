#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "linalg/files/directories.hpp"
#include "sim/app/frames/frame_reader.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/app/verify/verify.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

struct VerifyArguments {
  std::vector<std::string> paths;
};

constexpr int broken_code = 4;  // as of a disk that failed

// "  frames        6 whole, 1 broken: frames/cavity_000003.vti is damaged: ...", with a line for
// each further one that is broken.
void print(const sim::VerifiedFiles& files) {
  const char* between = files.text.empty() || files.broken.empty() ? "" : ", ";
  say("  {:<20} {}{}", files.kind, files.text, between);
  if (!files.broken.empty()) say("{} broken: {}", files.broken.size(), files.broken.front());
  say("\n");
  for (std::size_t i = 1; i < files.broken.size(); ++i) say("  {:<20} {}\n", "", files.broken[i]);
}

int verify(const std::string& directory) {
  const sim::Verification found = sim::verify_run(directory);
  say("{}\n", directory);
  if (found.writer) say("  {:<20} by {}\n", "is being written", *found.writer);
  for (const sim::VerifiedFiles& files : found.kinds) print(files);
  std::cout << std::flush;
  if (found.broken() == 0) return 0;
  return fail(broken_code, fmt::format("{}: {} of its files broken", directory, found.broken()));
}

// A single frame, of any program.
int verify_frame(const std::string& path) {
  try {
    const std::optional<double> time = sim::check_frame(path);
    say("{}\n  {:<20} whole{}\n", path, "frame", time ? fmt::format(", t = {}", *time) : "");
    std::cout << std::flush;
    return 0;
  } catch (const Error& error) {
    return fail(broken_code, error.what());
  }
}

bool is_frame(const std::string& path) {
  return (sim::is_frame_file(path) || sim::is_frame_index(path)) && is_a_file(path);
}

// The largest code of all.
int verify_command(const VerifyArguments& arguments) {
  int code = 0;
  for (const std::string& path : arguments.paths)
    code =
        std::max(code, guarded([&] { return is_frame(path) ? verify_frame(path) : verify(path); }));
  return code;
}

}  // namespace

void add_verify_command(CLI::App& app, Action& action) {
  auto [command, arguments] =
      add_command(app, action, "verify",
                  "Say which files of a run are whole: checkpoints, frames, rows, all that its "
                  "manifest lists; or whether a single frame is; exit code 4 where one is not",
                  verify_command);
  command
      .add_option("DIR", arguments.paths,
                  "Run directories, or frames (.vti, .vtr, .pvti, .pvtr, .vtkhdf)")
      ->required()
      ->check(not_empty());
}

}  // namespace hodge::tools
