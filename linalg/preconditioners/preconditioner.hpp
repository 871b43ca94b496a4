// M ~ A, applied as z = M^-1 r, and as z = M^-T r for methods that need that.
//
// setup() analyses the pattern and allocates; refresh() takes new values on the same pattern, in
// the space and without allocating. The operator must outlive the applications that follow. One for
// which setup() chooses something by the values, and refresh() keeps it, has
//
//   static bool chooses(const Settings&)
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "linalg/cost/system_size.hpp"
#include "linalg/matrices/operator.hpp"
#include "linalg/settings/options.hpp"
#include "linalg/space/monitor_state.hpp"

namespace hodge::linalg {

// A diagonal matrix M^-1: its entries, null for the identity.
template <class T>
struct DiagonalInverse {
  const T* entries = nullptr;
};

// M^-1 = scale V D'^-1 W with V and W the Neumann series of the SSOR factors of the matrix of the
// system (ssor_sai.hpp).
template <class T>
struct SsorFactors {
  const T* inverse_diagonal = nullptr;  // D'^-1
  int order = 0;                        // of the series, 1 or 2
  double scale = 1.0;
};

// Why M cannot be made of A; `row` of the whole system if a single row is the cause.
struct PreconditionerFailure {
  Breakdown reason = Breakdown::none;
  std::int64_t row = -1;
};

template <class Space, class T>
class Preconditioner {
 public:
  using Settings = NoSettings;  // one with settings has its own struct

  virtual ~Preconditioner() = default;
  virtual void setup(const LinearOperator<Space, T>& a) = 0;
  virtual void refresh(const LinearOperator<Space, T>& a) = 0;
  // A is stored in `a` from now on, perhaps with new values; what setup() or refresh() computed
  // from the old values stays. For preconditioners that apply A itself.
  virtual void keep(const LinearOperator<Space, T>&) {}
  // The failure of the last setup() or refresh(). Waits for the device. Where processes share the
  // rows, all of them ask for it, and get the same answer.
  virtual PreconditionerFailure failure() const { return {}; }
  // Stores M^-1 r in `z` and returns it; returns `r` itself if M is the identity.
  virtual const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) = 0;

  // M^-1 if it is a diagonal matrix, for methods that multiply with it themselves.
  virtual std::optional<DiagonalInverse<T>> diagonal_inverse() const { return {}; }
  // M^-1 if it is a product of SSOR factors of the matrix that setup(), refresh() or keep() got.
  virtual std::optional<SsorFactors<T>> ssor_factors() const { return {}; }
  bool is_identity() const {
    const auto diagonal = diagonal_inverse();
    return diagonal && diagonal->entries == nullptr;
  }
  bool multiplies_by_elements() const {
    const auto diagonal = diagonal_inverse();
    return diagonal && diagonal->entries != nullptr;
  }

  // Called with A^T after setup() or refresh(), for methods that need M^-T. A^T must live on.
  virtual void use_transpose(const LinearOperator<Space, T>&) {}
  // Returns M^-T r, as apply() does. A symmetric M needs no other code.
  virtual const Vector<Space, T>& apply_transposed(const Vector<Space, T>& r, Vector<Space, T>& z) {
    return apply(r, z);
  }

  // What setup() has made, in words, if the settings leave that open: "5 grids".
  virtual std::string made_text() const { return ""; }
  // Which setting to change after a breakdown that it has caused.
  virtual std::string advice(Breakdown) const { return ""; }
};

}  // namespace hodge::linalg
