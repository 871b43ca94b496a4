// Host space: its work is done when it is queued.
#include "linalg/space/marks.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

#include "linalg/space/space.hpp"

namespace hodge::linalg {

namespace {

using MarkClock = std::chrono::steady_clock;

std::vector<MarkClock::time_point>& host_marks() {
  static thread_local std::vector<MarkClock::time_point> marks;
  return marks;
}

}  // namespace

template <>
int Marks<Host>::set() {
  host_marks().push_back(MarkClock::now());
  return static_cast<int>(host_marks().size()) - 1;
}

template <>
void Marks<Host>::wait(int) {}

template <>
double Marks<Host>::seconds(int first, int second) {
  const auto at = [](int mark) { return host_marks()[static_cast<std::size_t>(mark)]; };
  return std::chrono::duration<double>(at(second) - at(first)).count();
}

template <>
void Marks<Host>::forget() {
  host_marks().clear();
}

template <>
void Marks<Host>::bring(const double* value, double* shared) {
  *shared = *value;
}

}  // namespace hodge::linalg
