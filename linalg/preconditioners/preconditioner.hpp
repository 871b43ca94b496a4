// M ~ A, applied as z = M^-1 r.
//
// setup() looks at the pattern and allocates; refresh() takes new values on the same pattern, on
// the device, without allocation. The operator must outlive the applications that follow.
#pragma once

#include "linalg/operator.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  virtual void setup(const LinearOperator<Space, T>& a) = 0;
  virtual void refresh(const LinearOperator<Space, T>& a) = 0;
  // Returns M^-1 r: `z`, filled with it, or `r` itself where M is the identity.
  virtual const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) = 0;
  // Row whose diagonal makes M impossible, -1 if there is none. Waits for the device.
  virtual int first_bad_row() const { return -1; }
};

}  // namespace hodge::linalg
