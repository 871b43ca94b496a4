#include "sim/app/verify/frame_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkExecutive.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLRectilinearGridReader.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/app/output/xml_tags.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t longest_header = 1 << 20;

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& how) {
  throw IoError(fmt::format("{} is damaged: {}", path.string(), how));
}

// Lower and upper points of the three axes; empty where the text is none.
std::vector<long long> extent_of(const std::string& text) {
  std::istringstream words(text);
  std::vector<long long> numbers;
  for (long long number = 0; words >> number;) numbers.push_back(number);
  constexpr long long most = 1LL << 31;
  bool good = numbers.size() == 6;
  for (std::size_t i = 0; good && i < 6; i += 2)
    good = numbers[i] == 0 && numbers[i + 1] >= 0 && numbers[i + 1] < most;
  return good ? numbers : std::vector<long long>();
}

std::optional<long long> number_in(const XmlTag& tag, const char* key) {
  const std::string text = tag.attribute(key);
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

struct StoredArray {
  std::string name;
  long long offset = 0, bytes = 0;  // where its blocks begin; bytes of its values when unpacked
};

// The arrays in the order of the file, with the sizes that the grid of the header asks for.
std::vector<StoredArray> arrays_of(const std::filesystem::path& path, const std::string& header) {
  std::vector<StoredArray> arrays;
  std::string section;
  std::vector<long long> extent;
  std::size_t axis = 0;
  for (const XmlTag& tag : xml_tags(header)) {
    if (tag.name == "ImageData" || tag.name == "RectilinearGrid")
      extent = extent_of(tag.attribute("WholeExtent"));
    if (tag.name != "DataArray") {
      section = tag.name;
      continue;
    }
    if (extent.empty()) damaged(path, "its header names no grid");
    const auto cells = [&](std::size_t d) { return std::max(1LL, extent[2 * d + 1]); };
    long long values = number_in(tag, "NumberOfTuples").value_or(1);
    if (section == "CellData") values = cells(0) * cells(1) * cells(2);
    if (section == "Coordinates") values = extent[2 * std::min<std::size_t>(axis++, 2) + 1] + 1;
    const auto offset = number_in(tag, "offset");
    if (!offset) damaged(path, "an array of its header has no place");
    const long long components = number_in(tag, "NumberOfComponents").value_or(1);
    const long long value_bytes = tag.attribute("type") == "Float32" ? 4 : 8;
    arrays.push_back({tag.attribute("Name"), *offset, value_bytes * components * values});
  }
  if (arrays.empty()) damaged(path, "its header names no array");
  return arrays;
}

std::vector<std::uint64_t> read_words(FileDescriptor& file, std::size_t count) {
  const std::string bytes = file.read(count * sizeof(std::uint64_t));
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
  return words;
}

// Where the next array begins. The blocks of an array: their number, the size of each and of the
// last when unpacked, the packed sizes, the packed blocks.
long long end_of(const std::filesystem::path& path, FileDescriptor& file, const StoredArray& array,
                 long long data, long long size) {
  file.seek(data + array.offset);
  const auto broken = [&] { damaged(path, fmt::format("the array {} is cut off", array.name)); };
  const std::vector<std::uint64_t> head = read_words(file, 3);
  const auto room = static_cast<std::uint64_t>(size - data - array.offset) / sizeof(std::uint64_t);
  if (head.size() < 3 || head[0] > room) broken();
  const std::uint64_t count = head[0], whole = count - (count > 0 && head[2] > 0 ? 1 : 0);
  if (head[1] > (1U << 30) || whole * head[1] + head[2] != static_cast<std::uint64_t>(array.bytes))
    damaged(path, fmt::format("the array {} has another size than its grid", array.name));
  const std::vector<std::uint64_t> packed = read_words(file, count);
  if (packed.size() < count) broken();
  auto end = static_cast<std::uint64_t>(array.offset) + (3 + count) * sizeof(std::uint64_t);
  for (const std::uint64_t bytes : packed) {
    if (bytes > static_cast<std::uint64_t>(size)) broken();
    end += bytes;
  }
  return static_cast<long long>(end);
}

void check_structure(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  const long long size = file.bytes_on_disk();
  const std::string start = file.read(longest_header);
  const std::size_t mark = start.find(appended_data_begin);
  if (mark == std::string::npos) damaged(path, "its header is cut off or no frame's");
  const auto data = static_cast<long long>(mark + appended_data_begin.size());
  long long end = 0;
  for (const StoredArray& array : arrays_of(path, start.substr(0, mark))) {
    if (array.offset != end || data + end > size)
      damaged(path, fmt::format("the array {} is not where it should be", array.name));
    end = end_of(path, file, array, data, size);
  }
  if (data + end + static_cast<long long>(appended_data_end.size()) != size)
    damaged(path, fmt::format("it has {} bytes, {} were written", size,
                              data + end + static_cast<long long>(appended_data_end.size())));
  file.seek(data + end);
  if (file.read_to_end() != appended_data_end) damaged(path, "its end has changed");
}

void note_failure(vtkObject*, unsigned long, void* failed, void*) {
  *static_cast<bool*>(failed) = true;
}

template <class Reader>
double read_values(const std::filesystem::path& path) {
  bool failed = false;
  vtkNew<vtkCallbackCommand> observer;
  observer->SetCallback(note_failure);
  observer->SetClientData(&failed);
  vtkNew<Reader> reader;
  for (vtkObject* reporter :
       {static_cast<vtkObject*>(reader.Get()), static_cast<vtkObject*>(reader->GetExecutive())}) {
    reporter->AddObserver(vtkCommand::ErrorEvent, observer);
    reporter->AddObserver(vtkCommand::WarningEvent, observer);
  }
  reader->SetReaderErrorObserver(observer);
  reader->SetParserErrorObserver(observer);
  reader->SetFileName(path.c_str());
  reader->Update();
  if (failed || reader->GetErrorCode() != 0) damaged(path, "VTK cannot unpack its values");
  vtkDataArray* time = reader->GetOutput()->GetFieldData()->GetArray("TimeValue");
  if (time == nullptr || time->GetNumberOfTuples() != 1) damaged(path, "it has no time");
  return time->GetTuple1(0);
}

}  // namespace

double check_frame(const std::filesystem::path& path) {
  check_structure(path);
  return path.extension() == ".vti" ? read_values<vtkXMLImageDataReader>(path)
                                    : read_values<vtkXMLRectilinearGridReader>(path);
}

}  // namespace hodge::sim
