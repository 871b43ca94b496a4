// How a combination, a product of elements or dot products join a pass (pass.cuh). False, or -1,
// where there is no room; the pass is then spoilt.
#pragma once

#include <utility>

#include "linalg/cuda/pass.cuh"

namespace hodge::linalg::cuda {

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

inline int renamed(int slot, int a, int b) {
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

}  // namespace hodge::linalg::cuda
