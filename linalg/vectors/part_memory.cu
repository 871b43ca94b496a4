// Memory of parts of an array on a GPU (part_buffer.hpp): addresses are reserved for all of it, and
// memory is mapped to those of the parts, in whole granules of 2 MB or so.
//
// The functions are those of the driver, which the runtime knows; the program is not linked with
// it. Source: CUDA C++ Programming Guide, Virtual Memory Management.
#include <cuda.h>

#include <algorithm>
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/cuda/device/allocation_count.hpp"
#include "linalg/cuda/device/runtime.hpp"
#include "linalg/vectors/part_buffer.hpp"

namespace hodge::linalg {

namespace {

// The functions of the driver.
struct Driver {
  decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
  decltype(&cuMemAddressReserve) reserve = nullptr;
  decltype(&cuMemAddressFree) free_addresses = nullptr;
  decltype(&cuMemCreate) create = nullptr;
  decltype(&cuMemRelease) release = nullptr;
  decltype(&cuMemMap) map = nullptr;
  decltype(&cuMemUnmap) unmap = nullptr;
  decltype(&cuMemSetAccess) set_access = nullptr;
  bool usable = true;
};

void* function_of_driver(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &function, 10020, cudaEnableDefault, &found);
#else
  const cudaError_t status = cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found);
#endif
  if (status == cudaSuccess && found == cudaDriverEntryPointSuccess) return function;
  (void)cudaGetLastError();
  return nullptr;
}

const Driver& driver() {
  static const Driver found = [] {
    Driver d;
    const auto find = [&d](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(function_of_driver(name));
      d.usable = d.usable && function != nullptr;
    };
    find(d.granularity, "cuMemGetAllocationGranularity");
    find(d.reserve, "cuMemAddressReserve");
    find(d.free_addresses, "cuMemAddressFree");
    find(d.create, "cuMemCreate");
    find(d.release, "cuMemRelease");
    find(d.map, "cuMemMap");
    find(d.unmap, "cuMemUnmap");
    find(d.set_access, "cuMemSetAccess");
    return d;
  }();
  return found;
}

void check_driver(CUresult status, const char* what) {
  if (status != CUDA_SUCCESS)
    throw DeviceError(std::string("CUDA: ") + what + " failed: error " + std::to_string(status) +
                      " of the driver");
}

CUmemAllocationProp memory_of_gpu() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, cuda::context().device};
  return properties;
}

// Reserved addresses, and the parts of them that have memory.
class MappedParts {
 public:
  MappedParts(std::size_t bytes, std::size_t granule)
      : size_((bytes + granule - 1) / granule * granule) {
    check_driver(driver().reserve(&first_, size_, 0, 0, 0), "reserving addresses");
  }
  ~MappedParts() {
    try {
      Cuda::synchronize();          // work that is queued may use the memory
    } catch (const DeviceError&) {  // the next call reports the same error
    }
    for (const PartRange& part : mapped_) {
      (void)driver().unmap(first_ + part.begin, part.end - part.begin);
      cuda::count_allocated(-static_cast<std::ptrdiff_t>(part.end - part.begin));
    }
    if (first_ != 0) (void)driver().free_addresses(first_, size_);
  }
  MappedParts(const MappedParts&) = delete;
  MappedParts& operator=(const MappedParts&) = delete;

  void* data() const { return reinterpret_cast<void*>(first_); }

  // Gives whole granules memory.
  void map(const PartRange& part) {
    const std::size_t bytes = part.end - part.begin;
    const CUdeviceptr at = first_ + part.begin;
    const CUmemAllocationProp properties = memory_of_gpu();
    CUmemGenericAllocationHandle memory = 0;
    const CUresult status = driver().create(&memory, bytes, &properties, 0);
    if (status == CUDA_ERROR_OUT_OF_MEMORY)
      throw MemoryError("out of GPU memory: " + std::to_string(bytes) +
                        " bytes more were needed, " + std::to_string(Cuda::available_memory()) +
                        " are available");
    check_driver(status, "allocating memory");
    const CUresult mapped = driver().map(at, bytes, 0, memory, 0);
    (void)driver().release(memory);  // the mapping keeps it
    check_driver(mapped, "mapping memory");
    mapped_.push_back(part);
    cuda::count_allocated(static_cast<std::ptrdiff_t>(bytes));
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    check_driver(driver().set_access(at, bytes, &access, 1), "opening memory");
    Cuda::clear(reinterpret_cast<void*>(at), bytes);
  }

 private:
  std::size_t size_;
  CUdeviceptr first_ = 0;
  std::vector<PartRange> mapped_;
};

// The parts in whole granules, ascending and apart from each other.
std::vector<PartRange> in_granules(std::span<const PartRange> used, std::size_t granule) {
  std::vector<PartRange> parts;
  for (const PartRange& part : used)
    if (part.begin < part.end)
      parts.push_back(
          {part.begin / granule * granule, (part.end + granule - 1) / granule * granule});
  std::ranges::sort(parts, {}, &PartRange::begin);
  std::vector<PartRange> joined;
  for (const PartRange& part : parts) {
    if (!joined.empty() && part.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, part.end);
    else
      joined.push_back(part);
  }
  return joined;
}

}  // namespace

template <>
std::shared_ptr<void> memory_of_parts<Cuda>(std::size_t bytes, std::span<const PartRange> used) {
  (void)cuda::stream();  // makes the context
  if (bytes == 0 || !driver().usable) return nullptr;
  const CUmemAllocationProp properties = memory_of_gpu();
  std::size_t granule = 0;
  if (driver().granularity(&granule, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM) != CUDA_SUCCESS)
    return nullptr;
  const std::vector<PartRange> parts = in_granules(used, granule);
  std::size_t mapped = 0;
  for (const PartRange& part : parts) mapped += part.end - part.begin;
  if (mapped >= bytes) return nullptr;
  auto memory = std::make_shared<MappedParts>(bytes, granule);
  for (const PartRange& part : parts) memory->map(part);
  void* const data = memory->data();
  return {std::move(memory), data};
}

}  // namespace hodge::linalg
