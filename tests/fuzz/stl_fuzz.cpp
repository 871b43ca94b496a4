// An STL file, text or binary, and the cells that it encloses.
#include "sim/discrete/bodies/surface.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace {

hodge::sim::Grid small_grid() {
  hodge::sim::GridSettings settings;
  settings.dim = 3;
  for (auto& axis : settings.axes) axis = {.cells = 6, .lower = -1, .upper = 1};
  return hodge::sim::Grid(settings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hodge::sim::Grid grid = small_grid();
  const hodge::fuzz::MemoryFile file(hodge::fuzz::text_of(data, size));
  return hodge::fuzz::expect_errors_of_hodge([&] {
    hodge::sim::Surface surface = hodge::sim::read_stl(file.path());
    (void)hodge::sim::orient_shells(surface, "input");
    (void)hodge::sim::points_inside(grid, surface);
  });
}
