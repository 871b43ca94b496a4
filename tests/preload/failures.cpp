// Counts the calls and says which one fails.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/preload/watch.hpp"

namespace hodge::preload {
namespace {

struct Wanted {
  bool any = false, main_thread = false, stays = false;
  int call = 0, error = 0;
};

Wanted wanted() {
  const char* text = std::getenv("HODGE_FAIL");
  if (text == nullptr) return {};
  char thread[8] = "", on[8] = "";
  Wanted fault;
  fault.any = std::sscanf(text, "%7s %d %d %7s", thread, &fault.call, &fault.error, on) >= 3;
  fault.main_thread = std::strcmp(thread, "main") == 0;
  fault.stays = std::strcmp(on, "on") == 0;
  return fault;
}

}  // namespace

// Calls under the lock of one_at_a_time().
Verdict judge(const Call& call) {
  static const Wanted fault = wanted();
  static const char* const calls = std::getenv("HODGE_CALLS");
  static int counts[2] = {0, 0};
  const bool is_main = ::syscall(SYS_gettid) == ::getpid();
  const int count = ++counts[is_main];
  const bool fails = fault.any && fault.main_thread == is_main &&
                     (count == fault.call || (fault.stays && count > fault.call));
  if (calls != nullptr) {
    std::string line = is_main ? "main " : "other ";
    line += std::to_string(count) + " " + name_of(call.kind) + " " + call.path;
    if (!call.second_path.empty()) line += " " + call.second_path;
    append_unwatched(calls, line + (fails ? " FAILS\n" : "\n"));
  }
  if (fails && fault.error < 0) ::kill(::getpid(), SIGKILL);
  return {fails, fault.error};
}

}  // namespace hodge::preload
