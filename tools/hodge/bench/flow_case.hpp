// The flows whose time steps `bench step` and `bench assembly` measure: cases of the program on
// grids of several sizes, and the bytes that their steps have to move.
#pragma once

#include <string>
#include <vector>

#include "sim/time/step_report.hpp"
#include "tools/hodge/program/job.hpp"

namespace hodge::tools::bench {

struct FlowCase {
  std::string name;    // of the case
  std::string scheme;  // of time
  std::vector<int> cells;
  bool large = false;  // for GPUs alone

  std::string grid() const;  // "64 x 64 x 64"
  std::string text() const;  // "taylor_green_3d 64 x 64 x 64 bdf2"
};

// Taylor-Green in 3D by bdf2 and rk3, the lid-driven cavity by bdf2.
std::vector<FlowCase> flow_cases(bool quick);

// The case as a file of configs/ has it: its CFL number 0.5 (the cavity: 4), the pressure to 1e-5.
// `device` as in a file.
Job flow_job(const FlowCase& flow, const std::string& device);

// Least bytes of all that a step assembles, every array passing once for all components:
//
//   implicit   reads u^, u^n, u^{n-1}, p; writes the entries of the velocity matrices and their
//              right sides; reads u*, writes the right side of the pressure
//   rk3        reads u*, writes the right side of the pressure, three times
double assembly_bytes(const Job& job);

// Least bytes of the explicit stages of rk3, every array passing once for all components: u and p
// read and u written in three stages, the rate written in two and read in two. 0 of other schemes.
double stage_bytes(const Job& job);

// The bytes of a step's solves by linalg/cost/byte_model.hpp.
struct SolveBytes {
  double transport = 0, pressure = 0;
};
SolveBytes solve_bytes_of(const Job& job, const sim::StepReport& report);

}  // namespace hodge::tools::bench
