// Every method with every preconditioner of the registries.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "linalg/solve/solve.hpp"

namespace hodge::tests {

struct Variant {
  linalg::SolverSettings settings;
  bool needs_symmetric, direct;
  std::string name;
};

// Of any matrix: each of its settings that makes a different preconditioner.
inline std::vector<linalg::PreconditionerSettings> all_preconditioners() {
  std::vector<linalg::PreconditionerSettings> all;
  for (const auto& entry : linalg::preconditioner_table()) {
    if (entry.needs_box) continue;  // all_variants_of_boxes
    const linalg::PreconditionerSettings p{entry.name};
    if (p.kind == "neumann") {
      for (int degree = 0; degree <= 3; ++degree) all.push_back({p.kind, {{"degree", degree}}});
    } else if (p.kind == "ssor_sai") {
      for (const int order : {1, 2}) {
        all.push_back({p.kind, {{"order", order}, {"omega", 1.2}}});
        all.push_back({p.kind, {{"order", order}, {"omega", 0.6}, {"form", "truncated"}}});
        all.push_back({p.kind, {{"order", order}}});  // with an omega for the matrix
        all.push_back({p.kind, {{"order", order}, {"form", "truncated"}}});
      }
      all.push_back({p.kind, {{"form", "truncated"}, {"alpha", 0.6}}});
    } else {
      all.push_back(p);
    }
  }
  return all;
}

inline Variant variant_of(const linalg::SolverEntry& solver,
                          const linalg::PreconditionerSettings& p) {
  linalg::SolverSettings s;
  s.method = solver.name;
  s.preconditioner = p;
  s.max_iterations = 3000;
  s.options["restart"] = 60;
  s.tolerance = 1e-9;
  return {s, solver.needs_symmetric, solver.direct,
          solver.name + (" + " + p.kind) + linalg::brief_text(linalg::options_of(p))};
}

// Of any matrix.
inline std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const auto& solver : linalg::solver_table())
    for (const linalg::PreconditionerSettings& p : all_preconditioners()) {
      if (solver.needs_separable || solver.needs_box) continue;
      if (solver.direct && p.kind != "none") continue;
      variants.push_back(variant_of(solver, p));
    }
  return variants;
}

// The others: of matrices that name their box.
inline std::vector<Variant> all_variants_of_boxes() {
  std::vector<Variant> variants;
  for (const auto& solver : linalg::solver_table())
    for (const auto& p : linalg::preconditioner_table()) {
      const bool own_box = solver.needs_separable || solver.needs_box;
      if (own_box ? p.name == std::string("none") : p.needs_box && !solver.direct)
        variants.push_back(variant_of(solver, {p.name}));
    }
  return variants;
}

}  // namespace hodge::tests
