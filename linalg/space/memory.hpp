// Memory of a space, copies, and the waits of the host. host/memory.cpp, cuda/device/memory.cu.
#pragma once

#include <cstddef>
#include <string>

namespace hodge::linalg {

template <class Space>
struct MemoryPrimitives {
  // Sizes are in bytes. allocate throws MemoryError with the bytes needed and available.
  static void* allocate(std::size_t bytes);
  static void deallocate(void* data, std::size_t bytes) noexcept;
  static void* allocate_shared(std::size_t bytes);  // host and device both read and write it
  static void deallocate_shared(void* data, std::size_t bytes) noexcept;
  static std::size_t allocated_bytes();   // now held through allocate()
  static std::size_t available_memory();  // that allocate() could still get
  static void upload(const void* host, void* data, std::size_t bytes);
  static void download(const void* data, void* host, std::size_t bytes);  // waits
  static void copy(const void* source, void* target, std::size_t bytes);
  static void clear(void* data, std::size_t bytes);  // to zero bytes
  static void synchronize();

  static void set_guard(const int* flag);
  // Waits until shared memory `*progress` has reached `value` or `*flag` is up (both written by the
  // device).
  static void wait_for_progress(const volatile int* progress, int value, const volatile int* flag);

  static std::string device_name();
};

}  // namespace hodge::linalg
