// A vector in the memory of a space. A linear combination of vectors, written as in the paper, is
// one fused kernel:
//
//   s = r - alpha * v;                      p = z + beta * p;                     x = x - mean(x);
//
// The coefficients are numbers, scalars in the memory of the space, or products and quotients of
// scalars (Monomial). The vector on the left may also stand on the right. All lengths must agree
// (ShapeError).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/scalar.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Vector;

// The right side of an assignment: the argument of combine(), and the common length of its vectors.
template <class Space, class T>
struct Expression {
  Combination<T> combination;
  int size = -1;  // -1 while there are only constants

  void add(const Monomial& coefficient, const T* data, int length) {
    if (combination.terms == Combination<T>::capacity) {
      throw ShapeError("a linear combination of more than 6 vectors");
    }
    if (data != nullptr && size >= 0 && length != size) {
      throw ShapeError("vectors of " + std::to_string(size) + " and " + std::to_string(length) +
                       " entries in one linear combination");
    }
    if (data != nullptr) size = length;
    combination.term[combination.terms++] = {coefficient, data};
  }
};

template <class Space, class T = double>
class Vector {
 public:
  using Value = T;

  Vector() = default;
  explicit Vector(int size) : memory_(size), data_(memory_.data()), size_(size) {}
  explicit Vector(std::span<const T> host)
      : memory_(host), data_(memory_.data()), size_(static_cast<int>(host.size())) {}
  // A vector over memory that another object owns.
  static Vector view(T* data, int size) {
    Vector v;
    v.data_ = data;
    v.size_ = size;
    return v;
  }

  Vector(const Vector&) = delete;
  Vector(Vector&&) noexcept = default;
  Vector& operator=(Vector&& other) noexcept = default;
  Vector& operator=(const Vector& other) { return *this = 1.0 * other; }
  Vector& operator=(const Expression<Space, T>& e) {
    if (e.size >= 0 && e.size != size_) {
      throw ShapeError("a vector of " + std::to_string(size_) +
                       " entries cannot be assigned one of " + std::to_string(e.size));
    }
    Space::combine(size_, e.combination, data_);
    return *this;
  }

  int size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }

  void fill(T value) { Space::fill(size_, value, data_); }

  // Changes the length, and allocates only beyond every earlier length. The entries are undefined.
  void resize(int size) {
    if (static_cast<std::size_t>(size) > memory_.size()) memory_ = Buffer<T, Space>(size);
    data_ = memory_.data();
    size_ = size;
  }

  void upload(std::span<const T> host) {
    require_host_size(host.size());
    if (size_ != 0) Space::upload(host.data(), data_, sizeof(T) * host.size());
  }
  void download(std::span<T> host) const {
    require_host_size(host.size());
    if (size_ != 0) Space::download(data_, host.data(), sizeof(T) * host.size());
  }
  std::vector<T> to_host() const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    download(host);
    return host;
  }

 private:
  void require_host_size(std::size_t host_size) const {
    if (host_size == static_cast<std::size_t>(size_)) return;
    throw ShapeError("a host array of " + std::to_string(host_size) +
                     " entries does not fit a vector of " + std::to_string(size_));
  }

  Buffer<T, Space> memory_;
  T* data_ = nullptr;
  int size_ = 0;
};

namespace detail {

template <class Space, class T>
Expression<Space, T> term(const Monomial& coefficient, const Vector<Space, T>& v) {
  Expression<Space, T> e;
  e.add(coefficient, v.data(), v.size());
  return e;
}

template <class Space, class T>
Expression<Space, T> append(Expression<Space, T> a, const Expression<Space, T>& b, double sign) {
  for (int i = 0; i < b.combination.terms; ++i) {
    Monomial coefficient = b.combination.term[i].coefficient;
    coefficient.factor *= sign;
    a.add(coefficient, b.combination.term[i].data, b.size);
  }
  return a;
}

template <class Space, class T>
Expression<Space, T> expression(const Vector<Space, T>& v) {
  return term(Monomial{}, v);
}
template <class Space, class T>
const Expression<Space, T>& expression(const Expression<Space, T>& e) {
  return e;
}

// A vector or an expression.
template <class X>
concept VectorLike = requires(const X& x) {
  detail::expression(x);
};

}  // namespace detail

template <class Space, class T>
Expression<Space, T> operator*(double a, const Vector<Space, T>& v) {
  Monomial coefficient;
  coefficient.factor = a;
  return detail::term(coefficient, v);
}
template <class Space, class T>
Expression<Space, T> operator*(const Monomial& a, const Vector<Space, T>& v) {
  return detail::term(a, v);
}
template <class Space, class T>
Expression<Space, T> operator*(const Scalar<Space>& a, const Vector<Space, T>& v) {
  return detail::term(a.monomial(), v);
}
template <class Space, class T>
Expression<Space, T> operator/(const Vector<Space, T>& v, const Scalar<Space>& a) {
  return detail::term(reciprocal(a.monomial()), v);
}

template <detail::VectorLike A, detail::VectorLike B>
auto operator+(const A& a, const B& b) {
  return detail::append(detail::expression(a), detail::expression(b), 1.0);
}
template <detail::VectorLike A, detail::VectorLike B>
auto operator-(const A& a, const B& b) {
  return detail::append(detail::expression(a), detail::expression(b), -1.0);
}
// A constant taken from every entry.
template <detail::VectorLike A>
auto operator-(const A& a, const Monomial& constant) {
  auto e = detail::expression(a);
  e.add(-constant, nullptr, e.size);
  return e;
}

// a . b for each pair, all in one pass over the vectors: `auto [ts, tt] = dots(t, s, t, t);`
template <class Space, class T, class... Rest>
auto dots(const Vector<Space, T>& a, const Vector<Space, T>& b, const Rest&... rest) {
  static_assert(sizeof...(Rest) % 2 == 0, "dots takes pairs of vectors");
  constexpr int count = 1 + static_cast<int>(sizeof...(Rest)) / 2;
  static_assert(count <= DotPairs<T>::capacity);
  const std::array<const Vector<Space, T>*, 2 * count> operand{&a, &b, &rest...};
  std::array<Scalar<Space>, count> result;
  DotPairs<T> pairs;
  pairs.count = count;
  for (int i = 0; i < count; ++i) {
    if (operand[2 * i]->size() != a.size() || operand[2 * i + 1]->size() != a.size()) {
      throw ShapeError("dot products of vectors of different lengths");
    }
    pairs.left[i] = operand[2 * i]->data();
    pairs.right[i] = operand[2 * i + 1]->data();
    pairs.result[i] = result[i].data();
  }
  Space::dots(a.size(), pairs);
  return result;
}

template <class Space, class T>
Scalar<Space> dot(const Vector<Space, T>& a, const Vector<Space, T>& b) {
  return std::move(dots(a, b)[0]);
}

template <class Space, class T>
Scalar<Space> sum(const Vector<Space, T>& a) {
  Scalar<Space> result;
  DotPairs<T> pairs;
  pairs.count = 1;
  pairs.left[0] = a.data();
  pairs.result[0] = result.data();
  Space::dots(a.size(), pairs);
  return result;
}

template <class Space>
Scalar<Space> square_root(Scalar<Space> value) {
  Space::run(
      {.kind = ScalarOperation::Kind::square_root, .in = {value.data()}, .out = value.data()});
  return value;
}

template <class Space, class T>
Scalar<Space> norm(const Vector<Space, T>& a) {
  return square_root(dot(a, a));
}

}  // namespace hodge::linalg
