#include <fcntl.h>
#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkExecutive.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>

#include <cmath>
#include <filesystem>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {
namespace {

// VTK reports to an observer instead of the terminal; its text names source lines of VTK, so only
// the fact is kept.
void note_complaint(vtkObject*, unsigned long, void* complained, void*) {
  *static_cast<bool*>(complained) = true;
}

ConfigError no_surface(const std::string& file, const std::string& why) {
  return ConfigError(
      fmt::format("{} holds no surface: {}; an STL file is expected", one_line(file), why));
}

// Checked here because VTK would report only that it failed.
void check_readable(const std::string& file) {
  const FileDescriptor opened(file, O_RDONLY | O_NONBLOCK);
  if (!std::filesystem::is_regular_file(file))
    throw IoError(fmt::format("cannot read {}: it is not a file", one_line(file)));
  if (std::filesystem::file_size(file) == 0) throw no_surface(file, "it is empty");
}

// True where the reader complained.
bool update(vtkSTLReader* reader, const std::string& file) {
  bool complained = false;
  vtkNew<vtkCallbackCommand> observer;
  observer->SetCallback(note_complaint);
  observer->SetClientData(&complained);
  for (vtkObject* reporter :
       {static_cast<vtkObject*>(reader), static_cast<vtkObject*>(reader->GetExecutive())}) {
    reporter->AddObserver(vtkCommand::ErrorEvent, observer);
    reporter->AddObserver(vtkCommand::WarningEvent, observer);
  }
  reader->SetFileName(file.c_str());
  reader->Update();
  return complained;
}

std::vector<Point> points_of(vtkPolyData* data, const std::string& file) {
  std::vector<Point> points(static_cast<std::size_t>(data->GetNumberOfPoints()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    data->GetPoint(static_cast<vtkIdType>(i), points[i].data());
    for (const double x : points[i])
      if (!std::isfinite(x)) throw no_surface(file, "a coordinate is not a number");
  }
  return points;
}

}  // namespace

Surface read_stl(const std::string& file) {
  check_readable(file);
  const vtkNew<vtkSTLReader> reader;
  if (update(reader, file)) throw no_surface(file, "it is damaged");
  vtkPolyData* const data = reader->GetOutput();
  Surface surface{points_of(data, file), {}};
  vtkCellArray* const cells = data->GetPolys();
  const vtkNew<vtkIdList> corners;
  for (vtkIdType i = 0; i < cells->GetNumberOfCells(); ++i) {
    cells->GetCellAtId(i, corners);
    surface.triangles.push_back({static_cast<int>(corners->GetId(0)),
                                 static_cast<int>(corners->GetId(1)),
                                 static_cast<int>(corners->GetId(2))});
  }
  if (surface.triangles.empty()) throw no_surface(file, "it has no triangles");
  return surface;
}

}  // namespace hodge::sim
