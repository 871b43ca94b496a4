// A preconditioner M ~ A for a sequence of matrices A, rebuilt when its policy says so
// (refresh_policy.hpp).
//
// A kept M that applies A itself (ssor_sai factored, neumann) uses the new entries of A; what it
// has computed from the old entries, such as the inverse diagonal, stays.
//
// A continued run has to make the same M. So this object keeps values of A, 8 bytes per non-zero:
// those that M was made of, with a policy other than `every`; and those of the last setup(), where
// it chose something by them that refresh() keeps, the cells that multigrid joins, say.
#pragma once

#include <memory>
#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/settings/settings.hpp"
#include "linalg/solve/operator_identity.hpp"
#include "linalg/solve/refresh_policy.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

// Whether a solver with refresh `every` will be continued with the choices of its preconditioner.
enum class Choices { forgotten, kept };

// The values of A that such a preconditioner keeps.
struct KeptValues {
  bool of_making = false, of_choice = false;
  std::size_t count() const { return (of_making ? 1U : 0U) + (of_choice ? 1U : 0U); }
};
KeptValues kept_values(const SolverSettings& settings, Choices choices);

template <class Space, class T>
class KeptPreconditioner {
 public:
  KeptPreconditioner(const SolverSettings& settings, Choices choices);

  Preconditioner<Space, T>& operator*() { return *preconditioner_; }
  Preconditioner<Space, T>* operator->() { return preconditioner_.get(); }

  // Before a solve with A: rebuilds M or keeps it. Notices a new pattern itself.
  PreconditionerFailure update(const LinearOperator<Space, T>& a, Changed changed);
  // Rebuilds M from A's present values.
  PreconditionerFailure make_anew(const LinearOperator<Space, T>& a);
  bool is_made() const { return seen_ != nullptr; }
  bool is_older() const { return is_older_; }  // than A's values
  int age() const { return policy_.age(); }
  void solved(int iterations, double seconds) { policy_.solved(iterations, seconds); }

  // Between a solver of shared rows and one that does its work on gathered systems, where every
  // process has the state of the whole. hand_over() leaves in `to` what for_each_state() is to
  // visit, with the entries of all processes in the first one; take_over() begins with such a
  // state. take_over() and agree_on_times() are collective.
  void hand_over(const SharedRows& shared, KeptPreconditioner& to) const;
  void take_over(const SharedRows& shared, const KeptPreconditioner& from);
  // The times of process 0 for all: the processes must come to the same decisions.
  void agree_on_times(const SharedRows& shared);

  // visit(name, Vector<Space, T>&), which may resize it,
  // visit(name, number&, least, most).
  template <class Visitor>
  void for_each_state(Visitor&& visit) {
    if (keeps_.of_choice) visit("chosen_by", chosen_by_);
    if (!keeps_.of_making) return;
    visit("made_of", made_of_);
    policy_.for_each_state(visit);
  }

 private:
  PreconditionerFailure make(const LinearOperator<Space, T>& a, bool new_pattern);
  bool make_of_kept_values(const LinearOperator<Space, T>& a);
  // The values that setup() needs for this M.
  Vector<Space, T>& first_values() { return keeps_.of_choice ? chosen_by_ : made_of_; }

  std::unique_ptr<Preconditioner<Space, T>> preconditioner_;
  KeptValues keeps_;
  RefreshPolicy policy_;
  Vector<Space, T> chosen_by_, made_of_;
  OperatorIdentity seen_;  // that M was made of; null: not yet
  bool is_older_ = false;
};

}  // namespace hodge::linalg
