// The cavity with a moving lid by hodge as a library: 10 steps, and max |u| at cell centres.
//
//   hodge_as_library FILE [DEVICE]       alone, or by several processes: mpirun -n 2
//   hodge_as_library FILE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "cases/registry.hpp"
#include "sim/app/simulation.hpp"

using namespace hodge;

int ten_steps(const char* file, sim::FlowLeader* leader) {
  sim::Simulation cavity(sim::load_job({.file = file}, cases::known_cases()), leader);
  while (cavity.steps() < 10 && cavity.step()) continue;
  const sim::CellArray velocity = cavity.fields({"velocity"}).front();
  double largest = 0;
  for (std::size_t i = 0; i < velocity.values.size(); i += 3) {
    const double* const u = &velocity.values[i];
    largest = std::max(largest, std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
  }
  std::printf("%ld,%.17g,%.17g\n", cavity.steps(), cavity.time(), largest);
  return 0;
}

int main(int count, char** words) try {
  if (count != 2) return 2;
  return sim::by_launched_processes(
      cases::known_cases(), [&](sim::FlowLeader* leader) { return ten_steps(words[1], leader); });
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
