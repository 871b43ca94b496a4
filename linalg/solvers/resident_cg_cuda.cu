// Cuda space: iterations of cg in one cooperative kernel (solvers/resident_cg.hpp).
//
// An iteration has two sums over the grid, for p . q and for r . z, and a barrier between
// neighbouring blocks for p; with ssor_sai one more before each sweep.
#include "linalg/solvers/resident_cg.hpp"

#include <algorithm>
#include <climits>

#include "linalg/base/choose.hpp"
#include "linalg/solvers/resident_rows.cuh"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int resident_threads = 1024;

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
    to.mirror->halted_at = state.iterations;
    if (state.halted != 0) to.mirror->halted = 1;
  }
  __device__ bool goes_on() const { return state.halted == 0; }
  __device__ void require_positive(const double (&dots)[3], Breakdown otherwise) {
    if (goes_on()) check_requirement(state, otherwise, true, dots[0], dots[1], dots[2]);
  }
};

template <int Rows, bool Diagonals, Inverse M, class T>
__global__ void __launch_bounds__(resident_threads, 1)
    resident_cg_kernel(Guard guard, ResidentCgSystem<T> s, int iterations, Exchange exchange,
                       ResidentRoom room) {
  if (guard.halted()) return;
  __shared__ ResidentMonitor monitor;
  __shared__ double alpha, beta, rho;
  __shared__ bool goes_on;
  const BlockEntries<T> entries(s.a, Rows * static_cast<int>(blockDim.x), Diagonals, room.entries,
                                dynamic_shared_memory() + room.vectors);
  ResidentRows<Rows, M, T> rows(reinterpret_cast<T*>(dynamic_shared_memory()));
  rows.template load<Diagonals>(s, entries);
  const int2 reads = rows.template blocks_read<Diagonals>(s.a, entries);
  Neighbours neighbours(exchange, reads.x, reads.y);
  if (threadIdx.x == 0) {
    monitor.open(*s.monitor);
    rho = *s.rho;
  }
  for (int i = 0; i < iterations; ++i) {
    double dots[3] = {};
    rows.template multiply<Diagonals>(s, entries, dots);
    sum_over_grid(dots, exchange.of(i, 0), [&](const double(&total)[3]) {
      monitor.require_positive(total, Breakdown::indefinite_operator);
      goes_on = monitor.goes_on();
      alpha = rho / total[0];
    });
    if (!goes_on) break;
    rows.step(alpha);
    if constexpr (M == Inverse::ssor) rows.template precondition<Diagonals>(s, entries, neighbours);
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
    exchange.clear_of_block(i);
    neighbours.meet();
  }
  rows.store(s);
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) *s.rho = rho;
    monitor.close(*s.monitor);
  }
}

struct ResidentLaunch {
  int blocks = 0, threads = 0, rows_of_thread = 0;
  int rows_of_block() const { return threads * rows_of_thread; }
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
bool by_diagonals(const CsrView<T>& a) {
  return a.plan.kernel == SpmvKernel::csr_diagonals && a.diagonals.count <= most_diagonals;
}

// As much as the multiprocessor has for the entries, if rows are no longer than twice the mean.
template <class T>
ResidentRoom room_for(const ResidentCgSystem<T>& s, const ResidentLaunch& launch) {
  static const int all =
      attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, "asking for the shared memory of a block");
  constexpr int fixed = 4096;  // for the kernel's own variables
  const long long rows = launch.rows_of_block();
  const int vectors = s.ssor.order > 0 ? static_cast<int>(2 * rows * sizeof(T)) : 0;
  const long long of_row = by_diagonals(s.a)
                               ? static_cast<long long>(sizeof(T)) * s.a.diagonals.count
                               : (sizeof(T) + sizeof(int)) * (2LL * s.a.nonzeros / s.a.rows + 1);
  const long long left = all - fixed - vectors;
  return {vectors, static_cast<int>(std::clamp(rows * of_row, 0LL, std::max(left, 0LL)))};
}

template <class T>
const void* kernel_for(const ResidentCgSystem<T>& s, int rows_of_thread) {
  const Inverse inverse = s.ssor.order > 0                ? Inverse::ssor
                          : s.inverse_diagonal != nullptr ? Inverse::diagonal
                                                          : Inverse::identity;
  const void* kernel = nullptr;
  with_constant<1, 2>(rows_of_thread, [&](auto rows) {
    with_constant<0, 1>(by_diagonals(s.a) ? 1 : 0, [&](auto diagonals) {
      with_constant<0, 1, 2>(static_cast<int>(inverse), [&](auto inverse_kind) {
        kernel = reinterpret_cast<const void*>(
            resident_cg_kernel<decltype(rows)::value, decltype(diagonals)::value == 1,
                               static_cast<Inverse>(decltype(inverse_kind)::value), T>);
      });
    });
  });
  return kernel;
}

}  // namespace

}  // namespace cuda

bool ResidentIterations<Cuda>::holds(std::int64_t rows) {
  return rows <= INT_MAX && cuda::launch_for(static_cast<int>(rows)).blocks > 0;
}

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
  cuda::Exchange exchange{words};
  cuda::check(cudaMemsetAsync(words, 0, cuda::Exchange::bytes(launch.blocks), stream),
              "clearing scratch memory");
  cuda::Guard guard = cuda::guard();
  ResidentCgSystem<T> copy = system;
  cuda::ResidentRoom room = cuda::room_for(system, launch);
  void* arguments[] = {&guard, &copy, &iterations, &exchange, &room};
  const void* const kernel = cuda::kernel_for(system, launch.rows_of_thread);
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room.all()),
              "reserving shared memory");
  cuda::check(cudaLaunchCooperativeKernel(kernel, dim3(launch.blocks), dim3(launch.threads),
                                          arguments, static_cast<std::size_t>(room.all()), stream),
              "resident_cg_kernel");
}

#define HODGE_RESIDENT_CG(T)                                        \
  template bool ResidentIterations<Cuda>::takes(const CsrView<T>&); \
  template void ResidentIterations<Cuda>::run(const ResidentCgSystem<T>&, int);
HODGE_RESIDENT_CG(double)
HODGE_RESIDENT_CG(float)

}  // namespace hodge::linalg
