// The change of an array from its points along an axis to the amplitudes of that axis's
// eigenvectors, and back, as products of matrices.
#pragma once

#include <memory>

#include "linalg/direct/box_pass.hpp"
#include "linalg/space/axis_product.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space, class T>
class AxisProducts final : public BoxPass<T> {
 public:
  using Matrix = std::shared_ptr<const Buffer<T, Space>>;

  // `vectors`: those of eigenbasis(), which axes that are alike share.
  AxisProducts(const AxisShape& shape, Matrix vectors) : shape_(shape), vectors_(vectors) {
    AxisPrimitives<Space>::prepare_axis_products();
  }
  void forward(const T* in, T* out) override {
    AxisPrimitives<Space>::multiply_along(shape_, vectors_->data(), false, in, out);
  }
  void backward(T* in, T* out) override {
    AxisPrimitives<Space>::multiply_along(shape_, vectors_->data(), true, in, out);
  }

 private:
  AxisShape shape_;
  Matrix vectors_;
};

}  // namespace hodge::linalg
