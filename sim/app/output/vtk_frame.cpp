#include "sim/app/output/vtk_frame.hpp"

#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkDataCompressor.h>
#include <vtkDoubleArray.h>
#include <vtkExecutive.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkTypeInt64Array.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLRectilinearGridWriter.h>

#include <cerrno>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {
namespace {

// VTK reports to an observer instead of the terminal; its text names source lines of VTK, so only
// the fact is kept.
void note_failure(vtkObject*, unsigned long, void* failed, void*) {
  *static_cast<bool*>(failed) = true;
}

std::size_t value_count(const Grid& grid, const CellArray& array) {
  return static_cast<std::size_t>(array.components) * static_cast<std::size_t>(grid.cell_count());
}

// VTK reads the values where they lie: `array` must outlive the result.
vtkNew<vtkDoubleArray> vtk_view(const CellArray& array) {
  vtkNew<vtkDoubleArray> view;
  view->SetName(array.name.c_str());
  view->SetNumberOfComponents(array.components);
  constexpr int vtk_does_not_free = 1;
  view->SetArray(const_cast<double*>(array.values.data()),
                 static_cast<vtkIdType>(array.values.size()), vtk_does_not_free);
  return view;
}

// Without a name VTK would write its address, another one in every run.
vtkNew<vtkDoubleArray> vtk_copy(const char* name, const std::vector<double>& values) {
  vtkNew<vtkDoubleArray> copy;
  copy->SetName(name);
  for (const double value : values) copy->InsertNextValue(value);
  return copy;
}

void add_arrays(vtkDataSet* data, const Grid& grid, const Frame& frame) {
  for (const CellArray& array : frame.arrays) {
    if (array.values.size() != value_count(grid, array)) {
      throw ShapeError(fmt::format("frame array {} has {} values, its grid wants {}", array.name,
                                   array.values.size(), value_count(grid, array)));
    }
    data->GetCellData()->AddArray(vtk_view(array));
  }
  vtkNew<vtkDoubleArray> time;
  time->SetName("TimeValue");
  time->InsertNextValue(frame.time);
  data->GetFieldData()->AddArray(time);
  vtkNew<vtkTypeInt64Array> step;
  step->SetName("StepNumber");
  step->InsertNextValue(frame.step);
  data->GetFieldData()->AddArray(step);
}

std::array<int, 3> points(const Grid& grid) {
  std::array<int, 3> count{1, 1, 1};
  for (int d = 0; d < grid.dim(); ++d) count[d] = grid.cells(d) + 1;
  return count;
}

vtkNew<vtkImageData> image(const Grid& grid) {
  vtkNew<vtkImageData> data;
  const auto [nx, ny, nz] = points(grid);
  data->SetDimensions(nx, ny, nz);
  std::array<double, 3> origin{0, 0, 0};
  std::array<double, 3> spacing{1, 1, 1};
  for (int d = 0; d < grid.dim(); ++d) {
    origin[d] = grid.axis(d).lower();
    spacing[d] = grid.axis(d).length() / grid.cells(d);
  }
  data->SetOrigin(origin.data());
  data->SetSpacing(spacing.data());
  return data;
}

vtkNew<vtkRectilinearGrid> rectilinear(const Grid& grid) {
  vtkNew<vtkRectilinearGrid> data;
  const auto [nx, ny, nz] = points(grid);
  data->SetDimensions(nx, ny, nz);
  data->SetXCoordinates(vtk_copy("x", grid.edges(0)));
  data->SetYCoordinates(vtk_copy("y", grid.edges(1)));
  data->SetZCoordinates(vtk_copy("z", grid.dim() == 3 ? grid.edges(2) : std::vector<double>{0.0}));
  return data;
}

void write(vtkXMLWriter* writer, vtkDataSet* data, const std::filesystem::path& path,
           const std::filesystem::path& temporary) {
  constexpr unsigned long no_error = 0;
  bool failed = false;
  vtkNew<vtkCallbackCommand> observer;
  observer->SetCallback(note_failure);
  observer->SetClientData(&failed);
  writer->SetInputData(data);
  writer->SetFileName(temporary.c_str());
  writer->SetDataModeToAppended();
  writer->EncodeAppendedDataOff();
  writer->SetCompressorTypeToLZ4();
  writer->SetHeaderTypeToUInt64();
  for (vtkObject* reporter :
       {static_cast<vtkObject*>(writer), static_cast<vtkObject*>(writer->GetExecutive()),
        static_cast<vtkObject*>(writer->GetCompressor())}) {
    reporter->AddObserver(vtkCommand::ErrorEvent, observer);
    reporter->AddObserver(vtkCommand::WarningEvent, observer);
  }
  errno = 0;
  const bool written = writer->Write() == 1;
  const int reason = errno;  // of the system call that failed: VTK keeps no more than the fact
  if (written && !failed && writer->GetErrorCode() == no_error) return;
  if (reason != 0) throw io_error("write", path, reason);
  throw IoError(
      fmt::format("cannot write {}: VTK error {}", path.string(), writer->GetErrorCode()));
}

}  // namespace

std::string_view frame_extension(const Grid& grid) {
  return grid.uniform() ? ".vti" : ".vtr";
}

void write_frame(const std::filesystem::path& path, const Grid& grid, const Frame& frame) {
  write_file_atomically(path, [&](const std::filesystem::path& temporary) {
    const auto write_as = [&](const auto& data, const auto& writer) {
      add_arrays(data, grid, frame);
      write(writer, data, path, temporary);
    };
    if (grid.uniform())
      write_as(image(grid), vtkNew<vtkXMLImageDataWriter>());
    else
      write_as(rectilinear(grid), vtkNew<vtkXMLRectilinearGridWriter>());
  });
}

}  // namespace hodge::sim
