// Adds a combination, a product of elements or dot products to a fused kernel (fused.cuh). Returns
// false, or -1, if there is no room; `fused` is then incomplete and must not be used. Before the
// kernel is launched, sort_slots gives the slots their last places.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "linalg/cuda/kernels/fused.cuh"

namespace hodge::linalg::cuda {

// The slot of `data`, a new one if it has none; -1 if there is no room.
template <class T>
int slot_of(Fused<T>& fused, const T* data) {
  for (int s = 0; s < fused.slots; ++s)
    if (fused.data[s] == data) return s;
  if (fused.slots == Fused<T>::most_slots) return -1;
  fused.data[fused.slots] = const_cast<T*>(data);  // written only where it is the result of a step
  return fused.slots++;
}

// A slot that an earlier step has written is not loaded.
template <class T>
int read_slot(Fused<T>& fused, const T* data) {
  const int slot = slot_of(fused, data);
  if (slot >= fused.steps) fused.loaded |= 1u << slot;
  return slot;
}

inline int renamed(int slot, int a, int b) {
  return slot == a ? b : slot == b ? a : slot;
}

// Slots a and b change places.
template <class T>
void swap_slots(Fused<T>& fused, int a, int b) {
  if (a == b) return;
  std::swap(fused.data[a], fused.data[b]);
  const unsigned bit_a = fused.loaded >> a & 1u, bit_b = fused.loaded >> b & 1u;
  fused.loaded = (fused.loaded & ~(1u << a) & ~(1u << b)) | bit_a << b | bit_b << a;
  for (int t = 0; t < fused.terms; ++t) fused.term[t].slot = renamed(fused.term[t].slot, a, b);
  for (int m = 0; m < fused.steps; ++m) {
    fused.step[m].left = renamed(fused.step[m].left, a, b);
    fused.step[m].right = renamed(fused.step[m].right, a, b);
  }
}

// The step writes the slot of its own number; no vector is written twice.
template <class T>
bool add_step(Fused<T>& fused, const FusedStep& step, T* out) {
  if (fused.steps == Fused<T>::most_steps) return false;
  const int slot = slot_of(fused, out), number = fused.steps;
  if (slot < number) return false;  // no room, or written before
  fused.step[fused.steps++] = step;
  swap_slots(fused, slot, number);
  return true;
}

// p = r + beta p is summed as beta p + r: the slot that a step writes is the first of its sum.
template <class T>
void put_own_term_first(Combination<T>& combination, const T* out) {
  Term<T>* end = combination.term + combination.terms;
  Term<T>* own =
      std::find_if(combination.term, end, [out](const Term<T>& t) { return t.data == out; });
  if (own != end) std::rotate(combination.term, own, own + 1);
}

template <class T>
bool add_combine(Fused<T>& fused, const Combination<T>& combination, T* out) {
  if (fused.dots > 0) return false;
  FusedStep step;
  step.first_term = fused.terms;
  for (int t = 0; t < combination.terms; ++t) {
    const Term<T>& term = combination.term[t];
    const int slot = term.data == nullptr ? -1 : read_slot(fused, term.data);
    if ((slot < 0 && term.data != nullptr) || fused.terms == Fused<T>::most_terms) return false;
    fused.term[fused.terms++] = {fused.steps, slot, term.coefficient};
  }
  step.terms_end = fused.terms;
  return add_step(fused, step, out);
}

template <class T>
bool add_product(Fused<T>& fused, const T* a, const T* b, T* out) {
  if (fused.dots > 0) return false;
  FusedStep step;
  step.is_product = true;
  step.left = read_slot(fused, a);
  step.right = read_slot(fused, b);
  return step.left >= 0 && step.right >= 0 && add_step(fused, step, out);
}

// Adds `result` to the results of an equal dot product; false if there is none, or no room.
template <class T>
bool share_dot(Fused<T>& fused, int left, int right, double* result) {
  for (int k = 0; k < fused.dots; ++k) {
    FusedDot& known = fused.dot[k];
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
bool add_dots(Fused<T>& fused, const DotPairs<T>& pairs) {
  for (int k = 0; k < pairs.count; ++k) {
    const bool ones = pairs.right[k] == nullptr;
    const int left = read_slot(fused, pairs.left[k]);
    const int right = ones ? -1 : read_slot(fused, pairs.right[k]);
    if (left < 0 || (right < 0 && !ones)) return false;
    if (share_dot(fused, left, right, pairs.result[k])) continue;
    if (fused.dots == Fused<T>::most_dots) return false;
    fused.dot[fused.dots++] = {left, right, {pairs.result[k]}};
  }
  return true;
}

template <class T>
bool is_in_slot_order(const Fused<T>& fused, int step) {
  int before = -2;
  for (int t = fused.step[step].first_term; t < fused.step[step].terms_end; ++t) {
    if (fused.term[t].slot < 0) continue;
    const int place = fused.term[t].slot == step ? -1 : fused.term[t].slot;
    if (place <= before) return false;
    before = place;
  }
  return true;
}

// The slots that no step writes are numbered as the terms of the combinations name them, so that
// most of those can be summed slot by slot.
template <class T>
void sort_slots(Fused<T>& fused) {
  constexpr int most = Fused<T>::most_slots;
  int number[most];
  std::fill(number, number + most, -1);
  std::iota(number, number + fused.steps, 0);
  int next = fused.steps;
  const auto name = [&](int slot) {
    if (slot >= 0 && number[slot] < 0) number[slot] = next++;
  };
  for (int t = 0; t < fused.terms; ++t) name(fused.term[t].slot);
  for (int s = 0; s < fused.slots; ++s) name(s);

  const auto rename = [&](int& slot) {
    if (slot >= 0) slot = number[slot];
  };
  for (int t = 0; t < fused.terms; ++t) rename(fused.term[t].slot);
  for (int m = 0; m < fused.steps; ++m) {
    if (fused.step[m].is_product) {
      rename(fused.step[m].left);
      rename(fused.step[m].right);
    }
  }
  for (int k = 0; k < fused.dots; ++k) {
    rename(fused.dot[k].left);
    rename(fused.dot[k].right);
  }
  const Fused<T> before = fused;
  fused.loaded = 0;
  for (int s = 0; s < fused.slots; ++s) {
    fused.data[number[s]] = before.data[s];
    fused.loaded |= (before.loaded >> s & 1u) << number[s];
  }
  fused.in_slot_order = true;
  for (int m = 0; m < fused.steps; ++m)
    fused.in_slot_order = fused.in_slot_order && is_in_slot_order(fused, m);
}

}  // namespace hodge::linalg::cuda
