// Systems on a box that arrays of its axes describe, with sides and solids of all kinds, and pinned
// rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/grid_problem.hpp"

namespace hodge::linalg::tests_of_grids {

struct BoxProblem {
  std::string name;
  GridProblem grid;
  std::vector<int> pinned;  // rows whose diagonal is doubled, or 1 where it is 0

  template <class Space>
  std::unique_ptr<CsrMatrix<Space>> by_entries() const {
    auto a = grid.in<Space>();
    std::vector<double> values = a->values().to_host();
    const std::vector<int> diagonal = a->pattern().diagonal().to_host();
    for (const int row : pinned) {
      double& value = values[static_cast<std::size_t>(diagonal[static_cast<std::size_t>(row)])];
      value = value > 0 ? 2 * value : 1;
    }
    a->values().upload(std::span<const double>(values));
    return a;
  }
  template <class Space>
  std::unique_ptr<CsrMatrix<Space>> described() const {
    auto a = by_entries<Space>();
    a->describe_as(std::make_shared<SeparableSystem>(grid.system()));
    return a;
  }
};

inline bool is_in_ball(int i, int j, int k, int radius) {
  return (i - 7) * (i - 7) + (j - 6) * (j - 6) + (k - 5) * (k - 5) < radius * radius;
}

// `extent` of two or three odd numbers above 11.
inline std::vector<BoxProblem> box_problems(const std::vector<int>& extent) {
  const auto middle = extent.size() == 3 ? 5 : 0;
  std::vector<BoxProblem> list;
  const auto add = [&](const std::string& name, std::array<bool, 3> periodic, auto change,
                       std::vector<int> pinned = {}) {
    GridProblem grid(extent, periodic);
    grid.coupling = {1, 0.7, 1.3};
    grid.width = [](int d, int i) { return 1 + 0.1 * d + 0.03 * ((i + d) % 5) + 0.02 * i; };
    change(grid);
    list.push_back({name, std::move(grid), std::move(pinned)});
  };
  const auto ball = [=](int radius) {
    return [=](int i, int j, int k) { return is_in_ball(i, j, middle == 0 ? 5 : k, radius); };
  };
  add("closed", {}, [](GridProblem&) {});
  add("periodic", {true, true, true}, [](GridProblem&) {});
  add("open", {}, [](GridProblem& grid) { grid.dirichlet = true; });
  add("flow past a ball", {false, true, false}, [&](GridProblem& grid) {
    grid.open[0][1] = true;
    grid.solid = ball(4);
  });
  add("flow over a step", {}, [](GridProblem& grid) {
    grid.open[0] = {true, true};
    grid.solid = [](int i, int j, int) { return i < 5 && j < 4; };
  });
  add("solids at all sides", {true, false, false}, [&](GridProblem& grid) {
    grid.dirichlet = true;
    grid.solid = [=](int i, int j, int k) {
      return i == 0 || (j == 0 && i < 6) || (middle > 0 && k == 0 && i % 3 == 1) ||
             j == extent[1] - 1;
    };
  });
  add("scattered solids", {true, false, true}, [](GridProblem& grid) {
    grid.solid = [](int i, int j, int k) { return (7 * i + 5 * j + 3 * k) % 11 == 0; };
  });
  add("an isolated cell, pinned", {},
      [&](GridProblem& grid) {
        grid.open[0][1] = true;
        grid.solid = [=](int i, int j, int k) {
          return std::abs(i - 1) + std::abs(j) + (middle > 0 ? std::abs(k) : 0) == 1;
        };
      },
      {0, 9});
  add("one cell, pinned", {},
      [&](GridProblem& grid) {
        grid.solid = [=](int i, int j, int k) { return i != 7 || j != 6 || k != middle; };
      },
      {0});
  return list;
}

}  // namespace hodge::linalg::tests_of_grids
