// Cuda space: iterations of cg in one cooperative kernel (solvers/resident_cg.hpp).
//
// A thread has one or two rows. Its parts of x, r and p stay in registers; p is also written to
// memory, for the products of other threads. An iteration has three barriers: for p . q, for r . z
// and for p.
#include "linalg/solvers/resident_cg.hpp"

#include "linalg/base/choose.hpp"
#include "linalg/cuda/grid_exchange.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int resident_threads = 1024;
constexpr int most_diagonals = 8;

// The entries of a row: their positions, or the first position and the mask of their diagonals.
struct RowPlace {
  int first = 0, end = 0;
  unsigned mask = 0;
};

template <bool Diagonals, class T>
__device__ RowPlace place_of(const CsrView<T>& a, int row) {
  if (row >= a.rows) return {};
  if (Diagonals) return {a.row_offsets[row], 0, a.diagonals.mask[row]};
  return {a.row_offsets[row], a.row_offsets[row + 1], 0};
}

template <bool Diagonals, class T>
__device__ double multiply_row(const CsrView<T>& a, int row, const RowPlace& place, const T* p) {
  double sum = 0.0;
  if (Diagonals) {
    constexpr int batch = 4;  // loads in flight together
#pragma unroll
    for (int start = 0; start < most_diagonals; start += batch) {
      double left[batch], right[batch];
#pragma unroll
      for (int j = 0; j < batch; ++j) {
        const int d = start + j;
        const bool on = (place.mask >> d & 1u) != 0;
        const int k = place.first + __popc(place.mask & ((1u << d) - 1u));
        left[j] = on ? static_cast<double>(__ldg(a.values + k)) : 0.0;
        right[j] = on ? static_cast<double>(p[row + a.diagonals.offset[d]]) : 0.0;
      }
#pragma unroll
      for (int j = 0; j < batch; ++j) sum += left[j] * right[j];
    }
  } else {
    for (int k = place.first; k < place.end; ++k)
      sum +=
          static_cast<double>(__ldg(a.values + k)) * static_cast<double>(p[__ldg(a.columns + k)]);
  }
  return sum;
}

// The monitor of one block. All blocks come to the same results; block 0 stores them.
struct ResidentMonitor {
  MonitorState state;
  MonitorMirror mirror;  // copied to the one that the host reads at the end

  __device__ void open(const MonitorState& from) {
    state = from;
    state.mirror = &mirror;
    if (blockIdx.x != 0) state.history = nullptr;
  }
  __device__ void close(MonitorState& to) {
    if (blockIdx.x != 0) return;
    state.mirror = to.mirror;
    to = state;
    to.mirror->iterations = state.iterations;
    if (state.halted != 0) to.mirror->halted = 1;
  }
  __device__ bool goes_on() const { return state.halted == 0; }
  __device__ void require_positive(const double (&dots)[3], Breakdown otherwise) {
    if (goes_on()) check_requirement(state, otherwise, true, dots[0], dots[1], dots[2]);
  }
};

// The entries of the vectors in a thread's rows. M^-1 = diag(d) if Scaled, else I.
template <int Rows, bool Scaled, class T>
struct ResidentRows {
  RowPlace place[Rows];
  T x[Rows], r[Rows], p[Rows], q[Rows], d[Scaled ? Rows : 1];

  __device__ static int row(int k) {
    return static_cast<int>((blockIdx.x * Rows + k) * blockDim.x + threadIdx.x);
  }
  template <bool Diagonals>
  __device__ void load(const ResidentCgSystem<T>& s) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      const int i = row(k);
      const bool mine = i < s.a.rows;
      place[k] = place_of<Diagonals>(s.a, i);
      x[k] = mine ? s.x[i] : T(0);
      r[k] = mine ? s.r[i] : T(0);
      p[k] = mine ? s.p[i] : T(0);
      if (Scaled) d[k] = mine ? s.inverse_diagonal[i] : T(0);
    }
  }
  __device__ void store(const ResidentCgSystem<T>& s) const {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      if (row(k) >= s.a.rows) continue;
      s.x[row(k)] = x[k];
      s.r[row(k)] = r[k];
    }
  }
  // q = A p; p . q, p . p, q . q
  template <bool Diagonals>
  __device__ void multiply(const ResidentCgSystem<T>& s, double (&dots)[3]) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      q[k] = static_cast<T>(multiply_row<Diagonals>(s.a, row(k), place[k], s.p));
      const double pk = static_cast<double>(p[k]), qk = static_cast<double>(q[k]);
      dots[0] += pk * qk;
      dots[1] += pk * pk;
      dots[2] += qk * qk;
    }
  }
  // z = M^-1 r
  __device__ double z(int k) const {
    return static_cast<double>(Scaled ? static_cast<T>(d[Scaled ? k : 0] * r[k]) : r[k]);
  }
  // x = x + alpha p, r = r - alpha q; r . z, r . r, z . z
  __device__ void step(double alpha, double (&dots)[3]) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      x[k] = static_cast<T>(static_cast<double>(x[k]) + alpha * static_cast<double>(p[k]));
      r[k] = static_cast<T>(static_cast<double>(r[k]) - alpha * static_cast<double>(q[k]));
      const double rk = static_cast<double>(r[k]), zk = z(k);
      dots[0] += rk * zk;
      dots[1] += rk * rk;
      dots[2] += zk * zk;
    }
  }
  // p = z + beta p
  __device__ void turn(double beta, const ResidentCgSystem<T>& s) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      p[k] = static_cast<T>(z(k) + beta * static_cast<double>(p[k]));
      if (row(k) < s.a.rows) s.p[row(k)] = p[k];
    }
  }
};

template <int Rows, bool Diagonals, bool Scaled, class T>
__global__ void __launch_bounds__(resident_threads, 1)
    resident_cg_kernel(Guard guard, ResidentCgSystem<T> s, int iterations, Exchange exchange) {
  if (guard.halted()) return;
  __shared__ ResidentMonitor monitor;
  __shared__ double alpha, beta, rho;
  __shared__ bool goes_on;
  ResidentRows<Rows, Scaled, T> rows;
  rows.template load<Diagonals>(s);
  if (threadIdx.x == 0) {
    monitor.open(*s.monitor);
    rho = *s.rho;
  }
  for (int i = 0; i < iterations; ++i) {
    double dots[3] = {};
    rows.template multiply<Diagonals>(s, dots);
    sum_over_grid(dots, exchange.of(i, 0), [&](const double(&total)[3]) {
      monitor.require_positive(total, Breakdown::indefinite_operator);
      goes_on = monitor.goes_on();
      alpha = rho / total[0];
    });
    if (!goes_on) break;
    for (double& dot : dots) dot = 0.0;
    rows.step(alpha, dots);
    sum_over_grid(dots, exchange.of(i, 1), [&](const double(&total)[3]) {
      finish_iteration(monitor.state, total[1]);
      monitor.require_positive(total, Breakdown::indefinite_preconditioner);
      goes_on = monitor.goes_on();
      beta = total[0] / rho;
      rho = total[0];
    });
    if (!goes_on) break;
    rows.turn(beta, s);
    exchange.clear_of_block(i + 1);
    meet(exchange, i + 1);
  }
  rows.store(s);
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) *s.rho = rho;
    monitor.close(*s.monitor);
  }
}

struct ResidentLaunch {
  int blocks = 0, threads = 0, rows_of_thread = 0;
};

// At most one block per multiprocessor, each as small as possible; no blocks: too many rows.
ResidentLaunch launch_for(int rows) {
  static const int multiprocessors = [] {
    const int count =
        attribute(cudaDevAttrMultiProcessorCount, "asking for the number of multiprocessors");
    const int cooperates =
        attribute(cudaDevAttrCooperativeLaunch, "asking for cooperative launches");
    return cooperates != 0 ? count : 0;
  }();
  const int most =
      multiprocessors < most_exchanging_blocks ? multiprocessors : most_exchanging_blocks;
  for (const ResidentLaunch& shape : {ResidentLaunch{most, 256, 1},
                                      {most, 512, 1},
                                      {most, resident_threads, 1},
                                      {most, resident_threads, 2}}) {
    const int blocks = blocks_for(rows, shape.threads * shape.rows_of_thread, most + 1);
    if (blocks <= most) return {blocks, shape.threads, shape.rows_of_thread};
  }
  return {};
}

template <class T>
const void* kernel_for(const ResidentCgSystem<T>& s, int rows_of_thread) {
  const bool diagonals =
      s.a.plan.kernel == SpmvKernel::csr_diagonals && s.a.diagonals.count <= most_diagonals;
  const void* kernel = nullptr;
  with_constant<1, 2>(rows_of_thread, [&](auto rows) {
    with_constant<0, 1>(diagonals ? 1 : 0, [&](auto by_diagonals) {
      with_constant<0, 1>(s.inverse_diagonal != nullptr ? 1 : 0, [&](auto scaled) {
        kernel = reinterpret_cast<const void*>(
            resident_cg_kernel<decltype(rows)::value, decltype(by_diagonals)::value == 1,
                               decltype(scaled)::value == 1, T>);
      });
    });
  });
  return kernel;
}

}  // namespace

}  // namespace cuda

// Longer rows are faster with several threads per row.
template <class T>
bool ResidentIterations<Cuda>::takes(const CsrView<T>& a) {
  constexpr int longest_mean = 16;
  return a.rows > 0 && a.nonzeros <= static_cast<long long>(longest_mean) * a.rows &&
         a.long_rows.pieces == 0 && cuda::launch_for(a.rows).blocks > 0;
}

template <class T>
void ResidentIterations<Cuda>::run(const ResidentCgSystem<T>& system, int iterations) {
  const cuda::ResidentLaunch launch = cuda::launch_for(system.a.rows);
  const cudaStream_t stream = cuda::stream();
  auto* const words = reinterpret_cast<cuda::Exchange::Word*>(cuda::context().partial_sums);
  cuda::Exchange exchange{words, words + 1};
  cuda::check(cudaMemsetAsync(words, 0, cuda::Exchange::bytes(launch.blocks), stream),
              "clearing scratch memory");
  cuda::Guard guard = cuda::guard();
  ResidentCgSystem<T> copy = system;
  void* arguments[] = {&guard, &copy, &iterations, &exchange};
  cuda::check(
      cudaLaunchCooperativeKernel(cuda::kernel_for(system, launch.rows_of_thread),
                                  dim3(launch.blocks), dim3(launch.threads), arguments, 0, stream),
      "resident_cg_kernel");
}

#define HODGE_RESIDENT_CG(T)                                        \
  template bool ResidentIterations<Cuda>::takes(const CsrView<T>&); \
  template void ResidentIterations<Cuda>::run(const ResidentCgSystem<T>&, int);
HODGE_RESIDENT_CG(double)
HODGE_RESIDENT_CG(float)

}  // namespace hodge::linalg
