// Cuda space: what is gathered before it is launched (deferred.hpp).
#include "linalg/cuda/deferred.hpp"

#include <type_traits>
#include <utility>
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

template <int Slots, int Steps, int Dots, class T>
void launch_pass(const Pass<T>& pass, const ScalarOperations& afterwards) {
  const int most = pass.n < (1 << 20) ? group_blocks : one_wave_blocks;
  pass_kernel<Slots, Steps, Dots>
      <<<blocks_for(pass.n, reduction_threads, Dots > 0 ? most : one_wave_blocks),
         reduction_threads, 0, raw_stream()>>>(guard(), pass, afterwards, reduction_scratch());
  check_launch("pass_kernel");
}

template <int Slots, int Steps, class T>
void launch_pass(const Pass<T>& pass, const ScalarOperations& afterwards) {
  if (pass.dots == 0) return launch_pass<Slots, Steps, 0>(pass, afterwards);
  if (pass.dots == 1) return launch_pass<Slots, Steps, 1>(pass, afterwards);
  if (pass.dots == 2) return launch_pass<Slots, Steps, 2>(pass, afterwards);
  launch_pass<Slots, Steps, Pass<T>::most_dots>(pass, afterwards);
}

// The smallest kernel that has room for the pass; floats, which are rare, share the largest.
template <class T>
void launch_fitting(const Pass<T>& pass, const ScalarOperations& afterwards) {
  constexpr int slots = Pass<T>::most_slots, steps = Pass<T>::most_steps;
  if constexpr (std::is_same_v<T, double>) {
    if (pass.slots <= 2 && pass.steps == 0) return launch_pass<2, 0>(pass, afterwards);
    if (pass.slots <= 4 && pass.steps == 0) return launch_pass<4, 0>(pass, afterwards);
    if (pass.slots <= 4 && pass.steps <= 1) return launch_pass<4, 1>(pass, afterwards);
    if (pass.slots <= 4 && pass.steps <= 2) return launch_pass<4, 2>(pass, afterwards);
    if (pass.slots <= 6 && pass.steps <= 2) return launch_pass<6, 2>(pass, afterwards);
    if (pass.slots <= 6) return launch_pass<6, steps>(pass, afterwards);
  }
  launch_pass<slots, steps>(pass, afterwards);
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
  launch_combine(pass.n, combination, pass.data[0], guard());
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
  if (!launch_single(pass)) launch_fitting(pass, afterwards);
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

// A slot that a step before has written is not loaded.
template <class T>
int read_slot(Pass<T>& pass, const T* data) {
  const int slot = slot_of(pass, data);
  if (slot >= pass.steps) pass.loaded |= 1u << slot;
  return slot;
}

int renamed(int slot, int a, int b) {
  return slot == a ? b : slot == b ? a : slot;
}

// Slots a and b change places.
template <class T>
void swap_slots(Pass<T>& pass, int a, int b) {
  if (a == b) return;
  std::swap(pass.data[a], pass.data[b]);
  const unsigned bit_a = pass.loaded >> a & 1u, bit_b = pass.loaded >> b & 1u;
  pass.loaded = (pass.loaded & ~(1u << a) & ~(1u << b)) | bit_a << b | bit_b << a;
  for (int t = 0; t < pass.terms; ++t) pass.term[t].slot = renamed(pass.term[t].slot, a, b);
  for (int m = 0; m < pass.steps; ++m) {
    pass.step[m].left = renamed(pass.step[m].left, a, b);
    pass.step[m].right = renamed(pass.step[m].right, a, b);
  }
}

// The step writes the slot of its own number; a vector is written once in a pass.
template <class T>
bool add_step(Pass<T>& pass, const PassStep& step, T* out) {
  if (pass.steps == Pass<T>::most_steps) return false;
  const int slot = slot_of(pass, out), number = pass.steps;
  if (slot < number) return false;  // no room, or written before
  pass.step[pass.steps++] = step;
  swap_slots(pass, slot, number);
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

// Stores the result beside those of the same product; false where there is none or no room.
template <class T>
bool share_dot(Pass<T>& pass, int left, int right, double* result) {
  for (int k = 0; k < pass.dots; ++k) {
    PassDot& known = pass.dot[k];
    const bool same = (known.left == left && known.right == right) ||
                      (known.left == right && known.right == left);
    if (!same) continue;
    for (double*& place : known.result)
      if (place == nullptr) {
        place = result;
        return true;
      }
  }
  return false;
}

template <class T>
bool add_dots(Pass<T>& pass, const DotPairs<T>& pairs) {
  for (int k = 0; k < pairs.count; ++k) {
    const bool ones = pairs.right[k] == nullptr;
    const int left = read_slot(pass, pairs.left[k]);
    const int right = ones ? -1 : read_slot(pass, pairs.right[k]);
    if (left < 0 || (right < 0 && !ones)) return false;
    if (share_dot(pass, left, right, pairs.result[k])) continue;
    if (pass.dots == Pass<T>::most_dots) return false;
    pass.dot[pass.dots++] = {left, right, {pairs.result[k]}};
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

void defer(const ScalarOperation& operation, MonitorState* state) {
  Gathered& g = gathered();
  const bool other_state =
      state != nullptr && g.afterwards.state != nullptr && state != g.afterwards.state;
  if (!takes_scalar_operations(g.work) || g.afterwards.count == ScalarOperations::capacity ||
      other_state)
    launch_deferred();
  if (state != nullptr) g.afterwards.state = state;
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
