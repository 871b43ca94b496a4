// Reads a frame with VTK's own readers, and a collection with VTK's XML parser, as ParaView does.
#pragma once

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkSmartPointer.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLPImageDataReader.h>
#include <vtkXMLPRectilinearGridReader.h>
#include <vtkXMLRectilinearGridReader.h>
#include <vtkXMLUtilities.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace hodge::test {

template <class Reader>
auto read_with(const std::filesystem::path& path) {
  vtkNew<Reader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  return vtkSmartPointer(reader->GetOutput());
}

inline vtkSmartPointer<vtkImageData> read_image(const std::filesystem::path& path) {
  return read_with<vtkXMLImageDataReader>(path);
}

inline vtkSmartPointer<vtkRectilinearGrid> read_rectilinear(const std::filesystem::path& path) {
  return read_with<vtkXMLRectilinearGridReader>(path);
}

// A frame of either kind, in one file or in pieces.
inline vtkSmartPointer<vtkDataSet> read_data(const std::filesystem::path& path) {
  if (path.extension() == ".pvti") return read_with<vtkXMLPImageDataReader>(path);
  if (path.extension() == ".pvtr") return read_with<vtkXMLPRectilinearGridReader>(path);
  if (path.extension() == ".vti") return read_image(path);
  return read_rectilinear(path);
}

// The bytes of an array of cells; empty where there is none of this name.
inline std::string bytes_of_cells(vtkDataSet* data, const std::string& name) {
  vtkDataArray* const array = data->GetCellData()->GetArray(name.c_str());
  if (array == nullptr) return "";
  const auto bytes = static_cast<std::size_t>(array->GetDataTypeSize()) *
                     static_cast<std::size_t>(array->GetNumberOfValues());
  return {static_cast<const char*>(array->GetVoidPointer(0)), bytes};
}

inline double time_value(vtkDataSet* data) {
  return data->GetFieldData()->GetArray("TimeValue")->GetTuple1(0);
}

// Time and file of each frame, in order. Empty if the file is no collection.
inline std::vector<std::pair<double, std::string>> read_collection(
    const std::filesystem::path& path) {
  std::vector<std::pair<double, std::string>> frames;
  const auto root =
      vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(path.c_str()));
  if (root == nullptr || std::string(root->GetName()) != "VTKFile") return frames;
  vtkXMLDataElement* collection = root->FindNestedElementWithName("Collection");
  if (collection == nullptr) return frames;
  for (int i = 0; i < collection->GetNumberOfNestedElements(); ++i) {
    vtkXMLDataElement* entry = collection->GetNestedElement(i);
    frames.emplace_back(std::stod(entry->GetAttribute("timestep")), entry->GetAttribute("file"));
  }
  return frames;
}

}  // namespace hodge::test
