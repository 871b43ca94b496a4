// All that the reader gives of a frame, and what VTK's own readers give of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/app/frames/frame_reader.hpp"
#include "tests/support/read_frame.hpp"

namespace hodge::test {

struct Fields {
  std::optional<double> time;
  std::map<std::string, std::vector<double>> values;  // edges as well: "x", "y", "z"

  bool operator==(const Fields&) const = default;
};

// Of frames whose arrays come in one piece.
inline Fields fields_of(const std::filesystem::path& path) {
  Fields fields;
  const sim::FrameContent content = sim::read_frame(
      path, [](const sim::StoredType&) { return true; },
      [&](const sim::StoredType& array, const sim::Extent&, const sim::Extent&,
          std::vector<double> values) {
        std::vector<double>& all = fields.values[array.name];
        all.insert(all.end(), values.begin(), values.end());
      });
  fields.time = content.time;
  for (std::size_t e = 0; e < 3; ++e) fields.values[std::string(1, "xyz"[e])] = content.edges[e];
  return fields;
}

inline std::vector<double> doubles_of(vtkDataArray* array) {
  std::vector<double> values;
  for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i)
    for (int c = 0; c < array->GetNumberOfComponents(); ++c)
      values.push_back(array->GetComponent(i, c));
  return values;
}

inline Fields fields_by_vtk(const std::filesystem::path& path) {
  const vtkSmartPointer<vtkDataSet> data = read_data(path);
  Fields fields;
  fields.time = time_value(data);
  for (int k = 0; k < data->GetCellData()->GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data->GetCellData()->GetArray(k);
    fields.values[array->GetName()] = doubles_of(array);
  }
  if (auto* const grid = vtkRectilinearGrid::SafeDownCast(data)) {
    fields.values["x"] = doubles_of(grid->GetXCoordinates());
    fields.values["y"] = doubles_of(grid->GetYCoordinates());
    fields.values["z"] = doubles_of(grid->GetZCoordinates());
    return fields;
  }
  auto* const image = vtkImageData::SafeDownCast(data);
  for (int e = 0; e < 3; ++e)
    for (int i = image->GetExtent()[2 * e]; i <= image->GetExtent()[2 * e + 1]; ++i)
      fields.values[std::string(1, "xyz"[e])].push_back(image->GetOrigin()[e] +
                                                        i * image->GetSpacing()[e]);
  return fields;
}

}  // namespace hodge::test
