// An array with the indices of a large one, of which a process uses some parts: only these have
// memory, where the space can do so.
//
// On the Host the system gives a page its memory when it is first touched; nothing is written when
// the array is made. On Cuda the parts are mapped into reserved addresses and set to 0
// (part_memory.cu). Elsewhere, and where all is used, the array has memory for all.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

// The entries begin .. end - 1, or bytes.
struct PartRange {
  std::size_t begin = 0, end = 0;
};

// Memory of the bytes `used` of `bytes` ones; get() is the address of byte 0. Null: there is no
// such memory, or it would be no less than memory for all bytes. Errors: MemoryError.
template <class Space>
std::shared_ptr<void> memory_of_parts(std::size_t, std::span<const PartRange>) {
  return nullptr;
}
#if HODGE_HAS_CUDA
template <>
std::shared_ptr<void> memory_of_parts<Cuda>(std::size_t bytes, std::span<const PartRange> used);
#endif

template <class T, class Space>
class PartBuffer {
 public:
  PartBuffer() = default;
  PartBuffer(std::size_t size, std::span<const PartRange> used) : size_(size) {
    std::vector<PartRange> bytes;
    for (const PartRange& part : used)
      bytes.push_back({part.begin * sizeof(T), part.end * sizeof(T)});
    parts_ = memory_of_parts<Space>(size * sizeof(T), bytes);
    if (parts_ == nullptr) whole_ = make_whole(size);
  }

  T* data() { return parts_ != nullptr ? static_cast<T*>(parts_.get()) : whole_.data(); }
  const T* data() const {
    return parts_ != nullptr ? static_cast<const T*>(parts_.get()) : whole_.data();
  }
  std::size_t size() const { return size_; }
  // Of arrays that are used as a whole.
  void upload(std::span<const T> host) { whole_.upload(host); }
  std::vector<T> to_host() const { return whole_.to_host(); }

 private:
  static Buffer<T, Space> make_whole(std::size_t size) {
    if constexpr (std::is_same_v<Space, Host>) return Buffer<T, Space>::unwritten(size);
    return Buffer<T, Space>(size);
  }

  std::size_t size_ = 0;
  Buffer<T, Space> whole_;
  std::shared_ptr<void> parts_;
};

}  // namespace hodge::linalg
