// Owns an identifier of HDF5 and closes it.
#pragma once

#include <cstdint>

namespace hodge::sim {

class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);
  Hdf5Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) (void)close_(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  std::int64_t id() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  std::int64_t id_;
  Close close_;
};

}  // namespace hodge::sim
