// An owning array of n values of T in the memory of a space, zero at first unless it is
// unwritten(). Move only.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

template <class T, class Space>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size_ == 0) return;
    data_ = static_cast<T*>(Space::allocate(bytes()));
    Space::clear(data_, bytes());
  }
  // Values that nobody has written. On the Host the system gives a large array the memory of a page
  // when the page is first touched, so that parts which are never used cost none.
  static Buffer unwritten(std::size_t size) {
    Buffer buffer;
    if (size != 0) buffer.data_ = static_cast<T*>(Space::allocate(size * sizeof(T)));
    buffer.size_ = size;
    return buffer;
  }
  explicit Buffer(std::span<const T> host) : Buffer(host.size()) { upload(host); }
  Buffer copy() const {
    Buffer result(size_);
    if (size_ != 0) Space::copy(data_, result.data_, bytes());
    return result;
  }

  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr) Space::deallocate(data_, bytes());
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  void upload(std::span<const T> host) {
    require_size(host.size(), "upload");
    if (size_ != 0) Space::upload(host.data(), data_, bytes());
  }
  void download(std::span<T> host) const {
    require_size(host.size(), "download");
    if (size_ != 0) Space::download(data_, host.data(), bytes());
  }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    download(host);
    return host;
  }

 private:
  void require_size(std::size_t host_size, const char* verb) const {
    if (host_size == size_) return;
    throw ShapeError(std::string("buffer ") + verb + ": the host array has " +
                     std::to_string(host_size) + " entries, the buffer " + std::to_string(size_));
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// One object in memory that the host and the device both read and write.
template <class T, class Space>
class Shared {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Shared() : object_(static_cast<T*>(Space::allocate_shared(sizeof(T)))) {}
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { Space::deallocate_shared(object_, sizeof(T)); }

  T* get() const { return object_; }
  T* operator->() const { return object_; }

 private:
  T* object_;
};

}  // namespace hodge::linalg
