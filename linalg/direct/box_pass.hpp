// One of the passes over the values of a box that a direct solve is made of: a transform along an
// axis, or a move of the values between processes.
#pragma once

namespace hodge::linalg {

template <class T>
class BoxPass {
 public:
  virtual ~BoxPass() = default;
  // `in` and `out` do not overlap; backward() may overwrite `in`.
  virtual void forward(const T* in, T* out) = 0;
  virtual void backward(T* in, T* out) = 0;
  // Of a transform: backward(forward(x)) = scale^-1 W^-1 x
  virtual double scale() const { return 1; }
};

}  // namespace hodge::linalg
