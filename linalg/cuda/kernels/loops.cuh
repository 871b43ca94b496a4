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
inline constexpr int together = 1;
template <class F>
requires requires {
  F::together;
}
inline constexpr int together<F> = F::together;

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

// The indices of a box that are not in a smaller one, numbered.
template <int Dim>
class IndicesAround {
 public:
  IndicesAround(Box<Dim> rest, const Box<Dim>& inner) {
    for (int axis = Dim - 1; axis >= 0; --axis) {
      Box<Dim> below = rest, above = rest;
      below.upper[axis] = rest.lower[axis] = inner.lower[axis];
      above.lower[axis] = rest.upper[axis] = inner.upper[axis];
      add(2 * axis, below);
      add(2 * axis + 1, above);
    }
  }
  int size() const { return size_; }
  __device__ Index<Dim> operator[](int i) const {
#pragma unroll
    for (int k = 0; k < 2 * Dim; ++k) {
      if (0 <= i && i < sizes_[k]) {
        Index<Dim> c = index_at(layers_[k], static_cast<unsigned>(i));
#pragma unroll
        for (int d = 0; d < Dim; ++d) c[d] += layers_[k].lower[d];
        return c;
      }
      i -= sizes_[k];
    }
    return layers_[0].lower;
  }

 private:
  void add(int k, const Box<Dim>& layer) {
    layers_[k] = layer;
    sizes_[k] = static_cast<int>(layer.size());
    size_ += sizes_[k];
  }

  Box<Dim> layers_[2 * Dim];
  int sizes_[2 * Dim];
  int size_ = 0;
};

// At every index the parts that have it.
template <int Dim, int Count, class F>
struct EachPart {
  static constexpr int least_blocks = cuda::least_blocks<F>;
  static constexpr int most_planes = cuda::most_planes<F>;

  Box<Dim> boxes[Count];
  F f;
  __device__ void operator()(const Index<Dim>& c) const {
    call(c, std::make_integer_sequence<int, Count>());
  }
  template <int... Part>
  __device__ void call(const Index<Dim>& c, std::integer_sequence<int, Part...>) const {
    ((boxes[Part].contains(c) ? f(PartNumber<Part>(), c) : void()), ...);
  }
};

template <int Dim, class Each>
struct EachAround {
  IndicesAround<Dim> others;
  Each each;
  __device__ void operator()(int i) const { each(others[i]); }
};

// At every index from `first` on along axis 0 all the first parts, which read together.
template <int Dim, class F>
struct PartsTogether {
  static constexpr int least_blocks = cuda::least_blocks<F>;
  static constexpr int most_planes = cuda::most_planes<F>;

  int first;
  F f;
  __device__ void operator()(const Index<Dim>& c) const {
    if (c[0] >= first) call(c, std::make_integer_sequence<int, F::together>());
  }
  template <int... Part>
  __device__ void call(const Index<Dim>& c, std::integer_sequence<int, Part...>) const {
    const decltype(f.value(PartNumber<0>(), c)) values[] = {f.value(PartNumber<Part>(), c)...};
    (f.store(PartNumber<Part>(), c, values[Part]), ...);
  }
};

// A thread takes `planes` planes of axis 2, one where F says no other number. As a constant of the
// grid f stays where it was passed, also where its arrays are indexed at run time: otherwise each
// thread would begin with a copy of its own.
template <int Dim, class F>
__global__ void __launch_bounds__(loop_threads, least_blocks<F>)
    for_each_kernel(Guard guard, Box<Dim> box, int planes, const __grid_constant__ F f) {
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

// A thread takes `planes` planes of a column of axis 2, which hands on what they share: begin(c) of
// its first index, then step(c, column). From `first` on along axis 0.
template <class Columns>
__global__ void __launch_bounds__(loop_threads, Columns::least_blocks)
    columns_kernel(Box<3> box, int first, int planes, const __grid_constant__ Columns columns) {
  Index<3> c = box.lower;
  c[0] += blockIdx.x * blockDim.x + threadIdx.x;
  c[1] += blockIdx.y * blockDim.y + threadIdx.y;
  const int start = box.lower[2] + (blockIdx.z * blockDim.z + threadIdx.z) * planes;
  const int end = min(start + planes, box.upper[2]);
  if (c[0] < first || c[0] >= box.upper[0] || start >= end) return;
  for (; c[1] < box.upper[1]; c[1] += gridDim.y * blockDim.y) {
    c[2] = start;
    auto column = columns.begin(c);
    for (; c[2] < end; ++c[2]) columns.step(c, column);
  }
}

// The runs of a warp are gathered in shared memory and stored together. With an odd `Most` the
// lanes hit different banks. Four blocks fit a multiprocessor: with the registers that nvcc would
// take for the rows of a matrix, 100 instead of 64, assembly takes 1.3 times as long.
template <int Most, int Dim, class T, class Start, class F>
__global__ void __launch_bounds__(loop_threads, 4)
    fill_runs_kernel(Box<Dim> box, T* values, Start start, const __grid_constant__ F f) {
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

// Which values are maxima, where the compiler knows.
struct KnownWhenRun {
  MaximumMask maxima;
  __host__ __device__ MaximumMask mask() const { return maxima; }
};
template <MaximumMask maxima>
struct KnownWhenCompiled {
  __host__ __device__ MaximumMask mask() const { return maxima; }
};

// Eight results need more registers than four blocks of a multiprocessor have: 437 us for the
// diagnostics of a flow at 256^3, with three blocks 339.
template <int K, int Dim, class Known, class F>
__global__ void __launch_bounds__(reduction_threads, K < 8 ? 4 : 3)
    reduce_kernel(ReductionTiles<Dim> tiles, Known known, const __grid_constant__ F f,
                  ReductionScratch scratch, ResultsAt results) {
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
    const cuda::EachPart<Dim, sizeof...(Part), F> each{{boxes[Part]...}, f};
    if constexpr ((cuda::together<F>) > 1)
      for_each_together(boxes, whole, each);
    else
      for_each(whole, each);
  }

  template <class F>
  static void for_each(int n, F f) {
    for_each(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) { f(c[0]); });
  }

  template <class F>
  static void for_each_guarded(int n, F f) {
    for_each_guarded(Box<1>{{{0}}, {{n}}}, [f] __device__(Index<1> c) { f(c[0]); });
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

  // The indices that all the first parts have by a kernel of their own, which is shorter without
  // the others; those around them by a second one, which is worth its launch in large boxes.
  template <int Dim, std::size_t Count, class EachPart>
  static void for_each_together(const std::array<Box<Dim>, Count>& boxes, const Box<Dim>& whole,
                                const EachPart& each) {
    using F = decltype(each.f);
    Box<Dim> common = boxes[0];
    for (std::size_t part = 1; part < F::together; ++part)
      common = common_points(common, boxes[part]);
    const cuda::IndicesAround<Dim> others(whole, common);
    // Columns round otherwise, and bits must not depend on how many GPUs share the whole.
    constexpr bool is_short = !requires {
      each.f.columns();
    };
    if (others.size() > 0 && (common.size() == 0 || (is_short && whole.size() < cuda::long_launch)))
      return for_each(whole, each);
    Box<Dim> rows = common;  // whose threads begin where lines of memory do
    rows.lower[0] = whole.lower[0];
    if constexpr (requires { each.f.columns(); })
      launch_columns(rows, common.lower[0], each.f.columns());
    else
      for_each(rows, cuda::PartsTogether<Dim, F>{common.lower[0], each.f});
    if (others.size() > 0) for_each(others.size(), cuda::EachAround<Dim, EachPart>{others, each});
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

  template <class Columns>
  static void launch_columns(const Box<3>& box, int first, const Columns& columns) {
    if (box.size() == 0) return;
    constexpr long long two_waves = 512LL * cuda::loop_threads;  // of two blocks a multiprocessor
    const int planes = planes_of(box, Columns::most_planes, two_waves);
    const Launch launch = launch_over(box, 1, planes);
    cuda::launch_kernel("columns_kernel", cuda::columns_kernel<Columns>, launch.grid,
                        launch.threads, box, first, planes, columns);
  }

  // Several planes where the launch still has some waves of blocks.
  template <int Dim>
  static int planes_of(const Box<Dim>& box, int most,
                       long long enough_threads = 4096LL * cuda::loop_threads) {
    if (Dim < 3 || most == 1) return 1;
    constexpr long long widest = 65535;
    const int least = static_cast<int>((box.extent(Dim - 1) + widest - 1) / widest);
    return std::max(least,
                    static_cast<int>(std::clamp(box.size() / enough_threads, 1LL, 1LL * most)));
  }

  // Fewer blocks, whose threads take several indices of the last axis in turn: where the guard is
  // raised, a launch takes as long as its blocks take to see it.
  template <int Dim>
  static void shorten_for_guard(Launch& launch) {
    constexpr unsigned enough_blocks = 1 << 13;
    unsigned& last = Dim == 3 ? launch.grid.z : launch.grid.y;
    const unsigned others = launch.grid.x * (Dim == 3 ? launch.grid.y : 1u);
    if constexpr (Dim > 1) last = std::min(last, std::max(1u, enough_blocks / others));
  }

  template <int Dim, class F>
  static void launch(cuda::Guard guard, const Box<Dim>& box, F f) {
    if (box.size() == 0) return;
    const int planes = planes_of(box, cuda::most_planes<F>);
    Launch launch = launch_over(box, 1, planes);
    if (guard.flag != nullptr && cuda::most_planes<F> == 1) shorten_for_guard<Dim>(launch);
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
