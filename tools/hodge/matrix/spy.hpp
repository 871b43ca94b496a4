// Pictures of a sparse matrix's pattern: the share of each pixel's entries that is stored.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/hodge/matrix/host_matrix.hpp"

namespace hodge::tools {

// Row 0 at the top; fill[x + y * width] between 0 (nothing) and 1 (full).
struct DensityMap {
  int width = 0, height = 0;
  std::vector<double> fill;
};

// Of width x height pixels, each a rectangle of the matrix. Where there are more pixels than
// entries, an entry covers several.
DensityMap density_map(const HostMatrix& a, int width, int height);

// The longer side gets `size` pixels, the other one its share.
DensityMap square_pixels(const HostMatrix& a, int size);

// White where there is nothing, the darker the fuller. Errors: IoError.
void write_png(const std::filesystem::path& file, const DensityMap& map);

// Characters in a frame, at most `columns` wide; characters are twice as high as wide.
std::string text_picture(const HostMatrix& a, int columns);

}  // namespace hodge::tools
