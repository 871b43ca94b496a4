#include "sim/app/verify/frame_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
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
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/app/output/xml_tags.hpp"
#include "sim/base/base64.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t longest_header = 1 << 20;

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& how) {
  throw IoError(fmt::format("{} is damaged: {}", path.string(), how));
}

// The first and the last point along the three axes; empty where the text is none. The extent of a
// piece of a grid begins anywhere along its last axis.
std::vector<long long> extent_of(const std::string& text) {
  std::istringstream words(text);
  std::vector<long long> numbers;
  for (long long number = 0; words >> number;) numbers.push_back(number);
  constexpr long long most = 1LL << 31;
  bool good = numbers.size() == 6;
  for (std::size_t i = 0; good && i < 6; i += 2)
    good = numbers[i] >= 0 && numbers[i + 1] >= numbers[i] && numbers[i + 1] < most;
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
  long long bytes = 0;   // of its values when unpacked
  long long offset = 0;  // where its blocks begin in the appended data
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
    const auto steps = [&](std::size_t d) { return extent[2 * d + 1] - extent[2 * d]; };
    const auto cells = [&](std::size_t d) { return std::max(1LL, steps(d)); };
    long long values = number_in(tag, "NumberOfTuples").value_or(1);
    if (section == "CellData") values = cells(0) * cells(1) * cells(2);
    if (section == "Coordinates") values = steps(std::min<std::size_t>(axis++, 2)) + 1;
    const bool is_inline = tag.attribute("format") == "binary";
    const auto offset = is_inline ? 0 : number_in(tag, "offset");
    if (!offset) damaged(path, "an array of its header has no place");
    const long long components = number_in(tag, "NumberOfComponents").value_or(1);
    const long long value_bytes = tag.attribute("type") == "Float32" ? 4 : 8;
    arrays.push_back({tag.attribute("Name"), value_bytes * components * values, *offset});
  }
  if (arrays.empty()) damaged(path, "its header names no array");
  return arrays;
}

// What stands before the blocks of an array: their number, the size of each and of the last when
// unpacked, the packed sizes.
constexpr std::size_t counts = 3;
constexpr std::size_t word_bytes = sizeof(std::uint64_t);

std::vector<std::uint64_t> words_of(const std::string& bytes) {
  std::vector<std::uint64_t> words(bytes.size() / word_bytes);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * word_bytes);
  return words;
}

// The sizes of an array; read(words) gives so many from where they begin. `room`: bytes up to the
// end of the file.
template <class Read>
std::vector<std::uint64_t> sizes_of(const std::filesystem::path& path, const StoredArray& array,
                                    std::uint64_t room, const Read& read) {
  const auto broken = [&] { damaged(path, fmt::format("the array {} is cut off", array.name)); };
  const std::vector<std::uint64_t> head = read(counts);
  if (head.size() < counts || head[0] > room / word_bytes) broken();
  const std::uint64_t count = head[0], whole = count - (count > 0 && head[2] > 0 ? 1 : 0);
  if (head[1] > (1U << 30) || whole * head[1] + head[2] != static_cast<std::uint64_t>(array.bytes))
    damaged(path, fmt::format("the array {} has another size than its grid", array.name));
  std::vector<std::uint64_t> sizes = read(counts + count);
  if (sizes.size() < counts + count) broken();
  for (std::size_t i = counts; i < sizes.size(); ++i)
    if (sizes[i] > room) broken();
  return sizes;
}

std::uint64_t packed_bytes(const std::vector<std::uint64_t>& sizes) {
  return std::accumulate(sizes.begin() + counts, sizes.end(), std::uint64_t{0});
}

// Where the next array begins in the appended data.
long long end_of(const std::filesystem::path& path, FileDescriptor& file, const StoredArray& array,
                 long long data, long long size) {
  const std::vector<std::uint64_t> sizes = sizes_of(
      path, array, static_cast<std::uint64_t>(size - data - array.offset), [&](std::size_t count) {
        file.seek(data + array.offset);
        return words_of(file.read(count * word_bytes));
      });
  return array.offset + static_cast<long long>(word_bytes * sizes.size() + packed_bytes(sizes));
}

void check_end(const std::filesystem::path& path, FileDescriptor& file, long long at,
               std::string_view end) {
  const long long size = file.bytes_on_disk();
  const long long written = at + static_cast<long long>(end.size());
  if (written != size)
    damaged(path, fmt::format("it has {} bytes, {} were written", size, written));
  file.seek(at);
  if (file.read_to_end() != end) damaged(path, "its end has changed");
}

// `begin`: how the appended data begin behind the header.
void check_appended(const std::filesystem::path& path, FileDescriptor& file,
                    const std::string& header, std::string_view begin) {
  const long long size = file.bytes_on_disk();
  const auto data = static_cast<long long>(header.size() + begin.size());
  long long end = 0;
  for (const StoredArray& array : arrays_of(path, header)) {
    if (array.offset != end || data + end > size)
      damaged(path, fmt::format("the array {} is not where it should be", array.name));
    end = end_of(path, file, array, data, size);
  }
  check_end(path, file, data + end, appended_data_end);
}

// Goes from tag to tag: `tags` has those up to the present place.
void check_inline(const std::filesystem::path& path, FileDescriptor& file) {
  constexpr std::size_t longest_tags = 1 << 13;
  constexpr std::string_view file_end = "</VTKFile>\n";
  const long long size = file.bytes_on_disk();
  std::string tags;
  for (long long at = 0;;) {
    file.seek(at);
    const std::string text = file.read(longest_tags);
    if (at > 0 && !text.starts_with(inline_data_end))
      damaged(path, fmt::format("the array {} does not end where it should",
                                arrays_of(path, tags).back().name));
    const std::size_t mark = text.find(inline_data_begin);
    if (mark == std::string::npos) {
      const std::size_t end = text.find(file_end);
      if (end == std::string::npos) damaged(path, "it is cut off");
      return check_end(path, file, at + static_cast<long long>(end), file_end);
    }
    const std::size_t data = mark + inline_data_begin.size();
    tags += text.substr(0, data);
    at += static_cast<long long>(data);
    const std::vector<std::uint64_t> sizes =
        sizes_of(path, arrays_of(path, tags).back(), static_cast<std::uint64_t>(size - at),
                 [&](std::size_t count) {
                   file.seek(at);
                   return words_of(from_base64(file.read(base64_length(count * word_bytes))));
                 });
    at += static_cast<long long>(base64_length(word_bytes * sizes.size()) +
                                 base64_length(packed_bytes(sizes)));
  }
}

void check_structure(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  const std::string start = file.read(longest_header);
  for (const std::string_view begin : {appended_data_begin, earlier_appended_data_begin}) {
    const std::size_t mark = start.find(begin);
    if (mark != std::string::npos) return check_appended(path, file, start.substr(0, mark), begin);
  }
  if (start.find(inline_data_begin) == std::string::npos)
    damaged(path, "its header is cut off or no frame's");
  check_inline(path, file);
}

void note_failure(vtkObject*, unsigned long, void* failed, void*) {
  *static_cast<bool*>(failed) = true;
}

FrameArrayType type_of(vtkDataArray& array) {
  return {array.GetName() == nullptr ? "" : array.GetName(), array.GetNumberOfComponents(),
          array.GetDataType() == VTK_FLOAT};
}

template <class Reader>
FrameContent read_values(const std::filesystem::path& path) {
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
  auto& output = *reader->GetOutput();
  vtkDataArray* time = output.GetFieldData()->GetArray("TimeValue");
  if (time == nullptr || time->GetNumberOfTuples() != 1) damaged(path, "it has no time");
  FrameContent content{time->GetTuple1(0), {}, {}};
  std::copy_n(output.GetExtent(), content.extent.size(), content.extent.begin());
  for (int k = 0; k < output.GetCellData()->GetNumberOfArrays(); ++k)
    if (vtkDataArray* const array = output.GetCellData()->GetArray(k))
      content.arrays.push_back(type_of(*array));
  return content;
}

}  // namespace

FrameContent check_frame_file(const std::filesystem::path& path) {
  check_structure(path);
  return path.extension() == ".vti" ? read_values<vtkXMLImageDataReader>(path)
                                    : read_values<vtkXMLRectilinearGridReader>(path);
}

}  // namespace hodge::sim
