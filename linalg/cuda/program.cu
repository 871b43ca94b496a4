// Cuda space: the kernel of a program (program.hpp).
#include "linalg/cuda/program.hpp"

#include "linalg/cuda/diagonal_kernels.cuh"

namespace hodge::linalg::cuda {

namespace {

constexpr int program_threads = 1024;

// Counts the blocks that have arrived, and says which barrier they may leave, and whether the guard
// is up.
struct Barrier {
  unsigned* arrived;
  volatile unsigned* left;
};
constexpr unsigned halted_bit = 1u << 31;

// Coefficients of a pass, in shared memory.
struct SharedCoefficients {
  double of_term[Pass<double>::most_terms];
  double of_slot[Pass<double>::most_steps][Pass<double>::most_slots];
  double constant[Pass<double>::most_steps];

  __device__ void evaluate(const Pass<double>& pass) {
    const int t = static_cast<int>(threadIdx.x);
    if (t < pass.terms) of_term[t] = pass.term[t].coefficient.value();
    __syncthreads();
    if (t < pass.steps) {
      constant[t] = 0.0;
      for (int s = 0; s < Pass<double>::most_slots; ++s) of_slot[t][s] = 0.0;
      for (int k = 0; k < pass.terms; ++k) {
        if (pass.term[k].step != t) continue;
        const int slot = pass.term[k].slot;
        (slot < 0 ? constant[t] : of_slot[t][slot]) += of_term[k];
      }
    }
    __syncthreads();
  }
};

constexpr int most_dots = Pass<double>::most_dots;

__device__ void run_pass(const Pass<double>& pass, SharedCoefficients& coefficients,
                         double (&total)[most_dots]) {
  constexpr int slots = Pass<double>::most_slots;
  coefficients.evaluate(pass);
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < pass.n; i += stride) {
    double v[slots];
#pragma unroll
    for (int s = 0; s < slots; ++s) v[s] = (pass.loaded >> s & 1u) != 0 ? pass.data[s][i] : 0.0;
#pragma unroll
    for (int m = 0; m < Pass<double>::most_steps; ++m) {
      if (m >= pass.steps) break;
      double value = coefficients.constant[m];
      if (pass.step[m].is_product) {
        value = pick(v, pass.step[m].left) * pick(v, pass.step[m].right);
      } else {
#pragma unroll
        for (int s = 0; s < slots; ++s) {
          const double c = coefficients.of_slot[m][s];
          if (c != 0.0) value += c * v[s];
        }
      }
      v[m] = value;
      pass.data[m][i] = value;
    }
#pragma unroll
    for (int k = 0; k < most_dots; ++k) {
      if (k < pass.dots)
        total[k] +=
            pick(v, pass.dot[k].left) * (pass.dot[k].right < 0 ? 1.0 : pick(v, pass.dot[k].right));
    }
  }
}

// x has been written by this kernel, so it must not come through the read-only cache.
__device__ void run_product(const DeferredProduct<double>& p, double (&total)[most_dots]) {
  const DiagonalsView& on = p.a.diagonals;
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); row < p.a.rows;
       row += stride) {
    const unsigned mask = __ldg(on.mask + row);
    const int first = __ldg(p.a.row_offsets + row);
    const double w = p.w[row];
    const double sum =
        on.count <= 8
            ? sum_of_diagonals<8>(p.a, p.x, row, first, mask, ~0u, Written{})
            : sum_of_diagonals<DiagonalsView::most>(p.a, p.x, row, first, mask, ~0u, Written{});
    p.y[row] = sum;
    total[0] += w * sum;
    total[1] += w * w;
    total[2] += sum * sum;
  }
}

__device__ void store_results(const ProgramItem& item, const double (&total)[most_dots]) {
  if (item.is_product) {
    *item.product.dots.wy = total[0];
    *item.product.dots.ww = total[1];
    *item.product.dots.yy = total[2];
    return;
  }
  for (int k = 0; k < item.pass.dots; ++k)
    for (double* result : item.pass.dot[k].result)
      if (result != nullptr) *result = total[k];
}

// All blocks arrive; the last adds their sums, runs the scalar operations and lets all go. True
// where the guard is up.
__device__ bool finish_item(const ProgramItem& item, double (&total)[most_dots], Guard guard,
                            Barrier barrier, unsigned number, double* partial) {
  __shared__ bool is_last;
  __shared__ unsigned released;
  const bool sums = item.is_product || item.pass.dots > 0;
  if (sums) {
    reduce_block<most_dots>(total, 0u);
  } else {
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    if (sums)
      for (int k = 0; k < most_dots; ++k) partial[k * gridDim.x + blockIdx.x] = total[k];
    __threadfence();
    is_last = atomicInc(barrier.arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    __threadfence();
    if (sums) {
      reduce_stored<most_dots>(total, 0u, partial, gridDim.x, 0, gridDim.x);
      if (threadIdx.x == 0) store_results(item, total);
    }
    run(item.afterwards, guard);
    if (threadIdx.x == 0) {
      const bool halted = *static_cast<const volatile int*>(guard.flag) != 0;
      released = number | (halted ? halted_bit : 0u);
      __threadfence();
      *barrier.left = released;
    }
  } else if (threadIdx.x == 0) {
    do released = *barrier.left;
    while ((released & ~halted_bit) != number);
    __threadfence();
  }
  __syncthreads();
  return (released & halted_bit) != 0;
}

__global__ void __launch_bounds__(program_threads, 1)
    program_kernel(Guard guard, const ProgramItem* items, int count, int times, Barrier barrier,
                   double* partial) {
  extern __shared__ double memory[];
  __shared__ SharedCoefficients coefficients;
  ProgramItem* const program = reinterpret_cast<ProgramItem*>(memory);
  const int words = static_cast<int>(count * sizeof(ProgramItem) / sizeof(double));
  for (int i = static_cast<int>(threadIdx.x); i < words; i += program_threads)
    memory[i] = reinterpret_cast<const double*>(items)[i];
  if (guard.halted()) return;
  __syncthreads();
  unsigned number = 0;
  for (int t = 0; t < times; ++t)
    for (int i = 0; i < count; ++i) {
      double total[most_dots] = {};
      if (program[i].is_product) {
        run_product(program[i].product, total);
      } else {
        run_pass(program[i].pass, coefficients, total);
      }
      if (finish_item(program[i], total, guard, barrier, ++number, partial)) return;
    }
}
static_assert(sizeof(ProgramItem) % sizeof(double) == 0);

}  // namespace

Program::Program(const std::vector<ProgramItem>& items, const int* guard)
    : count_(static_cast<int>(items.size())), guard_(guard) {
  const std::size_t bytes = sizeof(ProgramItem) * items.size();
  check(cudaFuncSetAttribute(program_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(most_items * sizeof(ProgramItem))),
        "asking for shared memory");
  int multiprocessors = 0;
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, context().device),
        "asking for the number of multiprocessors");
  int rows = 1;
  for (const ProgramItem& item : items)
    rows = item.is_product ? item.product.a.rows : item.pass.n > rows ? item.pass.n : rows;
  blocks_ = blocks_for(rows, program_threads, multiprocessors);
  check(cudaMalloc(&items_, bytes), "allocating a program");
  check(cudaMalloc(&barrier_, 2 * sizeof(unsigned)), "allocating a program");
  check(cudaMemcpyAsync(items_, items.data(), bytes, cudaMemcpyHostToDevice, stream()),
        "uploading a program");
  check(cudaStreamSynchronize(context().stream), "uploading a program");
}

Program::~Program() {
  (void)cudaFree(items_);
  (void)cudaFree(barrier_);
}

std::unique_ptr<Program> Program::make(const std::vector<ProgramItem>& items, const int* guard) {
  if (items.empty() || items.size() > most_items || guard == nullptr) return nullptr;
  return std::unique_ptr<Program>(new Program(items, guard));
}

void Program::play(int times) {
  check(cudaMemsetAsync(barrier_, 0, 2 * sizeof(unsigned), stream()), "clearing memory");
  Guard guard{guard_};
  Barrier barrier{barrier_, barrier_ + 1};
  double* partial = context().partial_sums;
  void* arguments[] = {&guard, &items_, &count_, &times, &barrier, &partial};
  check(cudaLaunchCooperativeKernel(program_kernel, dim3(blocks_), dim3(program_threads), arguments,
                                    sizeof(ProgramItem) * count_, context().stream),
        "launching a program");
}

}  // namespace hodge::linalg::cuda
