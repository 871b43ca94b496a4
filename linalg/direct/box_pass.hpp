// One of the passes over the values of a box that a direct solve is made of: a transform along an
// axis, or a move of the values between processes.
#pragma once

#include <span>

namespace hodge::linalg {

// What happens to the two arrays of a pass outside of it. In turn: forward() comes first, from then
// on only `out` is worked on, until backward(), from then on only `in`, until forward().
enum class ArrayUse { in_turn, any };

template <class T>
class BoxPass {
 public:
  virtual ~BoxPass() = default;
  // `in` and `out` do not overlap; backward() may overwrite `in`.
  virtual void forward(const T* in, T* out) = 0;
  virtual void backward(T* in, T* out) = 0;
  // From now on forward() writes `out` alone, and backward() `in`, so that a move may write to the
  // arrays of other processes. Both are whole Buffers that outlive this pass, and lose what they
  // hold. Collective where processes share the box.
  virtual void fix_arrays(std::span<T> /*in*/, std::span<T> /*out*/, ArrayUse) {}
  // Whether it writes to arrays of other processes, without messages.
  virtual bool writes_directly() const { return false; }
  // Of a transform: backward(forward(x)) = scale^-1 W^-1 x
  virtual double scale() const { return 1; }
};

// A move of values between processes, which may also be done in pieces that travel beside other
// work. Forward, `in` of piece 0 is there when it starts, then that of piece 1, and so on; `out` is
// there after the last call. Backward, a piece of `out` is there once it has been waited for, in
// the same order.
template <class T>
class MovePass : public BoxPass<T> {
 public:
  virtual void start_forward(int piece, const T* in, T* out) = 0;
  virtual void finish_forward(const T* in, T* out) = 0;
  virtual void start_backward(T* in, T* out) = 0;
  virtual void wait_backward(int piece) = 0;
};

}  // namespace hodge::linalg
