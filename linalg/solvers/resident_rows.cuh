// The rows of a thread in one-kernel cg (resident_cg_cuda.cu): their entries of the matrix and of
// the vectors.
//
// A thread has one or two rows. Its parts of the vectors stay in registers or in shared memory, and
// so do the entries of the matrix, which are loaded once per launch. Only p and the vectors between
// the sweeps of ssor_sai are also written to memory, for the products of other blocks.
#pragma once

#include <climits>

#include "linalg/cuda/kernels/flagged_words.cuh"
#include "linalg/cuda/kernels/grid_exchange.cuh"
#include "linalg/solvers/resident_cg.hpp"

namespace hodge::linalg::cuda {

inline constexpr int most_diagonals = 8;  // that are taken from masks

enum class Inverse { identity, diagonal, ssor };  // M^-1

// Bytes of shared memory: x and p with ssor_sai, then the entries of the block's rows.
struct ResidentRoom {
  int vectors = 0, entries = 0;
  int all() const { return vectors + entries; }
};

// The entries of a block's rows, in shared memory if there is room. Their positions count from the
// first entry of the block.
template <class T>
struct BlockEntries {
  const T* values;
  const int* columns;  // not used with diagonals
  int first;           // position in the matrix

  // Waits for the block.
  __device__ BlockEntries(const CsrView<T>& a, int rows_of_block, bool diagonals, int room,
                          unsigned char* shared) {
    const int row = min(a.rows, static_cast<int>(blockIdx.x) * rows_of_block);
    first = a.row_offsets[row];
    const int count = a.row_offsets[min(a.rows, row + rows_of_block)] - first;
    values = a.values + first;
    columns = a.columns + first;
    const long long of_entry = sizeof(T) + (diagonals ? 0 : sizeof(int));
    if (count * of_entry > room) return;
    T* const near_values = reinterpret_cast<T*>(shared);
    int* const near_columns = reinterpret_cast<int*>(near_values + count);
    for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(blockDim.x)) {
      near_values[k] = values[k];
      if (!diagonals) near_columns[k] = columns[k];
    }
    values = near_values;
    if (!diagonals) columns = near_columns;
    __syncthreads();
  }
};

// The entries of a row: their positions, or the first position and the mask of their diagonals.
struct RowPlace {
  int first = 0, end = 0;
  unsigned mask = 0;
};

// The sum of value * p over the entries of a row: those whose diagonals are in `wanted`, or,
// without masks, those from place.first to place.end.
template <bool Diagonals, class T>
__device__ double multiply_row(const CsrView<T>& a, const BlockEntries<T>& entries, int row,
                               const RowPlace& place, const T* p, unsigned wanted = ~0u) {
  double sum = 0.0;
  if (Diagonals) {
    constexpr int batch = 4;  // loads in flight together
#pragma unroll
    for (int start = 0; start < most_diagonals; start += batch) {
      if ((wanted >> start & ((1u << batch) - 1u)) == 0) continue;
      double left[batch], right[batch];
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        const int d = start + j;
        const bool on = (place.mask & wanted & 1u << d) != 0;
        const int k = place.first + __popc(place.mask & ((1u << d) - 1u));
        left[j] = on ? static_cast<double>(entries.values[k]) : 0.0;
        right[j] = on ? static_cast<double>(p[row + a.diagonals.offset[d]]) : 0.0;
      }
#pragma unroll
      for (int j = 0; j < batch; ++j) sum += left[j] * right[j];
    }
  } else {
    for (int k = place.first; k < place.end; ++k)
      sum += static_cast<double>(entries.values[k]) * static_cast<double>(p[entries.columns[k]]);
  }
  return sum;
}

// The same over the entries left or right of the diagonal.
template <bool Diagonals, class T>
__device__ double multiply_triangle(const CsrView<T>& a, const BlockEntries<T>& entries, int row,
                                    const RowPlace& place, const T* p, bool lower) {
  if (Diagonals)
    return multiply_row<true>(a, entries, row, place, p,
                              lower ? a.diagonals.lower_bits : a.diagonals.upper_bits);
  if (row >= a.rows) return 0.0;
  const int diagonal = a.diagonal[row] - entries.first;
  return multiply_row<false>(
      a, entries, row,
      lower ? RowPlace{place.first, diagonal, 0} : RowPlace{diagonal + 1, place.end, 0}, p);
}

// The entries of the vectors in a thread's rows. d: the diagonal of M^-1, or D'^-1 of its factors.
// Where M^-1 takes sweeps, z = M^-1 r has registers too, and x and p stand in shared memory.
template <int Rows, Inverse M, class T>
class ResidentRows {
 public:
  // `shared` has room for x and p of the block if M^-1 takes sweeps.
  __device__ explicit ResidentRows(T* shared) : shared_(shared + threadIdx.x) {}

  template <bool Diagonals>
  __device__ void load(const ResidentCgSystem<T>& s, const BlockEntries<T>& entries) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      const int i = row(k);
      const bool mine = i < s.a.rows;
      place_[k] = {};
      if (mine) {
        place_[k].first = s.a.row_offsets[i] - entries.first;
        if (Diagonals)
          place_[k].mask = s.a.diagonals.mask[i];
        else
          place_[k].end = s.a.row_offsets[i + 1] - entries.first;
      }
      r_[k] = mine ? s.r[i] : T(0);
      x(k) = mine ? s.x[i] : T(0);
      p(k) = mine ? s.p[i] : T(0);
      if (has_diagonal) d_[k] = mine ? s.inverse_diagonal[i] : T(0);
    }
  }
  // The first and the last block that has columns of these rows; last < first: none.
  template <bool Diagonals>
  __device__ int2 blocks_read(const CsrView<T>& a, const BlockEntries<T>& entries) const {
    int least = INT_MAX, most = -1;
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      const RowPlace& place = place_[k];
      if (Diagonals && place.mask != 0) {
        const int lowest = __ffs(static_cast<int>(place.mask)) - 1;
        const int highest = 31 - __clz(static_cast<int>(place.mask));
        least = min(least, row(k) + a.diagonals.offset[lowest]);
        most = max(most, row(k) + a.diagonals.offset[highest]);
      } else if (!Diagonals && place.first < place.end) {
        least = min(least, entries.columns[place.first]);
        most = max(most, entries.columns[place.end - 1]);
      }
    }
    const int rows_of_block = Rows * static_cast<int>(blockDim.x);
    return most < 0 ? make_int2(1, 0) : make_int2(least / rows_of_block, most / rows_of_block);
  }
  __device__ void store(const ResidentCgSystem<T>& s) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      if (row(k) >= s.a.rows) continue;
      s.x[row(k)] = x(k);
      s.r[row(k)] = r_[k];
    }
  }
  // q = A p; p . q, p . p, q . q
  template <bool Diagonals>
  __device__ void multiply(const ResidentCgSystem<T>& s, const BlockEntries<T>& entries,
                           double (&dots)[3]) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      q_[k] = static_cast<T>(multiply_row<Diagonals>(s.a, entries, row(k), place_[k], s.p));
      const double pk = static_cast<double>(p(k)), qk = static_cast<double>(q_[k]);
      dots[0] += pk * qk;
      dots[1] += pk * pk;
      dots[2] += qk * qk;
    }
  }
  // x = x + alpha p, r = r - alpha q
  __device__ void step(double alpha) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      x(k) = static_cast<T>(static_cast<double>(x(k)) + alpha * static_cast<double>(p(k)));
      r_[k] = static_cast<T>(static_cast<double>(r_[k]) - alpha * static_cast<double>(q_[k]));
    }
  }
  // z = M^-1 r by the sweeps of ssor_sai.hpp: `order` times t = r^ - D'^-1 L t, from t = r^ =
  // D'^-1 r; then `order` times z = t - D'^-1 U z, from z = t.
  template <bool Diagonals>
  __device__ void precondition(const ResidentCgSystem<T>& s, const BlockEntries<T>& entries,
                               Neighbours& neighbours) {
    T base[Rows];
#pragma unroll
    for (int k = 0; k < Rows; ++k) base[k] = z_[k] = static_cast<T>(d_[k] * r_[k]);
    for (int sweep = 0; sweep < 2 * s.ssor.order; ++sweep) {
      const bool lower = sweep < s.ssor.order, last = sweep + 1 == 2 * s.ssor.order;
      T* const before = s.between[sweep % 2];
#pragma unroll
      for (int k = 0; k < Rows; ++k) {
        if (sweep == s.ssor.order) base[k] = z_[k];
        if (row(k) < s.a.rows) before[row(k)] = z_[k];
      }
      neighbours.meet();
      const double factor = last ? s.ssor.scale : 1.0;
#pragma unroll
      for (int k = 0; k < Rows; ++k) {
        const double sum =
            multiply_triangle<Diagonals>(s.a, entries, row(k), place_[k], before, lower);
        z_[k] = static_cast<T>(factor *
                               (static_cast<double>(base[k]) - static_cast<double>(d_[k]) * sum));
      }
    }
  }
  // r . z, r . r, z . z
  __device__ void add_dots(double (&dots)[3]) const {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      const double rk = static_cast<double>(r_[k]), zk = z(k);
      dots[0] += rk * zk;
      dots[1] += rk * rk;
      dots[2] += zk * zk;
    }
  }
  // p = z + beta p
  __device__ void turn(double beta, const ResidentCgSystem<T>& s) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      p(k) = static_cast<T>(z(k) + beta * static_cast<double>(p(k)));
      if (row(k) < s.a.rows) s.p[row(k)] = p(k);
    }
  }

 private:
  static constexpr bool has_diagonal = M != Inverse::identity, sweeps = M == Inverse::ssor;

  __device__ static int row(int k) {
    return static_cast<int>((blockIdx.x * Rows + k) * blockDim.x + threadIdx.x);
  }
  __device__ T& x(int k) {
    if constexpr (sweeps) return shared_[k * blockDim.x];
    return x_[sweeps ? 0 : k];
  }
  __device__ T& p(int k) {
    if constexpr (sweeps) return shared_[(Rows + k) * blockDim.x];
    return p_[sweeps ? 0 : k];
  }
  __device__ double z(int k) const {
    if constexpr (sweeps) return static_cast<double>(z_[k]);
    return static_cast<double>(has_diagonal ? static_cast<T>(d_[has_diagonal ? k : 0] * r_[k])
                                            : r_[k]);
  }

  RowPlace place_[Rows];
  T* shared_;
  T x_[sweeps ? 1 : Rows], p_[sweeps ? 1 : Rows], z_[sweeps ? Rows : 1];
  T r_[Rows], q_[Rows], d_[has_diagonal ? Rows : 1];
};

}  // namespace hodge::linalg::cuda
