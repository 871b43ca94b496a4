// Over 400 lines: one budget, whose terms are read together.
#include "sim/app/output/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/base/csv_row.hpp"

namespace hodge::sim {
namespace {

using Unit = ProfileColumn::Unit;
constexpr Unit of_velocity{1, 0, 0}, of_stress{2, 0, 0}, of_triple{3, 0, 0}, of_pressure{2, 0, 1},
    of_energy_rate{4, -1, 0};

constexpr const char* velocity_names[] = {"u", "v", "w"};
constexpr std::size_t most_times = 16, least_times = 4;

// Results of one set of sums.
struct Measured {
  std::vector<ProfileColumn> columns;
  std::optional<WallFlow> wall;
};

// One of the five terms, by layer.
struct Budget {
  explicit Budget(std::size_t layers) {
    for (auto* term : terms()) term->assign(layers, 0.0);
  }
  std::array<std::vector<double>*, 5> terms() {
    return {&production, &dissipation, &transport, &diffusion, &pressure};
  }
  std::vector<double> production, dissipation, transport, diffusion, pressure;
};

template <int Dim>
class LayerMeans {
 public:
  LayerMeans(const LayerPlan& plan, const Axis& axis, const Fluid& fluid, const LayerBatch& of)
      : plan_(plan), axis_(axis), fluid_(fluid), n_(plan.layers), sums_(of.sums) {
    for (double& sum : sums_) sum /= of.weight;
    duration_ = of.weight;
  }

  Measured measured() {
    Measured all;
    columns_ = &all.columns;
    add_means();
    add_second_moments();
    add_scalars();
    add_third_moments();
    if (plan_.has_exchange) add_budget(all);
    return all;
  }

 private:
  using Exchange = ExchangeSums<Dim>;
  using Cells = CellSums<Dim>;

  int a() const { return plan_.axis; }
  bool periodic() const { return plan_.ends[0].kind == LayerEnd::Kind::periodic; }
  int wrapped(int j) const { return periodic() ? (j + n_) % n_ : j; }
  double width(int j) const { return axis_.widths[static_cast<std::size_t>(wrapped(j))]; }
  double distance(int face) const { return 0.5 * (width(face - 1) + width(face)); }

  double sum(int k, int j) const {
    return sums_[static_cast<std::size_t>(k) * static_cast<std::size_t>(n_) +
                 static_cast<std::size_t>(wrapped(j))];
  }
  // Of the exchange; of faces at the upper end of an axis that is not periodic nothing passes.
  double ex(int k, int j) const { return sum(k, j); }
  double fluid(int j) const { return sum(plan_.exchange() + Cells::fluid, j); }
  // Means over the fluid of a layer; 0 where there is none.
  double cell(int k, int j) const {
    return fluid(j) > 0 ? sum(plan_.exchange() + k, j) / fluid(j) : 0;
  }
  double scalar(std::size_t which, int k, int j) const {
    const int first =
        plan_.exchange() + Cells::count + static_cast<int>(which) * ScalarSums<Dim>::count;
    return fluid(j) > 0 ? sum(first + k, j) / fluid(j) : 0;
  }

  template <class Value>
  void add(const std::string& name, std::optional<Unit> unit, Value value) {
    ProfileColumn column{.name = name, .unit = unit};
    for (int j = 0; j < n_; ++j) column.values.push_back(value(j));
    columns_->push_back(std::move(column));
  }

  static double root(double square) { return std::sqrt(std::max(0.0, square)); }

  // Means at faces of the axis have the mean of two for a cell.
  double u(int d, int j) const {
    return plan_.has_exchange && d != a() ? ex(Exchange::first(d), j) : cell(Cells::first + d, j);
  }
  double p(int j) const { return cell(Cells::pressure, j); }

  void add_means() {
    for (int d = 0; d < Dim; ++d)
      add(std::string(velocity_names[d]) + "_mean", of_velocity, [&](int j) { return u(d, j); });
    add("pressure_mean", of_pressure, [&](int j) { return p(j); });
  }

  // <u_d'^2> of layer j of a component along the layers.
  double q(int d, int j) const {
    const double mean = ex(Exchange::first(d), j);
    return ex(Exchange::second(d), j) - mean * mean;
  }
  // <v'^2> at face j.
  double q_face(int face) const { return is_open(face) ? q(a(), face) : 0.0; }
  bool is_open(int face) const { return periodic() || (face > 0 && face < n_); }

  double cell_covariance(int number, int d, int e, int j) const {
    return cell(Cells::second + number, j) - cell(Cells::first + d, j) * cell(Cells::first + e, j);
  }

  // -> the variance that the budget has where it is known.
  double variance(int d, int number, int j) const {
    if (!plan_.has_exchange) return cell_covariance(number, d, d, j);
    return d == a() ? 0.5 * (q_face(j) + q_face(j + 1)) : q(d, j);
  }
  // <u_d' v'> at face j, as the momentum of u_d has it.
  double stress(int d, int face) const {
    return is_open(face) ? 0.5 * (below(d, face) + above(d, face)) : 0.0;
  }
  double v(int face) const { return is_open(face) ? ex(Exchange::first(a()), face) : 0.0; }
  double below(int d, int face) const {
    if (!is_open(face)) return 0;
    return ex(Exchange::below(d), face) - v(face) * ex(Exchange::first(d), face - 1);
  }
  double above(int d, int face) const {
    if (!is_open(face)) return 0;
    return ex(Exchange::above(d), face) - v(face) * ex(Exchange::first(d), face);
  }

  void add_second_moments() {
    int number = 0;
    std::vector<std::function<void()>> crosses;
    for (int d = 0; d < Dim; ++d)
      for (int e = d; e < Dim; ++e, ++number) {
        if (d == e) {
          add(std::string(velocity_names[d]) + "_rms", of_velocity,
              [&](int j) { return root(variance(d, number, j)); });
          continue;
        }
        crosses.push_back([this, d, e, number] {
          add(fmt::format("{}_{}_covariance", velocity_names[d], velocity_names[e]), of_stress,
              [&](int j) {
                if (!plan_.has_exchange || (d != a() && e != a()))
                  return cell_covariance(number, d, e, j);
                const int along = d == a() ? e : d;
                return 0.5 * (stress(along, j) + stress(along, j + 1));
              });
        });
      }
    for (const auto& cross : crosses) cross();
    add("pressure_rms", of_pressure,
        [&](int j) { return root(cell(Cells::pressure_square, j) - p(j) * p(j)); });
  }

  void add_scalars() {
    using Sums = ScalarSums<Dim>;
    for (std::size_t k = 0; k < plan_.scalars.size(); ++k) {
      const std::string& name = plan_.scalars[k];
      const auto mean = [this, k](int j) { return scalar(k, Sums::first, j); };
      add(name + "_mean", {}, mean);
      add(name + "_rms", {},
          [&](int j) { return root(scalar(k, Sums::second, j) - mean(j) * mean(j)); });
      for (int d = 0; d < Dim; ++d)
        add(fmt::format("{}_{}_covariance", velocity_names[d], name), {}, [&](int j) {
          return scalar(k, Sums::flux + d, j) - cell(Cells::first + d, j) * mean(j);
        });
    }
  }

  static int number_of(int d, int e) {
    int number = 0;
    for (int i = 0; i < Dim; ++i)
      for (int k = i; k < Dim; ++k, ++number)
        if (i == std::min(d, e) && k == std::max(d, e)) return number;
    return -1;
  }

  void add_third_moments() {
    int number = 0;
    for (int d = 0; d < Dim; ++d)
      for (int e = d; e < Dim; ++e)
        for (int f = e; f < Dim; ++f, ++number)
          add(fmt::format("{}_{}_{}_moment", velocity_names[d], velocity_names[e],
                          velocity_names[f]),
              of_triple, [&](int j) {
                const double m[] = {cell(Cells::first + d, j), cell(Cells::first + e, j),
                                    cell(Cells::first + f, j)};
                return cell(Cells::third + number, j) -
                       m[0] * cell(Cells::second + number_of(e, f), j) -
                       m[1] * cell(Cells::second + number_of(d, f), j) -
                       m[2] * cell(Cells::second + number_of(d, e), j) + 2 * m[0] * m[1] * m[2];
              });
  }

  // What the two first values beside a wall make of it: U relative to the wall.
  struct AtWall {
    double half, next;        // distances: wall to the first value, first to second
    double factor;            // of the row (operators/side_friction.hpp)
    double slope_1, slope_2;  // the parabola's slope at the wall, of both values
  };
  AtWall at_wall(int side) const {
    const int j = side == 0 ? 0 : n_ - 1, inner = side == 0 ? 1 : n_ - 2;
    AtWall at{0.5 * width(j), 0.5 * (width(j) + width(inner)), 1, 0, 0};
    at.factor = 2 * width(j) / (at.half + at.next);
    const double y1 = at.half, y2 = at.half + at.next;
    at.slope_1 = y2 / (y1 * at.next);
    at.slope_2 = -y1 / (y2 * at.next);
    return at;
  }
  bool is_wall(int side) const {
    return plan_.ends[static_cast<std::size_t>(side)].kind == LayerEnd::Kind::wall;
  }

  // tau_w / (rho nu), as the momentum of the row beside the wall has it.
  double friction(int side, int d) const {
    const AtWall at = at_wall(side);
    const int j = side == 0 ? 0 : n_ - 1, inner = side == 0 ? 1 : n_ - 2;
    const double wall =
        plan_.ends[static_cast<std::size_t>(side)].velocity[static_cast<std::size_t>(d)];
    const double lower = (ex(Exchange::first(d), j) - wall) / at.half;
    const double upper = (ex(Exchange::first(d), inner) - ex(Exchange::first(d), j)) / at.next;
    return at.factor * lower - (at.factor - 1) * upper;
  }

  // Of a component along the layers.
  void add_along(int d, Budget& budget) const {
    const double nu = fluid_.viscosity;
    const auto mean = [&](int j) { return ex(Exchange::first(d), j); };
    // <u'(j-1) u'(j)>, and <v' u'(j-1) u'(j)> / 2 with what V carries.
    const auto pair = [&](int face) {
      return ex(Exchange::pair(d), face) - mean(face - 1) * mean(face);
    };
    const auto carried = [&](int face) {
      if (!is_open(face)) return 0.0;
      const double lower = mean(face - 1), upper = mean(face);
      return 0.5 * (ex(Exchange::carried(d), face) - upper * ex(Exchange::below(d), face) -
                    lower * ex(Exchange::above(d), face) + lower * upper * v(face));
    };
    const auto square_of_difference = [&](int face) {
      return q(d, face - 1) + q(d, face) - 2 * pair(face);
    };
    for (int j = 0; j < n_; ++j) {
      const double h = width(j);
      const auto at = static_cast<std::size_t>(j);
      double production = 0, dissipated = 0, gained = 0, factor = 1;
      if (is_open(j + 1)) {
        production += below(d, j + 1) * (mean(j + 1) - mean(j));
        dissipated += square_of_difference(j + 1) / distance(j + 1);
        gained += (pair(j + 1) - q(d, j)) / distance(j + 1);
      }
      if (is_open(j)) {
        production += above(d, j) * (mean(j) - mean(j - 1));
        dissipated += square_of_difference(j) / distance(j);
        gained -= (q(d, j) - pair(j)) / distance(j);
      }
      for (int side = 0; side < 2; ++side) {
        if (j != (side == 0 ? 0 : n_ - 1) || periodic() || !is_wall(side)) continue;
        const AtWall wall = at_wall(side);
        const int inner = side == 0 ? 1 : n_ - 2;
        factor = wall.factor;
        gained -= q(d, j) / wall.half;
        dissipated += h * (wall.slope_1 * wall.slope_1 * q(d, j) +
                           2 * wall.slope_1 * wall.slope_2 * pair(side == 0 ? 1 : n_ - 1) +
                           wall.slope_2 * wall.slope_2 * q(d, inner));
      }
      const double across = nu * dissipated / (2 * h), within = nu * ex(Exchange::slope(d), j);
      budget.production[at] -= production / (2 * h);
      budget.dissipation[at] -= across + within;
      budget.diffusion[at] += nu * factor * gained / h + across;
      budget.transport[at] -= (carried(j + 1) - carried(j)) / h;
    }
  }

  // Of the component across the layers: at faces, then by halves to the cells.
  void add_across(Budget& budget) const {
    const int d = a();
    const double nu = fluid_.viscosity;
    const auto face_mean = [&](int face) { return v(face); };
    const auto face_square = [&](int face) {
      return is_open(face) ? ex(Exchange::second(d), face) : 0.0;
    };
    const auto raw_pair = [&](int j) { return ex(Exchange::pair(d), j); };
    const auto pair = [&](int j) { return raw_pair(j) - face_mean(j) * face_mean(j + 1); };
    const auto carried = [&](int j) {
      const double lower = face_mean(j), upper = face_mean(j + 1);
      const double of_lower = 0.5 * (face_square(j) + raw_pair(j));
      const double of_upper = 0.5 * (face_square(j + 1) + raw_pair(j));
      return 0.5 * (ex(Exchange::carried(d), j) - upper * of_lower - lower * of_upper +
                    lower * upper * 0.5 * (lower + upper));
    };
    const auto square_of_difference = [&](int j) {
      return q_face(j) + q_face(j + 1) - 2 * pair(j);
    };
    const auto add_half = [&](int face, int j) {
      const auto at = static_cast<std::size_t>(wrapped(j));
      if (!is_open(face)) {  // nothing moves at a wall but the strain beside it
        const double strain = nu * square_of_difference(j) / (width(j) * width(j));
        budget.dissipation[at] -= 0.5 * strain;
        budget.diffusion[at] += 0.5 * strain;
        return;
      }
      const double delta = distance(face);
      const double dissipated = nu / (2 * delta) *
                                (square_of_difference(face) / width(face) +
                                 square_of_difference(face - 1) / width(face - 1));
      const double gained = nu / delta *
                            ((pair(face) - q_face(face)) / width(face) -
                             (q_face(face) - pair(face - 1)) / width(face - 1));
      budget.dissipation[at] -= 0.5 * (dissipated + nu * ex(Exchange::slope(d), face));
      budget.diffusion[at] += 0.5 * (gained + dissipated);
      budget.transport[at] -= 0.5 * (carried(face) - carried(face - 1)) / delta;
    };
    for (int j = 0; j < n_; ++j) {
      add_half(j, j);
      add_half(j + 1, j);
    }
  }

  void add_pressure(Budget& budget) const {
    const auto flux = [&](int face) {
      if (!is_open(face)) return 0.0;
      const double h = width(face), h_below = width(face - 1);
      const double mean = (h * p(face - 1) + h_below * p(face)) / (h + h_below);
      return (ex(Exchange::below(a()), face) - v(face) * mean) / fluid_.density;
    };
    for (int j = 0; j < n_; ++j)
      budget.pressure[static_cast<std::size_t>(j)] -= (flux(j + 1) - flux(j)) / width(j);
  }

  void add_budget(Measured& all) {
    Budget budget(static_cast<std::size_t>(n_));
    for (int d = 0; d < Dim; ++d)
      if (d != a()) add_along(d, budget);
    add_across(budget);
    add_pressure(budget);
    constexpr const char* names[] = {"production", "dissipation", "turbulent_transport",
                                     "viscous_diffusion", "pressure_transport"};
    std::vector<double> residual(static_cast<std::size_t>(n_));
    for (std::size_t k = 0; k < budget.terms().size(); ++k) {
      const std::vector<double>& term = *budget.terms()[k];
      add(std::string("k_") + names[k], of_energy_rate,
          [&](int j) { return term[static_cast<std::size_t>(j)]; });
      for (std::size_t j = 0; j < term.size(); ++j) residual[j] += term[j];
    }
    add("k_residual", of_energy_rate, [&](int j) { return residual[static_cast<std::size_t>(j)]; });
    if (!periodic() && (is_wall(0) || is_wall(1))) all.wall = wall_flow(budget, residual);
  }

  WallFlow wall_flow(const Budget& budget, const std::vector<double>& residual) const {
    WallFlow wall{.duration = duration_};
    const bool both = is_wall(0) && is_wall(1);
    wall.height = (both ? 0.5 : 1.0) * axis_.length();
    for (int side = 0; side < 2; ++side) {
      if (!is_wall(side)) continue;
      double square = 0;
      for (int d = 0; d < Dim; ++d)
        if (d != a()) square += std::pow(friction(side, d), 2);
      wall.friction += (both ? 0.5 : 1.0) * fluid_.viscosity * std::sqrt(square);
    }
    wall.u_tau = std::sqrt(wall.friction);
    wall.moves = both && plan_.ends[0].velocity != plan_.ends[1].velocity;
    const int side = is_wall(0) ? 0 : 1;
    int along = a() == 0 ? 1 : 0;
    for (int d = 0; d < Dim; ++d)
      if (d != a() && std::abs(friction(side, d)) > std::abs(friction(side, along))) along = d;
    const double of_wall =
        plan_.ends[static_cast<std::size_t>(side)].velocity[static_cast<std::size_t>(along)];
    const double sign = friction(side, along) < 0 ? -1 : 1;
    const auto relative = [&](int j) { return sign * (u(along, j) - of_wall); };
    for (int j = 0; j < n_; ++j) wall.bulk += width(j) * relative(j) / axis_.length();
    if (both)
      wall.centre = 0.5 * (relative(n_ / 2) + relative((n_ - 1) / 2));
    else
      wall.centre = relative(side == 0 ? n_ - 1 : 0);
    for (int face = 1; face < n_; ++face)
      wall.stress = std::max(wall.stress, std::abs(stress(along, face)));
    for (int j = 0; j < n_; ++j) {
      const auto at = static_cast<std::size_t>(j);
      wall.production = std::max(wall.production, budget.production[at]);
      wall.residual = std::max(wall.residual, std::abs(residual[at]));
    }
    return wall;
  }

  const LayerPlan& plan_;
  const Axis& axis_;
  Fluid fluid_;
  int n_;
  std::vector<double> sums_;
  double duration_ = 0;
  std::vector<ProfileColumn>* columns_ = nullptr;
};

Measured measure(const LayerSums& sums, const Grid& grid, const Fluid& fluid,
                 const LayerBatch& of) {
  const Axis& axis = grid.axis(sums.plan.axis);
  if (grid.dim() == 2) return LayerMeans<2>(sums.plan, axis, fluid, of).measured();
  return LayerMeans<3>(sums.plan, axis, fluid, of).measured();
}

void add_to(LayerBatch& whole, const LayerBatch& batch, double sign) {
  whole.sums.resize(batch.sums.size());
  whole.weight += sign * batch.weight;
  for (std::size_t i = 0; i < batch.sums.size(); ++i) whole.sums[i] += sign * batch.sums[i];
}

// Of about the same time each.
std::vector<LayerBatch> parts_of(const LayerSums& sums, double time) {
  std::vector<LayerBatch> parts(std::min(most_times, sums.batches.size()));
  double passed = 0;
  for (const LayerBatch& batch : sums.batches) {
    const double middle = (passed + 0.5 * batch.weight) / time;
    const auto part = static_cast<std::size_t>(middle * static_cast<double>(parts.size()));
    add_to(parts[std::min(part, parts.size() - 1)], batch, 1);
    passed += batch.weight;
  }
  std::erase_if(parts, [](const LayerBatch& part) { return !(part.weight > 0); });
  return parts;
}

// (m - 1)/m sum of the squares of the deviations of values without each of the m parts.
double jackknife(const std::vector<double>& without) {
  const auto m = static_cast<double>(without.size());
  const double mean = std::accumulate(without.begin(), without.end(), 0.0) / m;
  double squares = 0;
  for (const double value : without) squares += (value - mean) * (value - mean);
  return std::sqrt((m - 1) / m * squares);
}

std::vector<std::pair<std::string, double>> wall_results(const WallFlow& wall, const Fluid& fluid) {
  std::vector<std::pair<std::string, double>> results{
      {"u_tau", wall.u_tau}, {"Re_tau", wall.u_tau * wall.height / fluid.viscosity}};
  if (wall.moves || !(wall.u_tau > 0) || !(wall.bulk > 0)) return results;
  results.emplace_back("Ub+", wall.bulk / wall.u_tau);
  results.emplace_back("Uc+", wall.centre / wall.u_tau);
  results.emplace_back("Cf", 2 * wall.friction / (wall.bulk * wall.bulk));
  return results;
}

std::vector<double> distances_from_walls(const LayerPlan& plan, const Axis& axis) {
  std::vector<double> distances;
  for (int j = 0; j < plan.layers; ++j) {
    double least = axis.length();
    if (plan.ends[0].kind == LayerEnd::Kind::wall)
      least = std::min(least, axis.centre(j) - axis.lower());
    if (plan.ends[1].kind == LayerEnd::Kind::wall)
      least = std::min(least, axis.lower() + axis.length() - axis.centre(j));
    distances.push_back(least);
  }
  return distances;
}

double value_of(const Unit& unit, const WallFlow& wall, const Fluid& fluid) {
  return std::pow(wall.u_tau, unit.velocities) * std::pow(fluid.viscosity, unit.viscosities) *
         std::pow(fluid.density, unit.densities);
}

}  // namespace

const ProfileColumn& Profiles::operator[](const std::string& name) const {
  const auto found = std::ranges::find(columns, name, &ProfileColumn::name);
  if (found == columns.end()) throw ConfigError("profiles have no column '" + name + "'");
  return *found;
}

Profiles profiles_of(const LayerSums& sums, const Grid& grid, const Fluid& fluid) {
  const Axis& axis = grid.axis(sums.plan.axis);
  Profiles profiles;
  for (int j = 0; j < sums.plan.layers; ++j) profiles.positions.push_back(axis.centre(j));
  profiles.wall_distances = distances_from_walls(sums.plan, axis);
  LayerBatch whole;
  whole.sums.resize(static_cast<std::size_t>(sums.plan.count()) *
                    static_cast<std::size_t>(sums.plan.layers));
  for (const LayerBatch& batch : sums.batches) add_to(whole, batch, 1);
  if (!(whole.weight > 0)) whole.weight = 1;  // zeros before any time has been averaged over
  Measured all = measure(sums, grid, fluid, whole);
  profiles.columns = std::move(all.columns);
  profiles.wall = all.wall;
  if (all.wall)
    for (const auto& [name, value] : wall_results(*all.wall, fluid))
      profiles.results.push_back({name, {value, {}}});
  const std::vector<LayerBatch> parts = parts_of(sums, whole.weight);
  if (parts.size() < least_times) return profiles;
  std::vector<Measured> without;
  for (const LayerBatch& part : parts) {
    LayerBatch rest = whole;
    add_to(rest, part, -1);
    without.push_back(measure(sums, grid, fluid, rest));
  }
  const auto spread = [&](const auto& value) {
    std::vector<double> values;
    for (const Measured& rest : without) values.push_back(value(rest));
    return jackknife(values);
  };
  for (std::size_t k = 0; k < profiles.columns.size(); ++k)
    for (std::size_t j = 0; j < profiles.positions.size(); ++j)
      profiles.columns[k].errors.push_back(
          spread([&](const Measured& rest) { return rest.columns[k].values[j]; }));
  for (std::size_t k = 0; k < profiles.results.size(); ++k) {
    bool is_known = true;
    for (const Measured& rest : without)
      is_known = is_known && wall_results(*rest.wall, fluid).size() > k;
    if (is_known)
      profiles.results[k].of.error =
          spread([&](const Measured& rest) { return wall_results(*rest.wall, fluid)[k].second; });
  }
  return profiles;
}

std::string profiles_text(const Profiles& profiles, int axis, const Fluid& fluid) {
  std::string text;
  const bool in_wall_units = profiles.wall && profiles.wall->u_tau > 0;
  for (std::size_t j = 0; j < profiles.positions.size(); ++j) {
    CsvRow row{{axis_names[axis], profiles.positions[j]}};
    for (const ProfileColumn& column : profiles.columns)
      row.push_back({column.name, column.values[j]});
    if (in_wall_units) {
      row.push_back({std::string(axis_names[axis]) + "_plus",
                     profiles.wall_distances[j] * profiles.wall->u_tau / fluid.viscosity});
      for (const ProfileColumn& column : profiles.columns)
        if (column.unit)
          row.push_back({column.name + "_plus",
                         column.values[j] / value_of(*column.unit, *profiles.wall, fluid)});
    }
    for (const ProfileColumn& column : profiles.columns)
      if (!column.errors.empty()) row.push_back({column.name + "_error", column.errors[j]});
    text += (j == 0 ? csv_header(row) : "") + csv_line(row);
  }
  return text;
}

std::string wall_text(const Profiles& profiles) {
  if (!profiles.wall || !(profiles.wall->u_tau > 0)) return "";
  const WallFlow& wall = *profiles.wall;
  constexpr double short_time = 10, of_turbulence = 0.3, closed = 0.02;
  std::vector<std::string> results;
  for (const auto& [name, of] : profiles.results)
    results.push_back(of.error ? fmt::format("{} {:.5g} +- {:.2g}", name, of.value, *of.error)
                               : fmt::format("{} {:.5g}", name, of.value));
  const double turnovers = wall.duration * wall.u_tau / wall.height;
  std::string text = fmt::format("at the walls: {}; averages over {:.3g} h/u_tau\n",
                                 fmt::join(results, ", "), turnovers);
  const double stress = wall.stress / wall.friction;
  if (stress < of_turbulence) {
    text += fmt::format(
        "the flow along the walls is not turbulent: the largest Reynolds stress is {:.2g} u_tau^2, "
        "and in a turbulent one more than {}\n",
        stress, of_turbulence);
    return text;
  }
  if (turnovers < short_time)
    text += fmt::format(
        "averages over {:.3g} h/u_tau are short: the large eddies live for about one, and errors "
        "are themselves uncertain below {} of them\n",
        turnovers, short_time);
  if (wall.residual > closed * wall.production)
    text += fmt::format(
        "the budget of k closes to {:.1f} % of the largest production: more time, shorter steps "
        "or central convection bring it below {:.0f} %\n",
        100 * wall.residual / wall.production, 100 * closed);
  return text;
}

}  // namespace hodge::sim
