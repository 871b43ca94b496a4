#include "linalg/solve/whole_solve.hpp"

#include "linalg/base/errors.hpp"
#include "linalg/solve/solve.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

template <class Space, class T>
struct WholeSolve<Space, T>::System {
  int of = -1;  // the sequence whose values it has
  WholeMatrix<Space, T> matrix;
  WholeVectors<Space, T> vectors;
  Vec b, x;
  WholeVectors<Space, double> of_weights;
  Vector<Space, double> weights;

  void set_up(const CsrMatrix<Space, T>& a) {
    matrix.setup(a);
    vectors.setup(a);
    const auto rows = static_cast<int>(a.shared_rows().total);
    b.resize(rows);
    x.resize(rows);
  }
};

template <class Space, class T>
WholeSolve<Space, T>::WholeSolve(const SolverSettings& settings, int systems, Choices choices)
    : settings_(settings), systems_(systems), choices_(choices) {
  settings_.max_seconds.reset();
}

template <class Space, class T>
WholeSolve<Space, T>::~WholeSolve() = default;

// All processes have set up the same systems.
template <class Space, class T>
auto WholeSolve<Space, T>::system(const LinearOperator<Space, T>& a, const SolveOptions& options)
    -> System& {
  if (a.csr() == nullptr)
    throw ShapeError("rows of an operator without entries that processes share, expected a matrix");
  std::unique_ptr<System>& known = gathered_[&a.csr()->pattern()];
  if (known == nullptr || (options.changed == Changed::pattern && known->of == options.system)) {
    known = std::make_unique<System>();
    known->set_up(*a.csr());
  } else if (options.changed != Changed::nothing || known->of != options.system) {
    known->matrix.refresh(*a.csr());
  }
  known->of = options.system;
  return *known;
}

template <class Space, class T>
SolveReport WholeSolve<Space, T>::solve(const LinearOperator<Space, T>& a, const Vec& b, Vec& x,
                                        const SolveOptions& options,
                                        const MaximumRule<Space>* maximum, Kept kept,
                                        Vec& residual) {
  shared_ = a.shared_rows();
  System& whole = system(a, options);
  whole.vectors.gather(b, whole.b);
  whole.vectors.gather(x, whole.x);
  MaximumRule<Space> rule;
  if (maximum != nullptr) {
    rule = *maximum;
    whole.of_weights.setup(a.shared_rows(), a.rows());
    whole.weights.resize(whole.b.size());
    whole.of_weights.gather(*maximum->weights, whole.weights);
    rule.weights = &whole.weights;
  }
  if (solver_ == nullptr) {
    solver_ =
        std::make_unique<LinearSolver<Space, T>>(settings_, whole.b.size(), systems_, choices_);
    const Kept own = solver_->kept_preconditioners();
    for (std::size_t i = 0; i < own.size(); ++i) own[i].take_over(shared_, kept[i]);
  }
  SolveReport report;
  {
    const SharingRows alone(shared_.whole());
    SolveOptions without_limit = options;
    without_limit.most_seconds.reset();
    report = solver_->solve(whole.matrix.matrix(), whole.b, whole.x, without_limit,
                            maximum != nullptr ? &rule : nullptr);
  }
  if (refresh_of(settings_.refresh) == Refresh::automatic)
    for (auto& own : solver_->kept_preconditioners()) own.agree_on_times(shared_);
  whole.vectors.take(whole.x, x);
  whole.vectors.take(solver_->last_residual(), residual);
  return report;
}

template <class Space, class T>
void WholeSolve<Space, T>::hand_state_to(Kept kept) const {
  if (solver_ == nullptr) return;
  const Kept own = solver_->kept_preconditioners();
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i].is_made()) own[i].hand_over(shared_, kept[i]);
}

#define HODGE_WHOLE_SOLVE(Space, T) template class WholeSolve<Space, T>;
HODGE_FOR_EACH_SPACE_AND_VALUE(HODGE_WHOLE_SOLVE)

}  // namespace hodge::linalg
