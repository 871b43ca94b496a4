// The interface of an iterative method: it improves x until the monitor stops it.
//
// The driver (solve/solve.hpp) computes true residuals before and after, removes null spaces and
// decides on restarts and fallbacks, so that a method contains only its iteration.
#pragma once

#include <algorithm>
#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/matrices/operator.hpp"
#include "linalg/preconditioners/preconditioner.hpp"
#include "linalg/solvers/monitor.hpp"
#include "linalg/space/replay.hpp"

namespace hodge::linalg {

enum class NullSpace { none, constant };

// What has changed in A since the last solve.
enum class Changed { pattern, values, nothing };

// A x = b with the preconditioner M ~ A.
template <class Space, class T>
struct LinearSystem {
  const LinearOperator<Space, T>& A;
  const LinearOperator<Space, T>* A_transposed;  // null unless the method needs it
  Preconditioner<Space, T>& M;
  const Vector<Space, T>& b;
};

template <class Space, class T>
class Solver {
 public:
  using Settings = NoSettings;  // a method with settings of its own has its own struct

  virtual ~Solver() = default;
  // Sizes the work vectors; allocates only if `rows` is larger than ever before.
  virtual void resize(int rows) = 0;
  // For methods that factorise A first.
  virtual void setup(const LinearOperator<Space, T>&, Changed, NullSpace) {}
  // A finding of setup() that a user should know, or "".
  virtual std::string remark() const { return ""; }
  // Whether the monitor gets r itself after each iteration, or only its norm.
  virtual bool shows_residual() const { return true; }
  // On entry r = b - A x. Changes x (and r) until the monitor halts or the method needs a restart.
  virtual void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x,
                       Vector<Space, T>& r, Monitor<Space>& monitor) = 0;

  // The memory of the scalars of improve(). Their addresses are the same in each solve, so that
  // recordings of iterations stay valid.
  ScalarPool<Space>& scalars() { return scalars_; }

 protected:
  // while (monitor.running()) body(). On a GPU body() is recorded and replayed, so it must queue
  // the same work for every iteration, on x, r, the system, and vectors and scalars of the method.
  // ahead: iterations that are queued before the monitor has judged the last one, at most. 0 where
  // an iteration takes much longer than its launch and is not guarded.
  template <class Body>
  void iterate(const LinearSystem<Space, T>& system, const Vector<Space, T>& x,
               const Vector<Space, T>& r, Monitor<Space>& monitor, Body body,
               int ahead = Space::queue_depth) {
    const CsrMatrix<Space, T>* a = system.A.csr();
    // Not recorded: a matrix-free operator may queue different work each time, and the monitor's
    // limit on the maximum varies.
    if (a == nullptr || monitor.watches_maximum()) {
      while (monitor.running(ahead)) body();
      return;
    }
    const T* transposed =
        system.A_transposed != nullptr ? system.A_transposed->csr_view().values : nullptr;
    const ReplayKey key(x.data(), r.data(), x.size(), a->values().data(), &a->pattern(), transposed,
                        &system.M);
    // Processes that share the rows may not all have a recording.
    const int ahead_replayed = shared_rows().is_shared() ? ahead : std::min(ahead, 1);
    for (bool replayed = iteration_.has(key); monitor.running(replayed ? ahead_replayed : ahead);
         replayed = iteration_.has(key)) {
      iteration_.run(key, body);
      if (replayed) monitor.count_queued();
    }
  }

 private:
  ScalarPool<Space> scalars_;
  Replay<Space> iteration_;
};

}  // namespace hodge::linalg
