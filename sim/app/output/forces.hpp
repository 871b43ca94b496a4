// forces.csv: a header, then one row per step with the force of the fluid on every body.
//
// Columns: step, t, and for every body <body>_pressure_x, _y (and _z in 3D), <body>_viscous_x, ...
// and, where their scales are given, <body>_drag and <body>_lift, the coefficients of the whole
// force along the two directions:
//
//   c = 2 F.direction / (density speed^2 area),   direction of length 1
//
// Numbers have the digits that give back the same double. Rows are written as those of history.csv
// are. Errors: IoError; the file then ends with its last whole row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/row_file.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

double force_coefficient(const BodyForce& force, const Point& direction,
                         const ForceSettings& scales, double density);

class ForcesWriter {
 public:
  struct Scales {
    int dim = 3;
    double density = 1;
    std::optional<ForceSettings> coefficients;
  };

  ForcesWriter(RowFile file, const std::vector<std::string>& bodies, const Scales& scales);

  // The bodies in their order.
  void append(long step, double time, const std::vector<BodyForce>& forces);

  RowFile& file() { return file_; }

 private:
  std::string header(const std::vector<std::string>& bodies) const;

  RowFile file_;
  Scales scales_;
};

}  // namespace hodge::sim
