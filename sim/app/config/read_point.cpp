#include "sim/app/config/read_point.hpp"

#include <algorithm>

namespace hodge::sim {

ValueReader point(Point& out, const GridSettings& grid) {
  return {"a list of numbers, one an axis",
          [&out, &grid](const YamlNode& value, const std::string& path) {
            std::vector<double> list;
            numbers(list, {}).read(value, path);
            if (static_cast<int>(list.size()) != grid.dim)
              throw config_error(value.place, "{} is a list of {}, expected {} as grid.cells has",
                                 path, list.size(), grid.dim);
            out = {};
            std::copy(list.begin(), list.end(), out.begin());
          },
          [&out, &grid] {
            const auto dim = static_cast<std::size_t>(grid.dim);
            std::vector<double> list(out.begin(), out.begin() + grid.dim);
            return of_length(numbers(list, {}), dim).describe();
          }};
}

}  // namespace hodge::sim
