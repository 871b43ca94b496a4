#include "sim/app/initial/stored_frame.hpp"

#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkExecutive.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkSmartPointer.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPImageDataReader.h>
#include <vtkXMLPRectilinearGridReader.h>
#include <vtkXMLRectilinearGridReader.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "linalg/base/errors.hpp"
#include "sim/app/output/frame_index.hpp"
#include "sim/app/output/frame_names.hpp"
#include "sim/discrete/grid/transfer.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view averaged = "mean_";

[[noreturn]] void unreadable(const std::filesystem::path& path, const std::string& why) {
  throw IoError(fmt::format("the frame {} cannot be read: {}", path.string(), why));
}

void note_vtk_error(vtkObject*, unsigned long, void* failed, void*) {
  *static_cast<bool*>(failed) = true;
}

template <class Reader>
auto read_by_vtk(const std::filesystem::path& path) {
  bool failed = false;
  vtkNew<vtkCallbackCommand> observer;
  observer->SetCallback(note_vtk_error);
  observer->SetClientData(&failed);
  vtkNew<Reader> reader;
  reader->AddObserver(vtkCommand::ErrorEvent, observer);
  reader->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, observer);
  reader->SetReaderErrorObserver(observer);
  reader->SetParserErrorObserver(observer);
  reader->SetFileName(path.c_str());
  reader->Update();
  if (failed || reader->GetErrorCode() != 0) unreadable(path, "VTK finds it damaged");
  return vtkSmartPointer(reader->GetOutput());
}

// Of all axes; a plane frame has one point along z.
void take_edges(vtkImageData& image, StoredState& state) {
  const int* const extent = image.GetExtent();  // a piece of a grid does not begin at 0
  for (int e = 0; e < 3; ++e)
    for (int i = extent[2 * e]; i <= extent[2 * e + 1]; ++i)
      state.edges[e].push_back(image.GetOrigin()[e] + i * image.GetSpacing()[e]);
}

void take_edges(vtkRectilinearGrid& grid, StoredState& state) {
  vtkDataArray* const axes[] = {grid.GetXCoordinates(), grid.GetYCoordinates(),
                                grid.GetZCoordinates()};
  for (int e = 0; e < 3; ++e)
    for (vtkIdType i = 0; axes[e] != nullptr && i < axes[e]->GetNumberOfTuples(); ++i)
      state.edges[e].push_back(axes[e]->GetTuple1(i));
}

std::vector<double> component_of(vtkDataArray& array, int component,
                                 const std::filesystem::path& path) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(array.GetNumberOfTuples()));
  for (vtkIdType i = 0; i < array.GetNumberOfTuples(); ++i) {
    values.push_back(array.GetComponent(i, component));
    if (!std::isfinite(values.back()))
      unreadable(path, fmt::format("the array {} has a value that is not finite", array.GetName()));
  }
  return values;
}

void take_fields(vtkDataSet& data, const std::filesystem::path& path, StoredState& state) {
  vtkCellData& cells = *data.GetCellData();
  for (int k = 0; k < cells.GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = cells.GetArray(k);
    if (array == nullptr || array->GetName() == nullptr) continue;
    const std::string name = array->GetName();
    if (name == "velocity" && array->GetNumberOfComponents() == 3) {
      for (int d = 0; d < state.dim; ++d) state.velocity[d] = component_of(*array, d, path);
    } else if (name == "pressure" && array->GetNumberOfComponents() == 1) {
      state.pressure = component_of(*array, 0, path);
    } else if (array->GetNumberOfComponents() == 1 && !name.starts_with(averaged)) {
      state.scalars.emplace_back(name, component_of(*array, 0, path));
    }
  }
  const std::vector<double>* const found = state.scalar("solid");
  if (found == nullptr) return;
  const std::vector<double> solid = *found;
  if (!state.pressure.empty()) extend_into_solids(state.pressure, solid, state.edges);
  for (auto& [name, values] : state.scalars) extend_into_solids(values, solid, state.edges);
}

// VTK's parallel readers leave what they miss at 0.
void require_pieces(const std::filesystem::path& path) {
  std::error_code ignored;
  for (const IndexedPiece& piece : read_frame_index(path).pieces)
    if (!std::filesystem::exists(piece.path, ignored))
      unreadable(path, fmt::format("its piece {} is missing", piece.path.string()));
}

template <class Reader>
StoredState read_frame_with(const std::filesystem::path& path) {
  const auto data = read_by_vtk<Reader>(path);
  StoredState state;
  take_edges(*data, state);
  const bool is_plane = state.edges[2].size() < 2;
  if (is_plane) state.edges[2].clear();
  state.dim = is_plane ? 2 : 3;
  vtkIdType count = 1;
  for (int e = 0; e < state.dim; ++e) {
    if (state.edges[e].size() < 2) unreadable(path, "it has no cells");
    count *= static_cast<vtkIdType>(state.edges[e].size()) - 1;
  }
  if (data->GetNumberOfCells() != count) unreadable(path, "it has another number of cells");
  state.velocity_is_at_faces = false;
  state.origin = path.string();
  vtkDataArray* const time = data->GetFieldData()->GetArray("TimeValue");
  if (time != nullptr && time->GetNumberOfTuples() == 1)
    state.origin += fmt::format(": t = {:.6g}", time->GetTuple1(0));
  take_fields(*data, path, state);
  return state;
}

}  // namespace

StoredState read_stored_frame(const std::filesystem::path& path) {
  if (is_frame_index(path)) require_pieces(path);
  if (path.extension() == ".pvti") return read_frame_with<vtkXMLPImageDataReader>(path);
  if (path.extension() == ".pvtr") return read_frame_with<vtkXMLPRectilinearGridReader>(path);
  return path.extension() == ".vti" ? read_frame_with<vtkXMLImageDataReader>(path)
                                    : read_frame_with<vtkXMLRectilinearGridReader>(path);
}

}  // namespace hodge::sim
