#include "tools/hodge/program/program.hpp"

#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <new>
#include <string>
#include <vector>

#include "sim/app/config/mistakes.hpp"
#include "sim/base/text.hpp"

namespace hodge::tools {
namespace {

bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

}  // namespace

int fail(int code, const std::string& message) {
  std::cout.flush();
  std::cerr << message << std::endl;
  return code;
}

// A closed pipe is no failure: nobody reads the rest. A full disk behind `> file` is a failure.
int after_output(int code) {
  std::cout.flush();
  if (std::cout || code != 0 || reader_is_gone()) return code;
  return fail(4, "hodge: writing to the standard output failed");
}

int guarded(const std::function<int()>& action) {
  try {
    return after_output(action());
  } catch (const sim::ConfigErrors& errors) {
    std::vector<std::string> lines;
    for (const std::string& line : errors.lines) lines.push_back(sim::one_line(line));
    return fail(errors.exit_code(), fmt::format("{}", fmt::join(lines, "\n")));
  } catch (const ConfigError& error) {
    return fail(error.exit_code(), sim::one_line(error.what()));
  } catch (const Error& error) {
    return fail(error.exit_code(), "hodge: " + sim::one_line(error.what()));
  } catch (const std::bad_alloc&) {
    return fail(4, "hodge: out of memory");
  } catch (const std::exception& error) {
    return fail(4, "hodge: " + sim::one_line(error.what()));
  }
}

}  // namespace hodge::tools
