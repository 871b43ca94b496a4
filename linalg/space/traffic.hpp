// Counts allocations and copies of a space since the program began. Tests show with them that a
// loop allocates nothing and that only scalars cross between host and device.
#pragma once

namespace hodge::linalg {

struct Traffic {
  long long allocations = 0;               // calls of Space::allocate
  long long uploaded = 0, downloaded = 0;  // bytes between the host and the memory of the space
  // Bytes that kernels on vectors and matrices read and write, each array once a kernel: what the
  // model of cost/byte_model.hpp predicts. Cuda only, and not of loops over point functions.
  double moved = 0;
};

// Counted on the Host too, where both memories are the same.
template <class Space>
Traffic traffic();

}  // namespace hodge::linalg
