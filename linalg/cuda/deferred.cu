// Cuda space: what is gathered before it is launched (deferred.hpp).
#include "linalg/cuda/deferred.hpp"

#include <variant>

#include "linalg/cuda/pass.cuh"
#include "linalg/errors.hpp"

namespace hodge::linalg::cuda {

namespace {

using Work = std::variant<std::monostate, Pass<double>, Pass<float>, DeferredProduct<double>,
                          DeferredProduct<float>>;

struct Gathered {
  Work work;
  ScalarOperations afterwards;
};

Gathered& gathered() {
  static Gathered the_gathered;
  return the_gathered;
}

cudaStream_t raw_stream() {
  return context().stream;
}

template <int Slots, int Dots, class T>
void launch_pass(const Pass<T>& pass, const ScalarOperations& afterwards) {
  const int blocks = Dots > 0 ? reduction_blocks(pass.n, reduction_threads)
                              : blocks_for(pass.n, reduction_threads, most_reduction_blocks);
  pass_kernel<Slots, Dots><<<blocks, reduction_threads, 0, raw_stream()>>>(
      guard(), pass, afterwards, reduction_scratch());
  check_launch("pass_kernel");
}

template <int Slots, class T>
void launch_pass(const Pass<T>& pass, const ScalarOperations& afterwards) {
  if (pass.dots == 0) return launch_pass<Slots, 0>(pass, afterwards);
  if (pass.dots <= 2) return launch_pass<Slots, 2>(pass, afterwards);
  launch_pass<Slots, 4>(pass, afterwards);
}

// A single combination goes by the kernel made for its number of terms.
template <class T>
bool launch_single(const Pass<T>& pass) {
  if (pass.steps != 1 || pass.dots != 0 || pass.step[0].is_product ||
      pass.terms > Combination<T>::capacity)
    return false;
  Combination<T> combination;
  for (int t = 0; t < pass.terms; ++t) {
    const int slot = pass.term[t].slot;
    combination.term[combination.terms++] = {pass.term[t].coefficient,
                                             slot < 0 ? nullptr : pass.data[slot]};
  }
  launch_combine(pass.n, combination, pass.data[pass.step[0].out], guard());
  return true;
}

void launch(std::monostate, const ScalarOperations& afterwards) {
  if (afterwards.count > 0) launch_scalar_operations(guard(), afterwards);
}
template <class T>
void launch(const DeferredProduct<T>& product, const ScalarOperations& afterwards) {
  launch_product_and_dots(product, guard(), afterwards);
}
template <class T>
void launch(const Pass<T>& pass, const ScalarOperations& afterwards) {
  if (launch_single(pass)) return;
  if (pass.slots <= 2) return launch_pass<2>(pass, afterwards);
  if (pass.slots <= 4) return launch_pass<4>(pass, afterwards);
  if (pass.slots <= 6) return launch_pass<6>(pass, afterwards);
  launch_pass<Pass<T>::most_slots>(pass, afterwards);
}

// The slot of `data`, a new one where it has none; -1 where there is no room.
template <class T>
int slot_of(Pass<T>& pass, const T* data) {
  for (int s = 0; s < pass.slots; ++s)
    if (pass.data[s] == data) return s;
  if (pass.slots == Pass<T>::most_slots) return -1;
  pass.data[pass.slots] = const_cast<T*>(data);  // written only where it is the result of a step
  return pass.slots++;
}

template <class T>
int read_slot(Pass<T>& pass, const T* data) {
  const int slot = slot_of(pass, data);
  if (slot >= 0 && (pass.stored >> slot & 1u) == 0) pass.loaded |= 1u << slot;
  return slot;
}

template <class T>
bool add_step(Pass<T>& pass, PassStep step, T* out) {
  step.out = slot_of(pass, out);
  if (step.out < 0 || pass.steps == Pass<T>::most_steps) return false;
  pass.stored |= 1u << step.out;
  pass.step[pass.steps++] = step;
  return true;
}

template <class T>
bool add_combine(Pass<T>& pass, const Combination<T>& combination, T* out) {
  if (pass.dots > 0) return false;
  for (int t = 0; t < combination.terms; ++t) {
    const Term<T>& term = combination.term[t];
    const int slot = term.data == nullptr ? -1 : read_slot(pass, term.data);
    if ((slot < 0 && term.data != nullptr) || pass.terms == Pass<T>::most_terms) return false;
    pass.term[pass.terms++] = {pass.steps, slot, term.coefficient};
  }
  return add_step(pass, {}, out);
}

template <class T>
bool add_product(Pass<T>& pass, const T* a, const T* b, T* out) {
  if (pass.dots > 0) return false;
  PassStep step;
  step.is_product = true;
  step.left = read_slot(pass, a);
  step.right = read_slot(pass, b);
  return step.left >= 0 && step.right >= 0 && add_step(pass, step, out);
}

template <class T>
bool add_dots(Pass<T>& pass, const DotPairs<T>& pairs) {
  if (pass.dots + pairs.count > Pass<T>::most_dots) return false;
  for (int k = 0; k < pairs.count; ++k) {
    PassDot dot{read_slot(pass, pairs.left[k]), -1, pairs.result[k]};
    if (pairs.right[k] != nullptr) dot.right = read_slot(pass, pairs.right[k]);
    if (dot.left < 0 || (dot.right < 0 && pairs.right[k] != nullptr)) return false;
    pass.dot[pass.dots++] = dot;
  }
  return true;
}

// Joins the gathered pass where `add` can, else begins a new one.
template <class T, class Add>
void join(int n, Add add) {
  Gathered& g = gathered();
  if (auto* pass = std::get_if<Pass<T>>(&g.work);
      pass != nullptr && pass->n == n && g.afterwards.count == 0) {
    Pass<T> longer = *pass;
    if (add(longer)) {
      *pass = longer;
      return;
    }
  }
  launch_deferred();
  Pass<T> pass;
  pass.n = n;
  if (!add(pass)) throw ShapeError("a pass over more vectors than there are slots");
  g.work = pass;
}

bool takes_scalar_operations(const Work& work) {
  return std::visit(
      [](const auto& w) {
        using W = std::decay_t<decltype(w)>;
        if constexpr (std::is_same_v<W, Pass<double>> || std::is_same_v<W, Pass<float>>)
          return w.dots > 0;
        return true;
      },
      work);
}

}  // namespace

void launch_deferred() {
  Gathered& g = gathered();
  if (g.work.index() == 0 && g.afterwards.count == 0) return;
  const Gathered now = g;
  g = Gathered{};
  std::visit([&now](const auto& work) { launch(work, now.afterwards); }, now.work);
}

template <class T>
void defer_combine(int n, const Combination<T>& combination, T* out) {
  if (n > 0) join<T>(n, [&](Pass<T>& pass) { return add_combine(pass, combination, out); });
}
template <class T>
void defer_multiply_elements(int n, const T* a, const T* b, T* out) {
  if (n > 0) join<T>(n, [&](Pass<T>& pass) { return add_product(pass, a, b, out); });
}
template <class T>
void defer_dots(int n, const DotPairs<T>& pairs) {
  join<T>(n, [&](Pass<T>& pass) { return add_dots(pass, pairs); });
}

template <class T>
void defer_product(const DeferredProduct<T>& product) {
  launch_deferred();
  gathered().work = product;
}

void defer(const ScalarOperation& operation) {
  Gathered& g = gathered();
  if (!takes_scalar_operations(g.work) || g.afterwards.count == ScalarOperations::capacity)
    launch_deferred();
  g.afterwards.operation[g.afterwards.count++] = operation;
}

#define HODGE_DEFERRED(T)                                             \
  template void defer_combine(int, const Combination<T>&, T*);        \
  template void defer_multiply_elements(int, const T*, const T*, T*); \
  template void defer_dots(int, const DotPairs<T>&);                  \
  template void defer_product(const DeferredProduct<T>&);
HODGE_DEFERRED(double)
HODGE_DEFERRED(float)

}  // namespace hodge::linalg::cuda
