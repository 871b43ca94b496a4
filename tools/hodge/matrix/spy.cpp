#include "tools/hodge/matrix/matrix.hpp"

#include <vtkErrorCode.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>

#include <algorithm>
#include <cmath>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"

namespace hodge::tools {
namespace {

// The pixels that index i of `count` covers when `pixels` of them show all: first .. last.
struct Covered {
  int first, last;
};

Covered covered(long long i, int count, int pixels) {
  const auto first = static_cast<int>(i * pixels / count);
  const auto end = static_cast<int>(((i + 1) * pixels + count - 1) / count);
  return {first, pixels <= count ? first : std::max(first, end - 1)};
}

int share_of(int size, int part, int whole) {
  return std::max(1, static_cast<int>(std::lround(1.0 * size * part / std::max(whole, 1))));
}

// Row 0 at the top; fill[x + y * width] between 0 (nothing) and 1 (full).
struct DensityMap {
  int width = 0, height = 0;
  std::vector<double> fill;
};

// Of width x height pixels, each a rectangle of the matrix. Where there are more pixels than
// entries, an entry covers several.
DensityMap density_map(const HostMatrix& a, int width, int height) {
  DensityMap map{width, height, std::vector<double>(static_cast<std::size_t>(width) * height)};
  const HostRows rows(a);
  for (int i = 0; i < a.rows(); ++i) {
    const Covered y = covered(i, a.rows(), height);
    for (int k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      const Covered x = covered(rows.columns[k], a.cols(), width);
      for (int py = y.first; py <= y.last; ++py)
        for (int px = x.first; px <= x.last; ++px)
          map.fill[static_cast<std::size_t>(py) * width + px] += 1.0;
    }
  }
  const double a_pixel =
      std::max(1.0, 1.0 * a.rows() / height) * std::max(1.0, 1.0 * a.cols() / width);
  for (double& fill : map.fill) fill = std::min(1.0, fill / a_pixel);
  return map;
}

}  // namespace

void write_png(const std::filesystem::path& file, const HostMatrix& a, int size) {
  const int longer = std::max(a.rows(), a.cols());
  const DensityMap map =
      density_map(a, share_of(size, a.cols(), longer), share_of(size, a.rows(), longer));
  vtkNew<vtkImageData> image;
  image->SetDimensions(map.width, map.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x) {
      const double fill = map.fill[static_cast<std::size_t>(y) * map.width + x];
      // A single entry in a pixel of thousands must be visible, so the scale begins well below
      // white.
      const double shade = fill > 0 ? 0.35 + 0.65 * std::sqrt(fill) : 0.0;
      auto* pixel = static_cast<unsigned char*>(
          image->GetScalarPointer(x, map.height - 1 - y, 0));  // VTK's rows go upwards
      const double dark[3] = {16, 42, 110};
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<unsigned char>(std::lround(255.0 + shade * (dark[c] - 255.0)));
    }
  write_file_atomically(file, [&](const std::filesystem::path& temporary) {
    vtkNew<vtkPNGWriter> writer;
    writer->SetFileName(temporary.c_str());
    writer->SetInputData(image);
    writer->GlobalWarningDisplayOff();
    writer->Write();
    if (writer->GetErrorCode() == vtkErrorCode::NoError) return;
    throw IoError("writing " + file.string() +
                  " failed: " + vtkErrorCode::GetStringFromErrorCode(writer->GetErrorCode()));
  });
}

std::string text_picture(const HostMatrix& a, int columns) {
  constexpr int most_lines = 60;
  const int width = std::max(1, std::min(columns, 2 * a.cols()));
  const int height = std::min(share_of(width, a.rows(), 2 * std::max(a.cols(), 1)), most_lines);
  const DensityMap map = density_map(a, width, height);
  const std::string shades = ".:+*#@";
  const std::string frame = "+" + std::string(static_cast<std::size_t>(width), '-') + "+\n";
  std::string text = frame;
  for (int y = 0; y < height; ++y) {
    text += "|";
    for (int x = 0; x < width; ++x) {
      const double fill = std::sqrt(map.fill[static_cast<std::size_t>(y) * width + x]);
      const auto shade = static_cast<std::size_t>(fill * static_cast<double>(shades.size()));
      text += fill == 0 ? ' ' : shades[std::min(shade, shades.size() - 1)];
    }
    text += "|\n";
  }
  return text + frame;
}

}  // namespace hodge::tools
