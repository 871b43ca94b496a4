// Cuda space: device, memory, copies, and the wait for a solve's progress.
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/cuda/device/allocation_count.hpp"
#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

int selected_device = 0;
std::size_t allocated = 0;
long long allocations = 0, uploaded = 0, downloaded = 0;
double moved = 0;

Context make_context() {
  Context c;
  c.device = selected_device;
  check(cudaSetDevice(c.device), "selecting the GPU");
  check(cudaStreamCreateWithFlags(&c.stream, cudaStreamNonBlocking), "creating a stream");
  const std::size_t sums = sizeof(double) * reduction_scratch_values;
  check(cudaMalloc(&c.partial_sums, sums), "allocating scratch memory");
  const std::size_t tickets = sizeof(unsigned) * (most_groups + 1);
  const std::size_t words = sizeof(unsigned long long) * context_words;
  check(cudaMalloc(&c.tickets, tickets), "allocating scratch memory");
  check(cudaMalloc(&c.words, words), "allocating scratch memory");
  check(cudaMemsetAsync(c.tickets, 0, tickets, c.stream), "clearing memory");
  check(cudaMemsetAsync(c.words, 0, words, c.stream), "clearing memory");
  return c;
}

}  // namespace

Context& context() {
  static Context the_context = make_context();
  return the_context;
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  throw DeviceError(std::string("CUDA: ") + what + " failed: " + cudaGetErrorString(status));
}

namespace {

__global__ void empty_kernel() {}

bool find_whether_launches_overlap() {
  (void)context();
  cudaFuncAttributes code{};
  check(cudaFuncGetAttributes(&code, empty_kernel), "reading a kernel's attributes");
  return code.ptxVersion >= 90;  // JIT from older code has no waits in it
}

}  // namespace

bool launches_overlap() {
  static const bool overlap = find_whether_launches_overlap();
  return overlap;
}

void count_allocated(std::ptrdiff_t bytes) {
  allocated += static_cast<std::size_t>(bytes);
  if (bytes > 0) ++allocations;
}

int attribute(cudaDeviceAttr which, const char* what) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, context().device), what);
  return value;
}

}  // namespace cuda

int Cuda::device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return count;
}

void Cuda::select_device(int device) {
  const int count = device_count();
  if (device < 0 || device >= count) {
    throw DeviceError("there is no GPU cuda:" + std::to_string(device) + "; " +
                      std::to_string(count) + " usable GPUs are here" +
                      (count == 0 ? ": use --device cpu" : ""));
  }
  cuda::selected_device = device;
  if (cuda::context().device != device) {
    throw DeviceError("the GPU has been chosen already: one process computes on one GPU");
  }
}

template <>
std::size_t MemoryPrimitives<Cuda>::available_memory() {
  std::size_t free_bytes = 0, total_bytes = 0;
  (void)cuda::context();
  cuda::check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free memory");
  return free_bytes;
}

template <>
void* MemoryPrimitives<Cuda>::allocate(std::size_t bytes) {
  void* data = nullptr;
  (void)cuda::context();
  const cudaError_t status = cudaMalloc(&data, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw MemoryError("out of GPU memory: " + std::to_string(bytes) + " bytes more were needed, " +
                      std::to_string(available_memory()) + " are available");
  }
  cuda::check(status, "allocating memory");
  cuda::count_allocated(static_cast<std::ptrdiff_t>(bytes));
  return data;
}

template <>
void MemoryPrimitives<Cuda>::deallocate(void* data, std::size_t bytes) noexcept {
  try {
    cuda::launch_gathered();      // gathered work may use this memory
  } catch (const DeviceError&) {  // the next call reports the same error
  }
  (void)cudaFree(data);
  cuda::count_allocated(-static_cast<std::ptrdiff_t>(bytes));
}

template <>
void* MemoryPrimitives<Cuda>::allocate_shared(std::size_t bytes) {
  void* data = nullptr;
  (void)cuda::context();
  cuda::check(cudaHostAlloc(&data, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
              "allocating memory shared with the host");
  return data;
}

template <>
void MemoryPrimitives<Cuda>::deallocate_shared(void* data, std::size_t) noexcept {
  (void)cudaFreeHost(data);
}

template <>
Traffic traffic<Cuda>() {
  return {cuda::allocations, cuda::uploaded, cuda::downloaded, cuda::moved};
}

template <>
void count_moved<Cuda>(double bytes) {
  cuda::moved += bytes;
}

template <>
std::size_t MemoryPrimitives<Cuda>::allocated_bytes() {
  return cuda::allocated;
}

template <>
void MemoryPrimitives<Cuda>::synchronize() {
  cuda::check(cudaStreamSynchronize(cuda::stream()), "waiting for the GPU");
}

template <>
void MemoryPrimitives<Cuda>::upload(const void* host, void* data, std::size_t bytes) {
  cuda::uploaded += static_cast<long long>(bytes);
  cuda::check(cudaMemcpyAsync(data, host, bytes, cudaMemcpyHostToDevice, cuda::stream()), "upload");
  synchronize();  // the caller may change its array at once
}

template <>
void MemoryPrimitives<Cuda>::download(const void* data, void* host, std::size_t bytes) {
  cuda::downloaded += static_cast<long long>(bytes);
  cuda::check(cudaMemcpyAsync(host, data, bytes, cudaMemcpyDeviceToHost, cuda::stream()),
              "download");
  synchronize();
}

template <>
void MemoryPrimitives<Cuda>::copy(const void* source, void* target, std::size_t bytes) {
  count_moved<Cuda>(2.0 * static_cast<double>(bytes));
  cuda::check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, cuda::stream()),
              "copy");
}

template <>
void MemoryPrimitives<Cuda>::clear(void* data, std::size_t bytes) {
  cuda::check(cudaMemsetAsync(data, 0, bytes, cuda::stream()), "clearing memory");
}

template <>
void MemoryPrimitives<Cuda>::set_guard(const int* flag) {
  cuda::launch_gathered();
  cuda::context().guard = flag;
}

// Reads the shared memory, and from time to time asks the runtime whether the GPU still works.
template <>
void MemoryPrimitives<Cuda>::wait_for_progress(const volatile int* progress, int value,
                                               const volatile int* flag) {
  constexpr int reads_between_questions = 20000;
  cuda::launch_gathered();
  bool idle = false;
  for (int reads = 1; *progress < value && *flag == 0; ++reads) {
    if (reads % reads_between_questions != 0) continue;
    if (idle)
      throw DeviceError("CUDA: the GPU has finished its work, but the solve has not progressed");
    const cudaError_t status = cudaStreamQuery(cuda::stream());
    if (status == cudaErrorNotReady) continue;
    cuda::check(status, "a solve");
    idle = true;
  }
}

template <>
std::string MemoryPrimitives<Cuda>::device_name() {
  cudaDeviceProp properties{};
  const int device = cuda::context().device;
  cuda::check(cudaGetDeviceProperties(&properties, device), "asking for the GPU's name");
  return std::string(properties.name) + " (cuda:" + std::to_string(device) + ")";
}

}  // namespace hodge::linalg
