// The execution spaces and the primitives that each of them provides.
//
// `Host` runs on OpenMP threads, `Cuda` on one GPU. The rest of linalg is written once, as
// templates over the space; host/ and cuda/ implement the primitives, by topic:
//
//   memory.hpp              allocation, copies, waits
//   scalar_primitives.hpp   scalars, the monitor of a solve, least squares
//   vector_primitives.hpp   combinations, reductions, Krylov bases
//   sparse_primitives.hpp   products with CSR matrices, index arrays
//   dense_primitives.hpp    LU factors, triangular solves, transposes
//   message_primitives.hpp  messages between processes
//   batched_gauss.hpp       many small systems
//   replay.hpp              work that is recorded once and replayed
//
// Beside these a space has its loops over point functions (vectors/parallel.hpp), its choice of a
// kernel for a product (matrices/spmv.hpp), and, where it pays, its own loops over the levels of a
// grid (multigrid/transfer.hpp, stencil_rows.hpp, small_cycle.hpp) and its own cg
// (solvers/resident_cg.hpp). A new space has to implement all of this, and nothing else.
//
// All pointers but those called `host` point to memory of the space. The work of a space is queued
// in order on one stream. A function returns when its work is queued, or kept back for a launch
// together with the work that follows; the host sees results after download() or synchronize().
//
// T is float or double; every sum over rows is accumulated in double. It is the exact sum, rounded
// once, of pieces that are added in a fixed order: on the Host of 16 rows
// (processes/shared_rows.hpp), on Cuda of some hundreds (processes/sum_chunks.hpp). So its bits
// depend neither on threads or blocks nor on the processes that share the rows. The two spaces
// differ in the last bits.
//
// Coefficients (Monomial) are products and quotients of scalars that live in the space: no
// iteration of a solver has to bring them to the host.
//
// The guard: between set_guard(flag) and set_guard(nullptr), all guarded functions do
// nothing once *flag != 0. A solver's monitor raises the flag on the device at convergence or
// breakdown; iterations that the host has queued ahead then leave every vector as it was, and the
// host need not wait for each test.
#pragma once

#include "linalg/base/macros.hpp"
#include "linalg/space/dense_primitives.hpp"
#include "linalg/space/memory.hpp"
#include "linalg/space/message_primitives.hpp"
#include "linalg/space/scalar_primitives.hpp"
#include "linalg/space/sparse_primitives.hpp"
#include "linalg/space/vector_primitives.hpp"

namespace hodge::linalg {

template <class Space>
struct Primitives : MemoryPrimitives<Space>,
                    ScalarPrimitives<Space>,
                    VectorPrimitives<Space>,
                    SparsePrimitives<Space>,
                    DensePrimitives<Space>,
                    MessagePrimitives<Space> {};

// OpenMP threads of this machine.
struct Host : Primitives<Host> {
  static constexpr const char* name = "cpu";
  static constexpr int queue_depth = 0;  // iterations queued ahead of the convergence test at most
};

// One NVIDIA GPU; its functions exist where HODGE_HAS_CUDA is 1.
struct Cuda : Primitives<Cuda> {
  static constexpr const char* name = "cuda";
  static constexpr int queue_depth = 3;
  static int device_count();              // 0 where there is no usable GPU or no driver
  static void select_device(int device);  // throws DeviceError where there is no such GPU
};

}  // namespace hodge::linalg
