#include "tools/hodge/bench/yardsticks.hpp"

#include "linalg/base/shared_library.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools::bench {
namespace {

using Dgesv = void(const int* n, const int* right_sides, double* a, const int* lda, int* pivots,
                   double* b, const int* ldb, int* info);

struct Lapack {
  std::string file;
  Dgesv* dgesv = nullptr;
};

const Lapack& lapack() {
  static const Lapack found = [] {
    for (const char* name : {"libopenblas.so.0", "liblapack.so.3"}) {
      const linalg::SharedLibrary file({name});
      if (auto* dgesv = file.symbol<Dgesv>("dgesv_")) return Lapack{name, dgesv};
    }
    return Lapack{};
  }();
  return found;
}

std::string python_with(const std::string& library) {
  if (library == "scipy") return find_python({"numpy", "scipy.sparse.linalg"});
  return find_python({"numpy", "cupy", "cupyx.scipy.sparse.linalg"});
}

}  // namespace

std::string lapack_library() {
  return lapack().file;
}

LibraryWork library_solve(linalg::DenseMatrix<linalg::Host>& a, linalg::Vector<linalg::Host>& b) {
  if (lapack().dgesv == nullptr) return {};
  return [&a, &b, pivots = std::vector<int>(static_cast<std::size_t>(a.rows()))]() mutable {
    const int n = a.rows(), one = 1;
    int info = 0;
    lapack().dgesv(&n, &one, a.data(), &n, pivots.data(), b.data(), &n, &info);
  };
}

std::string python_absence(const std::string& library) {
  return python_with(library).empty() ? "no python3 with " + library + " here" : "";
}

sim::Json python_yardstick(const std::string& library, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{python_with(library), "-I", script_path("bench_yardsticks.py")};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const ScriptResult result = run_script(command, {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"});
  const sim::Json json = sim::Json::parse(result.output, nullptr, false);
  return result.exit_code == 0 && json.is_object() ? json : sim::Json::object();
}

}  // namespace hodge::tools::bench
