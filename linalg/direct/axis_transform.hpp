// The change of an array from its points along an axis to the amplitudes of that axis's
// eigenvectors, and back.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linalg/matrices/separable_system.hpp"
#include "linalg/space/axis_product.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class T>
class AxisTransform {
 public:
  virtual ~AxisTransform() = default;
  // `in` and `out` do not overlap; backward() may overwrite `in`.
  virtual void forward(const T* in, T* out) = 0;
  virtual void backward(T* in, T* out) = 0;
  // backward(forward(x)) = scale^-1 W^-1 x
  virtual double scale() const = 0;
};

// By the eigenvectors, as products of matrices.
template <class Space, class T>
class AxisProducts final : public AxisTransform<T> {
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
  double scale() const override { return 1; }

 private:
  AxisShape shape_;
  Matrix vectors_;
};

}  // namespace hodge::linalg
