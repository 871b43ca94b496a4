// Cuda space: iterations of cg in one cooperative kernel (solvers/resident_cg.hpp).
//
// A thread has one or two rows. Its parts of x, r and p stay in registers; p is also written to
// memory, for the products of other threads. An iteration has three barriers: for p . q, for r . z
// and for p; with ssor_sai one more before each sweep.
#include "linalg/solvers/resident_cg.hpp"

#include "linalg/base/choose.hpp"
#include "linalg/cuda/grid_exchange.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int resident_threads = 1024;
constexpr int most_diagonals = 8;

enum class Inverse { identity, diagonal, ssor };  // M^-1

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

// The sum of value * p over the entries of a row: those whose diagonals are in `wanted`, or,
// without masks, those from place.first to place.end.
template <bool Diagonals, class T>
__device__ double multiply_row(const CsrView<T>& a, int row, const RowPlace& place, const T* p,
                               unsigned wanted = ~0u) {
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

// The same over the entries left or right of the diagonal.
template <bool Diagonals, class T>
__device__ double multiply_triangle(const CsrView<T>& a, int row, const RowPlace& place, const T* p,
                                    bool lower) {
  if (Diagonals)
    return multiply_row<true>(a, row, place, p,
                              lower ? a.diagonals.lower_bits : a.diagonals.upper_bits);
  if (row >= a.rows) return 0.0;
  const int diagonal = a.diagonal[row];
  return multiply_row<false>(
      a, row, lower ? RowPlace{place.first, diagonal, 0} : RowPlace{diagonal + 1, place.end, 0}, p);
}

// Counts the barriers of a kernel.
struct Meetings {
  const Exchange& exchange;
  unsigned times = 0;
  __device__ void meet() { cuda::meet(exchange, ++times); }
};

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

// The entries of the vectors in a thread's rows. d: the diagonal of M^-1, or D'^-1 of its factors.
// Only where M^-1 takes sweeps, z = M^-1 r has registers, and x and p have none.
template <int Rows, Inverse M, class T>
struct ResidentRows {
  static constexpr bool has_diagonal = M != Inverse::identity, sweeps = M == Inverse::ssor;
  RowPlace place[Rows];
  static constexpr int kept = sweeps ? 0 : Rows;
  T x_[kept + 1], p_[kept + 1], r[Rows], q[Rows], d[has_diagonal ? Rows : 1], z_[sweeps ? Rows : 1];

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
      r[k] = mine ? s.r[i] : T(0);
      if constexpr (!sweeps) {
        x_[k] = mine ? s.x[i] : T(0);
        p_[k] = mine ? s.p[i] : T(0);
      }
      if (has_diagonal) d[k] = mine ? s.inverse_diagonal[i] : T(0);
    }
  }
  __device__ void store(const ResidentCgSystem<T>& s) const {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      if (row(k) >= s.a.rows) continue;
      if constexpr (!sweeps) s.x[row(k)] = x_[k];
      s.r[row(k)] = r[k];
    }
  }
  __device__ T p(const ResidentCgSystem<T>& s, int k) const {
    if constexpr (sweeps) return row(k) < s.a.rows ? s.p[row(k)] : T(0);
    return p_[sweeps ? 0 : k];
  }
  // q = A p; p . q, p . p, q . q
  template <bool Diagonals>
  __device__ void multiply(const ResidentCgSystem<T>& s, double (&dots)[3]) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      q[k] = static_cast<T>(multiply_row<Diagonals>(s.a, row(k), place[k], s.p));
      const double pk = static_cast<double>(p(s, k)), qk = static_cast<double>(q[k]);
      dots[0] += pk * qk;
      dots[1] += pk * pk;
      dots[2] += qk * qk;
    }
  }
  // x = x + alpha p, r = r - alpha q
  __device__ void step(double alpha, const ResidentCgSystem<T>& s) {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
      const double change = alpha * static_cast<double>(p(s, k));
      if constexpr (!sweeps) {
        x_[k] = static_cast<T>(static_cast<double>(x_[k]) + change);
      } else if (row(k) < s.a.rows) {
        s.x[row(k)] = static_cast<T>(static_cast<double>(s.x[row(k)]) + change);
      }
      r[k] = static_cast<T>(static_cast<double>(r[k]) - alpha * static_cast<double>(q[k]));
    }
  }
  // z = M^-1 r by the sweeps of ssor_sai.hpp: `order` times t = r^ - D'^-1 L t, from t = r^ =
  // D'^-1 r; then `order` times z = t - D'^-1 U z, from z = t.
  template <bool Diagonals>
  __device__ void precondition(const ResidentCgSystem<T>& s, Meetings& meetings) {
    T base[Rows];
#pragma unroll
    for (int k = 0; k < Rows; ++k) base[k] = z_[k] = static_cast<T>(d[k] * r[k]);
    for (int sweep = 0; sweep < 2 * s.ssor.order; ++sweep) {
      const bool lower = sweep < s.ssor.order, last = sweep + 1 == 2 * s.ssor.order;
      T* const before = s.between[sweep % 2];
#pragma unroll
      for (int k = 0; k < Rows; ++k) {
        if (sweep == s.ssor.order) base[k] = z_[k];
        if (row(k) < s.a.rows) before[row(k)] = z_[k];
      }
      meetings.meet();
      const double factor = last ? s.ssor.scale : 1.0;
#pragma unroll
      for (int k = 0; k < Rows; ++k) {
        const double sum = multiply_triangle<Diagonals>(s.a, row(k), place[k], before, lower);
        z_[k] = static_cast<T>(factor *
                               (static_cast<double>(base[k]) - static_cast<double>(d[k]) * sum));
      }
    }
  }
  __device__ double z(int k) const {
    if constexpr (sweeps) return static_cast<double>(z_[k]);
    return static_cast<double>(has_diagonal ? static_cast<T>(d[has_diagonal ? k : 0] * r[k])
                                            : r[k]);
  }
  // r . z, r . r, z . z
  __device__ void add_dots(double (&dots)[3]) const {
#pragma unroll
    for (int k = 0; k < Rows; ++k) {
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
      const T next = static_cast<T>(z(k) + beta * static_cast<double>(p(s, k)));
      if constexpr (!sweeps) p_[k] = next;
      if (row(k) < s.a.rows) s.p[row(k)] = next;
    }
  }
};

template <int Rows, bool Diagonals, Inverse M, class T>
__global__ void __launch_bounds__(resident_threads, 1)
    resident_cg_kernel(Guard guard, ResidentCgSystem<T> s, int iterations, Exchange exchange) {
  if (guard.halted()) return;
  __shared__ ResidentMonitor monitor;
  __shared__ double alpha, beta, rho;
  __shared__ bool goes_on;
  ResidentRows<Rows, M, T> rows;
  Meetings meetings{exchange};
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
    rows.step(alpha, s);
    if constexpr (M == Inverse::ssor) rows.template precondition<Diagonals>(s, meetings);
    for (double& dot : dots) dot = 0.0;
    rows.add_dots(dots);
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
    meetings.meet();
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
  const Inverse inverse = s.ssor.order > 0                ? Inverse::ssor
                          : s.inverse_diagonal != nullptr ? Inverse::diagonal
                                                          : Inverse::identity;
  const void* kernel = nullptr;
  with_constant<1, 2>(rows_of_thread, [&](auto rows) {
    with_constant<0, 1>(diagonals ? 1 : 0, [&](auto by_diagonals) {
      with_constant<0, 1, 2>(static_cast<int>(inverse), [&](auto inverse_kind) {
        kernel = reinterpret_cast<const void*>(
            resident_cg_kernel<decltype(rows)::value, decltype(by_diagonals)::value == 1,
                               static_cast<Inverse>(decltype(inverse_kind)::value), T>);
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
