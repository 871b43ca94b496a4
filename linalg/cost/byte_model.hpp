// The bytes that a solve has to move, from the shape of its system, for comparison with its time.
//
// This is the least traffic of the kernels as they are written: a kernel moves each array that it
// reads or writes once, and finds none in a cache. A system that fits into a cache may therefore
// exceed the copy bandwidth. With n rows, nnz non-zeros, w bytes per value (8 in double), in bytes:
//
//   vector      w n
//   product     (w + 4) nnz + 4 n + 2 vectors     values, columns; offsets; x, y
//               w nnz + 6 n + 2 vectors           on few diagonals: values; offsets, masks; x, y
//               8 n + 2 vectors                   on a box with cells without rows (describe_as):
//                                                 cells of rows, rows of cells; x, y
//               2 vectors                         on a box all of whose cells have rows
//   sweep       (w + 4) entries of its part + 8 n + 3 or 4 vectors
//                                                 offsets, positions of the diagonal; d, x, y, and
//                                                 b unless b is x
//
// Each method and preconditioner counts its own bytes (`traffic`, beside `memory` in its file).
// Tests compare them with what the kernels move (space/traffic.hpp).
#pragma once

#include "linalg/cost/system_size.hpp"

namespace hodge::linalg {

// The iterations whose traffic a method counts.
struct CountedIterations {
  double application;  // bytes of z = M^-1 r; 0 where M is the identity and z is r
  int count;
  bool by_elements = false;        // z = d o r, which joins the pass that writes r
  int sweeps = 0;                  // over a triangle of A, if z = M^-1 r is nothing else (ssor_sai)
  bool separate_transpose = true;  // A^T x reads other entries than A x, or reads them again
  int copies() const { return application > 0 ? 1 : 0; }  // z beside r
};

// y = A x. Its dot products come from the same pass.
double product_bytes(const SystemSize& size);

// y = factor (b - D (part of A) x): a strict triangle, or all but the diagonal.
double triangle_sweep_bytes(const SystemSize& size, bool b_is_x);
double full_sweep_bytes(const SystemSize& size, bool b_is_x);

// The bytes of `count` vectors of a system.
double vectors_bytes(const SystemSize& size, double count);

// bytes / seconds as a fraction of the bandwidth of a large copy (bytes per second, read and
// written); 0 if nothing was measured.
double share_of_copy(double bytes, double seconds, double copy_bandwidth);

}  // namespace hodge::linalg
