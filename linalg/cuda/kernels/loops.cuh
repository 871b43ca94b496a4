// Loops of the Cuda space: one thread per index, axis 0 along the threads of a warp.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "linalg/base/index.hpp"
#include "linalg/cuda/kernels/reduction.cuh"
#include "linalg/cuda/kernels/reduction_tiles.cuh"
#include "linalg/cuda/kernels/row_chunks.hpp"

namespace hodge::linalg {

enum class Reduction : int;
template <Reduction... kinds>
struct Kinds;
template <class Space>
struct Loops;

namespace cuda {

// As wide as the box, between `least` and 64 threads, so that in a narrow box no threads are idle;
// 32 where the box then ends less far within its last block.
template <int Dim>
Tile tile_over(const Box<Dim>& box, unsigned least, unsigned depth) {
  if (Dim == 1) return {loop_threads, 1, 1};
  const auto extent = static_cast<unsigned>(box.extent(0));
  const auto covered = [extent](unsigned width) { return (extent + width - 1) / width * width; };
  unsigned width = covered(32) < covered(64) ? 32 : 64;
  while (width > least && width / 2 >= extent) width /= 2;
  return {width, loop_threads / (width * depth), depth};
}

template <int Dim>
__device__ Index<Dim> thread_index(const Box<Dim>& box) {
  Index<Dim> c = box.lower;
  c[0] += blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (Dim > 1) c[1] += blockIdx.y * blockDim.y + threadIdx.y;
  if constexpr (Dim > 2) c[2] += blockIdx.z * blockDim.z + threadIdx.z;
  return c;
}

// f(c) for the indices of a thread, also for those beyond the end of axis 0, so that all lanes of a
// warp call f together.
template <int Dim, class F>
__device__ void for_each_of_thread(const Box<Dim>& box, F f) {
  Index<Dim> c = thread_index(box);
  if constexpr (Dim == 1) {
    f(c);
  } else {
    // Axes 1 and 2 may be longer than a launch can be wide.
    const int first = c[1];
    for (; Dim < 3 || c[Dim - 1] < box.upper[Dim - 1]; c[Dim - 1] += gridDim.z * blockDim.z) {
      for (c[1] = first; c[1] < box.upper[1]; c[1] += gridDim.y * blockDim.y) f(c);
      if constexpr (Dim < 3) break;
    }
  }
}

// What a point function says of itself (vectors/parallel.hpp), or what holds otherwise.
template <class F>
inline constexpr int least_blocks = 0;  // the compiler chooses
template <class F>
requires requires {
  F::least_blocks;
}
inline constexpr int least_blocks<F> = F::least_blocks;

template <class F>
inline constexpr int most_planes = 1;
template <class F>
requires requires {
  F::most_planes;
}
inline constexpr int most_planes<F> = F::most_planes;

// Kernels whose threads take several planes are long, and slower with the wait.
template <class F>
inline constexpr bool waits_itself = most_planes<F> == 1;
// Indices of a loop; for fewer launch_overlapping() costs more than it saves.
inline constexpr long long long_launch = 1 << 20;

template <int Part>
using PartNumber = std::integral_constant<int, Part>;

// At an index of all the first parts, as many as Together.
template <int Dim, int Count, class F, int... Together>
__device__ bool call_together(const Box<Dim> (&boxes)[Count], const Index<Dim>& c, const F& f,
                              std::integer_sequence<int, Together...>) {
  if (!(boxes[Together].contains(c) && ...)) return false;
  const decltype(f.value(PartNumber<0>(), c)) values[] = {f.value(PartNumber<Together>(), c)...};
  (f.store(PartNumber<Together>(), c, values[Together]), ...);
  return true;
}

template <int Dim, int Count, class F, int... Part>
__device__ void call_parts(const Box<Dim> (&boxes)[Count], const Index<Dim>& c, const F& f,
                           std::integer_sequence<int, Part...>) {
  if constexpr (requires { F::together; })
    if (call_together(boxes, c, f, std::make_integer_sequence<int, F::together>())) return;
  ((boxes[Part].contains(c) ? f(PartNumber<Part>(), c) : void()), ...);
}

template <int Dim, int Count, class F>
struct EachPart {
  static constexpr int least_blocks = cuda::least_blocks<F>;
  static constexpr int most_planes = cuda::most_planes<F>;

  Box<Dim> boxes[Count];
  F f;
  __device__ void operator()(const Index<Dim>& c) const {
    call_parts(boxes, c, f, std::make_integer_sequence<int, Count>());
  }
};

// A thread takes `planes` planes of axis 2, one where F says no other number.
template <int Dim, class F>
__global__ void __launch_bounds__(loop_threads, least_blocks<F>)
    for_each_kernel(Guard guard, Box<Dim> box, int planes, F f) {
  if constexpr (waits_itself<F>) wait_for_earlier_kernels();
  if (guard.halted()) return;
  if constexpr (Dim == 3 && most_planes<F> != 1) {
    Index<Dim> c = box.lower;
    c[0] += blockIdx.x * blockDim.x + threadIdx.x;
    c[1] += blockIdx.y * blockDim.y + threadIdx.y;
    const int first = box.lower[2] + (blockIdx.z * blockDim.z + threadIdx.z) * planes;
    if (c[0] >= box.upper[0]) return;
    for (; c[1] < box.upper[1]; c[1] += gridDim.y * blockDim.y)
      for (c[2] = first; c[2] < min(first + planes, box.upper[2]); ++c[2]) f(c);
  } else {
    for_each_of_thread(box, [&](const Index<Dim>& c) {
      if (c[0] < box.upper[0]) f(c);
    });
  }
}

// The runs of a warp are gathered in shared memory and stored together. With an odd `Most` the
// lanes hit different banks. Four blocks fit a multiprocessor: with the registers that nvcc would
// take for the rows of a matrix, 100 instead of 64, assembly takes 1.3 times as long.
template <int Most, int Dim, class T, class Start, class F>
__global__ void __launch_bounds__(loop_threads, 4)
    fill_runs_kernel(Box<Dim> box, T* values, Start start, F f) {
  __shared__ T gathered[loop_threads / 32][32 * Most];
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned lane = thread % 32, everyone = 0xffffffffu;
  T* const of_warp = gathered[thread / 32];
  for_each_of_thread(box, [&](const Index<Dim>& c) {
    const int position = c[0] < box.upper[0] ? start(c) : -1;
    const unsigned owners = __ballot_sync(everyone, position >= 0);
    if (owners == 0) return;
    const int first = __shfl_sync(everyone, position, __ffs(owners) - 1);
    const int count = position >= 0 ? f(c, of_warp + (position - first)) : 0;
    const int end = __shfl_sync(everyone, position + count, 31 - __clz(owners));
    if (values == nullptr) return;
    __syncwarp();
    for (int i = lane; i < end - first; i += 32) values[first + i] = of_warp[i];
    __syncwarp();
  });
}

// The index at a position of a box, axis 0 fastest, relative to its lower corner.
template <int Dim>
__device__ Index<Dim> index_at(const Box<Dim>& box, unsigned position) {
  Index<Dim> c;
#pragma unroll
  for (int d = 0; d < Dim; ++d) {
    const unsigned extent = static_cast<unsigned>(box.extent(d));
    c[d] = static_cast<int>(position % extent);
    position /= extent;
  }
  return c;
}

// Which values are maxima, where the compiler knows.
struct KnownWhenRun {
  MaximumMask maxima;
  __host__ __device__ MaximumMask mask() const { return maxima; }
};
template <MaximumMask maxima>
struct KnownWhenCompiled {
  __host__ __device__ MaximumMask mask() const { return maxima; }
};

template <int K, int Dim, class Known, class F>
__global__ void __launch_bounds__(reduction_threads, 4)
    reduce_kernel(ReductionTiles<Dim> tiles, Known known, F f, ReductionScratch scratch,
                  ResultsAt results) {
  static_assert(reduction_threads == loop_threads && K <= 32);
  const MaximumMask maxima = known.mask();
  for_each_adjacent_chunk(scratch.chunks, [&](int chunk, int place) {
    double total[K] = {};
    tiles.for_each(chunk, [&](const Index<Dim>& c) {
      double value[K];
      f(c, value);
#pragma unroll
      for (int k = 0; k < K; ++k) total[k] = combine_values(total[k], value[k], (maxima >> k) & 1u);
    });
    store_chunk<K>(total, maxima, scratch, place);
  });
  reduce_chunks<K>(maxima, scratch, results);
}

}  // namespace cuda

template <>
struct Loops<Cuda> {
  template <int Dim, class F>
  static void for_each(const Box<Dim>& box, F f) {
    launch(cuda::Guard{nullptr}, box, f);
  }

  template <int Dim, class F>
  static void for_each_guarded(const Box<Dim>& box, F f) {
    launch(cuda::guard(), box, f);
  }

  template <int Dim, int... Part, class F>
  static void for_each_of(const std::array<Box<Dim>, sizeof...(Part)>& boxes, const Box<Dim>& whole,
                          std::integer_sequence<int, Part...>, F f) {
    for_each(whole, cuda::EachPart<Dim, sizeof...(Part), F>{{boxes[Part]...}, f});
  }

  template <class F>
  static void for_each(int n, F f) {
    for_each(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) mutable { f(c[0]); });
  }

  template <class F>
  static void for_each_guarded(int n, F f) {
    for_each_guarded(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) mutable { f(c[0]); });
  }

  template <int Most, int Dim, class T, class Start, class F>
  static void fill_runs(const Box<Dim>& box, T* values, Start start, F f) {
    if (box.size() == 0) return;
    const Launch launch = launch_over(box, 32);
    cuda::launch_kernel("fill_runs_kernel", cuda::fill_runs_kernel<Most, Dim, T, Start, F>,
                        launch.grid, launch.threads, box, values, start, f);
  }

  template <int K, int Dim, class F>
  static void reduce(const Box<Dim>& box, const std::array<Reduction, K>& kinds, F f,
                     double* result) {
    cuda::MaximumMask maxima = 0;
    for (int k = 0; k < K; ++k) maxima |= (kinds[k] == Reduction{} ? 0u : 1u) << k;
    launch_reduction<K>(box, cuda::KnownWhenRun{maxima}, f, result);
  }

  template <int Dim, Reduction... kinds, class F>
  static void reduce(const Box<Dim>& box, Kinds<kinds...>, F f, double* result) {
    launch_reduction<static_cast<int>(sizeof...(kinds))>(
        box, cuda::KnownWhenCompiled<Kinds<kinds...>::maxima()>(), f, result);
  }

 private:
  template <int K, int Dim, class Known, class F>
  static void launch_reduction(const Box<Dim>& box, Known known, F f, double* result) {
    const cuda::ReductionTiles<Dim> tiles(box);
    const int chunks =
        static_cast<int>(std::min<long long>(tiles.all(), std::numeric_limits<int>::max()));
    Communicator* const processes = cuda::processes_to_sum();
    const cuda::ReductionScratch scratch = cuda::reduction_scratch(K, chunks, processes);
    const cuda::ResultsAt results{result};
    cuda::launch_kernel("reduce_kernel", cuda::reduce_kernel<K, Dim, Known, F>,
                        cuda::blocks_for_chunks(chunks, 2 * cuda::one_wave_blocks),
                        cuda::reduction_threads, tiles, known, f, scratch, results);
    cuda::finish_over_processes<K>(processes, known.mask(), scratch, results);
  }

  struct Launch {
    dim3 grid, threads;
  };

  template <int Dim>
  static Launch launch_over(const Box<Dim>& box, unsigned least, int planes = 1) {
    constexpr int most = 65535;
    const cuda::Tile tile = cuda::tile_over(box, least, Dim < 3 || planes > 1 ? 1 : 2);
    const auto blocks = [&box](int d, unsigned count) {
      return static_cast<unsigned>(
          cuda::blocks_for(box.extent(d), static_cast<int>(count), d == 0 ? 1 << 30 : most));
    };
    return {dim3(blocks(0, tile.width), Dim > 1 ? blocks(Dim > 1 ? 1 : 0, tile.height) : 1,
                 Dim > 2 ? blocks(Dim > 2 ? 2 : 0, tile.depth * static_cast<unsigned>(planes)) : 1),
            dim3(tile.width, tile.height, tile.depth)};
  }

  // Several planes where the launch still has some waves of blocks.
  template <int Dim>
  static int planes_of(const Box<Dim>& box, int most) {
    if (Dim < 3 || most == 1) return 1;
    constexpr long long enough_threads = 4096LL * cuda::loop_threads, widest = 65535;
    const int least = static_cast<int>((box.extent(Dim - 1) + widest - 1) / widest);
    return std::max(least,
                    static_cast<int>(std::clamp(box.size() / enough_threads, 1LL, 1LL * most)));
  }

  template <int Dim, class F>
  static void launch(cuda::Guard guard, const Box<Dim>& box, F f) {
    if (box.size() == 0) return;
    const int planes = planes_of(box, cuda::most_planes<F>);
    const Launch launch = launch_over(box, 1, planes);
    const auto kernel = cuda::for_each_kernel<Dim, F>;
    if (cuda::waits_itself<F> && box.size() >= cuda::long_launch)
      cuda::launch_overlapping("for_each_kernel", kernel, launch.grid, launch.threads, guard, box,
                               planes, f);
    else
      cuda::launch_kernel("for_each_kernel", kernel, launch.grid, launch.threads, guard, box,
                          planes, f);
  }
};

}  // namespace hodge::linalg
