// Host space: memory, copies, and the machine's name and free memory.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/base/system_file.hpp"
#include "linalg/host/guard.hpp"
#include "linalg/host/processor.hpp"
#include "linalg/space/traffic.hpp"

namespace hodge::linalg {

namespace {

std::atomic<std::size_t> allocated{0};
std::atomic<long long> allocations{0}, uploaded{0}, downloaded{0};
thread_local double moved = 0;
constexpr std::size_t alignment = 64;

// Bytes that are available without swapping, by /proc/meminfo; physical memory without that file.
std::size_t available_from_kernel() {
  std::istringstream meminfo(text_of_system_file("/proc/meminfo"));
  std::string key;
  std::size_t kilobytes = 0;
  while (meminfo >> key >> kilobytes) {
    if (key == "MemAvailable:") return kilobytes * 1024;
    meminfo.ignore(256, '\n');
  }
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Bytes that a control group still allows; SIZE_MAX without a limit.
std::size_t available_in_group() {
  std::istringstream limit_file(text_of_system_file("/sys/fs/cgroup/memory.max"));
  std::istringstream used_file(text_of_system_file("/sys/fs/cgroup/memory.current"));
  std::size_t limit = 0, used = 0;
  if (!(limit_file >> limit) || !(used_file >> used)) return SIZE_MAX;
  return limit > used ? limit - used : 0;
}

}  // namespace

template <>
std::size_t MemoryPrimitives<Host>::available_memory() {
  return std::min(available_from_kernel(), available_in_group());
}

template <>
void* MemoryPrimitives<Host>::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* data = std::aligned_alloc(alignment, rounded);
  if (data == nullptr) {
    throw MemoryError("out of memory: " + std::to_string(bytes) + " bytes more were needed, " +
                      std::to_string(available_memory()) + " are available");
  }
  allocated += bytes;
  ++allocations;
  return data;
}

template <>
void MemoryPrimitives<Host>::deallocate(void* data, std::size_t bytes) noexcept {
  std::free(data);
  allocated -= bytes;
}

template <>
void* MemoryPrimitives<Host>::allocate_shared(std::size_t bytes) {
  void* data = allocate(bytes);
  std::memset(data, 0, bytes);
  return data;
}

template <>
void MemoryPrimitives<Host>::deallocate_shared(void* data, std::size_t bytes) noexcept {
  deallocate(data, bytes);
}

template <>
Traffic traffic<Host>() {
  return {allocations, uploaded, downloaded, moved};
}

template <>
void count_moved<Host>(double bytes) {
  moved += bytes;
}

template <>
std::size_t MemoryPrimitives<Host>::allocated_bytes() {
  return allocated;
}

// Arrays without entries are null pointers, which std::memcpy and std::memmove must not be given.
template <>
void MemoryPrimitives<Host>::upload(const void* host, void* data, std::size_t bytes) {
  uploaded += static_cast<long long>(bytes);
  if (bytes > 0) std::memcpy(data, host, bytes);
}

template <>
void MemoryPrimitives<Host>::download(const void* data, void* host, std::size_t bytes) {
  downloaded += static_cast<long long>(bytes);
  if (bytes > 0) std::memcpy(host, data, bytes);
}

template <>
void MemoryPrimitives<Host>::copy(const void* source, void* target, std::size_t bytes) {
  moved += 2.0 * static_cast<double>(bytes);
  if (bytes > 0) std::memmove(target, source, bytes);
}

// In parallel, so that the thread that will work on a part of an array is the first to touch it.
template <>
void MemoryPrimitives<Host>::clear(void* data, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  char* first = static_cast<char*>(data);
  const auto pages = static_cast<long long>((bytes + page - 1) / page);
#pragma omp parallel for schedule(static) if (pages > 16)
  for (long long i = 0; i < pages; ++i) {
    const std::size_t start = static_cast<std::size_t>(i) * page;
    std::memset(first + start, 0, std::min(page, bytes - start));
  }
}

template <>
void MemoryPrimitives<Host>::synchronize() {}

template <>
void MemoryPrimitives<Host>::set_guard(const int* flag) {
  host::guard = flag;
}

template <>
void MemoryPrimitives<Host>::wait_for_progress(const volatile int*, int, const volatile int*) {}

template <>
std::string MemoryPrimitives<Host>::device_name() {
  const int threads = host::thread_count();
  return host::processor_name() + ", " + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

}  // namespace hodge::linalg
