// A configuration that has something of everything that processes share.
#pragma once

namespace hodge::tests {

// Stretched cells, inflow that changes, an open side, buoyancy, statistics; enough layers along y
// for four parts.
inline constexpr const char* warm_channel = R"yaml(
case: custom
grid: {cells: [20, 17], lower: [0, 0], upper: [3, 1], stretching: {y: {kind: tanh, strength: 1.5}}}
fluid: {viscosity: 0.01}
force: ["0.1*sin(t)", 0]
boundaries:
  x_lower: {kind: inflow, velocity: ["6*y*(1 - y)*(1 + 0.3*sin(7*t))", 0]}
  x_upper: outflow
scalars:
  heat: {diffusivity: 0.02, buoyancy: [0, 1], boundaries: {x_lower: {value: "sin(5*t)"}}}
time: {scheme: bdf2, end: 1, steps: 9, step: {cfl: 0.6, max: 0.03}}
output:
  frames: {every: 0.05}
  fields: [velocity, pressure, vorticity, heat, mean_velocity, rms_heat]
  statistics: {start: 0.02}
device: cpu
)yaml";

}  // namespace hodge::tests
