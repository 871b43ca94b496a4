// A field where it lies in the memory of the device, for programs that read it there.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace hodge::sim {

// Of the cells that this process has, without ghosts: value (i, j, k) is
// values[i * strides[0] + j * strides[1] + k * strides[2]].
struct FieldInMemory {
  std::string name;  // velocity_x, velocity_y, velocity_z, pressure, scalars by name
  const double* values = nullptr;
  // Cells along x, y, z, in 2D 1 along z; of velocity_d along d one more, its faces.
  std::array<std::int64_t, 3> extents{1, 1, 1}, strides{1, 1, 1};
  bool on_gpu = false;
};

}  // namespace hodge::sim
