// M ~ A, applied as z = M^-1 r, and as z = M^-T r where a method asks for it.
//
// setup() looks at the pattern and allocates; refresh() takes new values on the same pattern, on
// the device, without allocation. The operator must outlive the applications that follow.
#pragma once

#include <optional>
#include <string>

#include "linalg/cost/system_size.hpp"
#include "linalg/matrices/operator.hpp"
#include "linalg/settings/options.hpp"
#include "linalg/space/monitor_state.hpp"

namespace hodge::linalg {

// Where M^-1 is a diagonal matrix: its entries, null for the identity.
template <class T>
struct DiagonalInverse {
  const T* entries = nullptr;
};

// Why M cannot be made of A; `row` where a single one is to blame.
struct PreconditionerFailure {
  Breakdown reason = Breakdown::none;
  int row = -1;
};

template <class Space, class T>
class Preconditioner {
 public:
  using Settings = NoSettings;  // one with settings has its own struct

  virtual ~Preconditioner() = default;
  virtual void setup(const LinearOperator<Space, T>& a) = 0;
  virtual void refresh(const LinearOperator<Space, T>& a) = 0;
  // A stands in `a` from now on, maybe with new values; what was made of the old ones stays. For
  // preconditioners that apply A itself.
  virtual void keep(const LinearOperator<Space, T>&) {}
  // What setup() or refresh() has met. Waits for the device.
  virtual PreconditionerFailure failure() const { return {}; }

  // Returns M^-1 r: `z`, filled with it, or `r` itself where M is the identity.
  virtual const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) = 0;

  // For methods that then apply it themselves.
  virtual std::optional<DiagonalInverse<T>> diagonal_inverse() const { return {}; }
  bool is_identity() const {
    const auto diagonal = diagonal_inverse();
    return diagonal && diagonal->entries == nullptr;
  }

  // Called after setup() or refresh() with A^T, for methods that need M^-T; A^T must outlive the
  // applications.
  virtual void use_transpose(const LinearOperator<Space, T>&) {}
  // Returns M^-T r, as apply() does. A symmetric M needs no other code.
  virtual const Vector<Space, T>& apply_transposed(const Vector<Space, T>& r, Vector<Space, T>& z) {
    return apply(r, z);
  }

  // What setup() has made, in words, where the settings leave it open: "5 grids".
  virtual std::string made_text() const { return ""; }
  // Which setting to change where a solve has broken down because of it.
  virtual std::string advice(Breakdown) const { return ""; }
};

}  // namespace hodge::linalg
