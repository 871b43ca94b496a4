// The execution spaces and the complete list of primitives that each of them provides.
//
// `Host` runs on OpenMP threads, `Cuda` on one GPU. Everything in linalg is written once, as
// templates over the space, and reaches the hardware only through the functions below; host/ and
// cuda/ implement them. All pointers but those called `host` point to memory of the space. Work of
// a space is queued in order on one stream: a function returns when the work is queued, or noted to
// be queued together with what follows, and the host sees results after download() or
// synchronize().
//
// T is float or double; every sum is accumulated in double, in an order that depends on the length
// alone, so results are bitwise repeatable. Coefficients (Monomial) are products and quotients of
// scalars that live in the space: no iteration of a solver has to bring them to the host.
//
// The guard: between set_guard(flag) and set_guard(nullptr), all functions marked [guarded] do
// nothing once *flag != 0. A solver's monitor raises the flag on the device at convergence or
// breakdown; iterations that the host has queued ahead then leave every vector as it was, and the
// host need not wait for each test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "linalg/base/macros.hpp"
#include "linalg/space/dense_view.hpp"
#include "linalg/space/diagonals_view.hpp"
#include "linalg/space/least_squares.hpp"
#include "linalg/space/monitor_state.hpp"
#include "linalg/space/monomial.hpp"
#include "linalg/space/spmv_plan.hpp"

namespace hodge::linalg {

// One summand of a linear combination: coefficient times a vector, or the coefficient itself where
// data is null.
template <class T>
struct Term {
  Monomial coefficient;
  const T* data = nullptr;
};

// sum_i coefficient_i * vector_i; a term whose coefficient is exactly zero is not read.
template <class T>
struct Combination {
  static constexpr int capacity = 6;
  int terms = 0;
  Term<T> term[capacity];
};

// Up to `capacity` dot products that one pass computes; a null right side means a vector of ones.
template <class T>
struct DotPairs {
  static constexpr int capacity = 4;
  int count = 0;
  const T* left[capacity] = {};
  const T* right[capacity] = {};
  double* result[capacity] = {};
};

// Where w . y, w . w and y . y of a product y = A x go, and v . y and v . w where a v is given.
struct ProductDots {
  double* wy = nullptr;
  double* ww = nullptr;
  double* yy = nullptr;
  double* vy = nullptr;
  double* vw = nullptr;
};

template <class T>
struct CsrView {
  int rows = 0;
  int cols = 0;
  int nonzeros = 0;
  const int* row_offsets = nullptr;  // rows + 1
  const int* columns = nullptr;      // ascending in each row
  const int* diagonal = nullptr;     // rows: position of the first entry with column >= row
  const T* values = nullptr;
  SpmvPlan plan;               // how to multiply
  DiagonalsView diagonals;     // where the entries lie on few
  LongRowsView long_rows;      // rows that the plan's kernel leaves out
  double* products = nullptr;  // nonzeros, where the plan's kernel is csr_two_step
};

enum class Triangle { strictly_lower, strictly_upper, both };

template <class Space>
struct Primitives {
  // --- memory (bytes; allocate throws MemoryError with what was needed and what is available)
  static void* allocate(std::size_t bytes);
  static void deallocate(void* data, std::size_t bytes) noexcept;
  static void* allocate_shared(std::size_t bytes);  // host and device both read and write it
  static void deallocate_shared(void* data, std::size_t bytes) noexcept;
  static std::size_t allocated_bytes();   // now held through allocate()
  static std::size_t available_memory();  // that allocate() could still get
  static void upload(const void* host, void* data, std::size_t bytes);
  static void download(const void* data, void* host, std::size_t bytes);  // waits
  static void copy(const void* source, void* target, std::size_t bytes);
  static void clear(void* data, std::size_t bytes);  // to zero bytes
  static void synchronize();

  // --- vectors [guarded]
  template <class T>
  static void fill(int n, T value, T* out);
  template <class T>
  static void combine(int n, const Combination<T>& combination,
                      T* out);  // out may be among the terms
  template <class T>
  static void multiply_elements(int n, const T* a, const T* b, T* out);  // out_i = a_i b_i
  template <class T, class U>
  static void convert(int n, const T* in, U* out);

  // --- reductions [guarded]
  template <class T>
  static void dots(int n, const DotPairs<T>& pairs);
  // *result = max_i |weight_i v_i|, 0 for none; NaN is ignored.
  template <class T>
  static void weighted_maximum(int n, const T* v, const double* weights, double* result);
  // h_j = V_j . w for j < k, V being column-major n x k.
  template <class T>
  static void basis_dots(int n, int k, const T* basis, const T* w, double* h);
  // w = beta w + alpha sum_j h_j V_j
  template <class T>
  static void basis_combine(int n, int k, const T* basis, const double* h, double alpha,
                            double beta, T* w);
  // w = scale w - sum_j c_j V_j, then V_j . w and w . w, as `round` says; a second round where none
  // is due does nothing.
  template <class T>
  static void basis_round(int n, int k, const T* basis, T* w, const OrthogonalisationRound& round);

  // --- sparse matrices [guarded]; by the kernel of the matrix's plan (spmv.hpp)
  template <class T>
  static void spmv(const CsrView<T>& a, double alpha, const T* x, double beta, const T* b,
                   T* y);  // y = alpha A x + beta b; b may be y
  template <class T>
  static void spmv_dots(const CsrView<T>& a, const T* x, const T* w, T* y, const ProductDots& dots,
                        const T* v = nullptr);  // y = A x for a square A, and the products
  // y = factor (b - d o P(A) x), P(A) a strict triangle of A or both, o the product by elements.
  template <class T>
  static void sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x, const T* b,
                    double factor, T* y);
  // out_i = factor / a_ii; *first_bad = smallest row whose diagonal is absent, zero or not finite,
  // else rows.
  template <class T>
  static void invert_diagonal(const CsrView<T>& a, double factor, T* out, int* first_bad);
  static void find_diagonal(int rows, const int* row_offsets, const int* columns, int* diagonal);

  // --- index arrays (through Thrust)
  static void exclusive_scan(int n, const int* in, int* out);  // may be in place
  template <class T>
  static void stable_sort_by_key(int n, int* keys, T* values);
  template <class T>
  static void gather(int n, const int* map, const T* in, T* out);  // out_i = in[map_i]
  static long long sum(int n, const int* in);                      // waits

  // --- dense matrices, column-major, `ld` entries from column to column
  // out = in^T, of cols x rows; the two may not overlap.
  template <class T>
  static void transpose(int rows, int cols, const T* in, std::size_t ld_in, T* out,
                        std::size_t ld_out);
  template <class T>
  static void transpose_in_place(int n, T* a, std::size_t ld);

  // --- dense matrices (see dense_lu.hpp). Not guarded.
  // P A = L U in place, A square. `exchanges` has an entry a column.
  template <class T>
  static void lu_factor(const DenseView<T>& a, const RowExchange& exchanges,
                        const LuBlocking& blocking, LuStatus* status);
  // The exchanges of consecutive panels of `width` columns, one after the other.
  template <class T>
  static void exchange_rows(const RowExchange& exchanges, int width, const DenseView<T>& a);
  // B <- op(F)^-1 B
  template <class T>
  static void solve_triangular(Factor factor, const DenseView<const T>& f, const DenseView<T>& b);
  // C <- C - A B, or C - A^T B
  template <class T>
  static void multiply_subtract(bool transposed, const DenseView<const T>& a,
                                const DenseView<const T>& b, const DenseView<T>& c);
  static std::string dense_product_name();  // who computes multiply_subtract
  static void prepare_dense();  // takes what the dense primitives need, so that none takes it later
  // Before a factorisation: status->norm and largest. Afterwards: weakest and growth.
  template <class T>
  static void measure_matrix(const DenseView<const T>& a, LuStatus* status);
  template <class T>
  static void measure_factors(const DenseView<const T>& lu, LuStatus* status);

  // --- scalars and the small state of a solve [guarded, except start_monitor and
  // solve_least_squares]
  static void assign(double* out, const Monomial& value);
  static void assign_difference(double* out, const double* a, const Monomial& b);  // *a - b
  static void square_root(double* out, const double* in);
  static void start_monitor(MonitorState* state, const MonitorRules& rules);
  static void monitor_iteration(MonitorState* state, const double* residual_squared);
  // Of max_i |weight_i r_i|, once ||r|| is down to where it may be met.
  template <class T>
  static void monitor_maximum(MonitorState* state, int n, const T* r, const MaximumWatch& watch);
  static void monitor_require(MonitorState* state, const Requirement& requirement);
  static void monitor_step_length(MonitorState* state, const StepLength& step);
  static void start_least_squares(const LeastSquares& system);
  static void extend_least_squares(const LeastSquares& system, int column, MonitorState* state);
  static void solve_least_squares(const LeastSquares& system);

  static void set_guard(const int* flag);
  // Waits until shared memory `*progress` has reached `value` or `*flag` is up (both written by the
  // device).
  static void wait_for_progress(const volatile int* progress, int value, const volatile int* flag);

  static std::string device_name();
};

// OpenMP threads of this machine.
struct Host : Primitives<Host> {
  static constexpr const char* name = "cpu";
  static constexpr int queue_depth =
      0;  // iterations that may be queued ahead of the convergence test
};

// One NVIDIA GPU; its functions exist where HODGE_HAS_CUDA is 1.
struct Cuda : Primitives<Cuda> {
  static constexpr const char* name = "cuda";
  static constexpr int queue_depth = 3;
  static int device_count();              // 0 where there is no usable GPU or no driver
  static void select_device(int device);  // throws DeviceError where there is no such GPU
};

}  // namespace hodge::linalg
