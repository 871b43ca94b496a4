// Points put in the order of Fourier transforms (axis_wave.hpp), as a pass of its own: where the
// spectrum of a box is packed in lines, the other axes of which then have been cut.
#pragma once

#include <array>

#include "linalg/direct/box_pass.hpp"
#include "linalg/direct/box_places.hpp"

namespace hodge::linalg {

template <class Space, class T>
class SlotPass final : public BoxPass<T> {
 public:
  explicit SlotPass(const std::array<PointOrder, 3>& orders) : orders_(orders) {}
  void forward(const T* in, T* out) override { put_in_slots<Space>(orders_, in, out); }
  void backward(T* in, T* out) override {
    take_from_slots<Space>(orders_, static_cast<const T*>(in), out);
  }

 private:
  std::array<PointOrder, 3> orders_;
};

}  // namespace hodge::linalg
