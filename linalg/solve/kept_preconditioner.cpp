#include "linalg/solve/kept_preconditioner.hpp"

#include "linalg/base/timing.hpp"
#include "linalg/processes/agree.hpp"
#include "linalg/processes/lists.hpp"
#include "linalg/processes/parts.hpp"
#include "linalg/solve/registry.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace {

template <class Space, class T>
void copy(const Buffer<T, Space>& values, Vector<Space, T>& to) {
  to.resize(static_cast<int>(values.size()));
  Space::copy(values.data(), to.data(), values.bytes());
}

// A restored state has the values of all processes in process 0. Collective where rows are shared:
// afterwards each process has those of its `own` entries.
template <class Space, class T>
void share_restored(const SharedRows& shared, std::size_t own, Vector<Space, T>& kept) {
  if (!shared.is_shared()) return;
  std::vector<std::int64_t> first{0};
  for (const std::size_t count : gather_one(*shared.processes, own))
    first.push_back(first.back() + static_cast<std::int64_t>(count));
  if (!of_first_process(shared, first[1] < first.back() && kept.size() == first.back())) return;
  const std::vector<T> part = scatter(*shared.processes, std::span<const T>(kept.to_host()),
                                      std::span(std::as_const(first)));
  kept.resize(static_cast<int>(part.size()));
  kept.upload(part);
}

}  // namespace

KeptValues kept_values(const SolverSettings& settings, Choices choices) {
  const Refresh refresh = refresh_of(settings.refresh);
  const PreconditionerSettings& kind = settings.preconditioner;
  const bool chooses =
      uses_preconditioner(settings) && find_preconditioner(kind.kind).chooses(kind.options);
  // With `never` both would be the same.
  const bool of_choice =
      refresh == Refresh::automatic || (refresh == Refresh::every && choices == Choices::kept);
  return {refresh != Refresh::every, chooses && of_choice};
}

template <class Space, class T>
KeptPreconditioner<Space, T>::KeptPreconditioner(const SolverSettings& settings, Choices choices)
    : preconditioner_(std::get<PreconditionerMaker<Space, T>>(
          find_preconditioner(settings.preconditioner.kind).make)(settings.preconditioner.options)),
      keeps_(kept_values(settings, choices)),
      policy_(refresh_of(settings.refresh)) {}

template <class Space, class T>
PreconditionerFailure KeptPreconditioner<Space, T>::update(const LinearOperator<Space, T>& a,
                                                           Changed changed) {
  if (seen_ == nullptr && make_of_kept_values(a)) changed = Changed::values;
  if (seen_ != identity_of(a)) changed = Changed::pattern;
  if (changed == Changed::pattern) return make(a, true);
  if (changed == Changed::nothing) return {};
  if (policy_.due()) return make(a, false);
  preconditioner_->keep(a);
  is_older_ = true;
  return {};
}

template <class Space, class T>
PreconditionerFailure KeptPreconditioner<Space, T>::make_anew(const LinearOperator<Space, T>& a) {
  return make(a, false);
}

template <class Space, class T>
PreconditionerFailure KeptPreconditioner<Space, T>::make(const LinearOperator<Space, T>& a,
                                                         bool new_pattern) {
  if (keeps_.of_making) Space::synchronize();  // so that the time is that of making M alone
  const Clock clock;
  if (new_pattern) {
    preconditioner_->setup(a);
  } else {
    preconditioner_->refresh(a);
  }
  const PreconditionerFailure failure = preconditioner_->failure();
  seen_ = identity_of(a);
  is_older_ = false;
  if (keeps_.of_making) Space::synchronize();
  policy_.made(of_first_process(a.shared_rows(), clock.seconds()), new_pattern);
  if (a.csr() == nullptr) return failure;
  if (keeps_.of_choice && new_pattern) copy(a.csr()->values(), chosen_by_);
  if (keeps_.of_making) copy(a.csr()->values(), made_of_);
  return failure;
}

// When a run is continued: makes M of the values that it was made of before.
template <class Space, class T>
bool KeptPreconditioner<Space, T>::make_of_kept_values(const LinearOperator<Space, T>& a) {
  if (a.csr() == nullptr) return false;
  const SharedRows shared = a.shared_rows();
  const std::size_t own = a.csr()->values().size();
  const auto fit = [&](Vector<Space, T>& kept) {
    if (greatest(shared, kept.size()) == 0) return false;
    share_restored(shared, own, kept);
    return greatest(shared, own == static_cast<std::size_t>(kept.size()) ? 0 : 1) == 0;
  };
  if (!fit(first_values())) return false;
  const bool was_refreshed = keeps_.of_making && keeps_.of_choice && fit(made_of_);
  CsrMatrix<Space, T> old(a.csr()->shared_pattern(), a.symmetry());
  old.place_in(a.csr()->box());
  const auto take = [&](const Vector<Space, T>& kept) {
    Space::copy(kept.data(), old.values().data(), old.values().bytes());
  };
  take(first_values());
  preconditioner_->setup(old);
  if (was_refreshed) {
    take(made_of_);
    preconditioner_->refresh(old);
  }
  preconditioner_->keep(a);
  Space::synchronize();
  seen_ = identity_of(a);
  return true;
}

template <class Space, class T>
void KeptPreconditioner<Space, T>::hand_over(const SharedRows& shared,
                                             KeptPreconditioner& to) const {
  to.policy_ = policy_;
  const bool is_first = shared.processes->rank() == 0;
  for (auto values : {&KeptPreconditioner::chosen_by_, &KeptPreconditioner::made_of_}) {
    const int entries = is_first ? (this->*values).size() : 0;
    (to.*values).resize(entries);
    Space::copy((this->*values).data(), (to.*values).data(),
                sizeof(T) * static_cast<std::size_t>(entries));
  }
}

template <class Space, class T>
void KeptPreconditioner<Space, T>::take_over(const SharedRows& shared,
                                             const KeptPreconditioner& from) {
  policy_ = from.policy_;
  const bool is_first = shared.processes->rank() == 0;
  for (auto kept : {&KeptPreconditioner::chosen_by_, &KeptPreconditioner::made_of_}) {
    const int entries = of_first_process(shared, (from.*kept).size());
    if (entries == 0) continue;
    std::vector<T> values = is_first ? (from.*kept).to_host() : std::vector<T>(entries);
    shared.processes->broadcast(std::as_writable_bytes(std::span(values)), 0);
    (this->*kept).resize(entries);
    (this->*kept).upload(values);
  }
}

template <class Space, class T>
void KeptPreconditioner<Space, T>::agree_on_times(const SharedRows& shared) {
  policy_ = of_first_process(shared, policy_);
}

#define HODGE_KEPT_PRECONDITIONER(Space, T) template class KeptPreconditioner<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_KEPT_PRECONDITIONER)

}  // namespace hodge::linalg
