#include "sim/app/frames/one_file_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/app/output/vtkhdf_file.hpp"
#include "sim/base/blake2b.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

namespace fs = std::filesystem;

// One frame of an opened file.
class OneFileFrame {
 public:
  OneFileFrame(const fs::path& path, std::optional<std::size_t> number) : file_(path) {
    file_.read();
    const std::size_t count = index().times.size();
    number_ = number.value_or(count - 1);
    if (number_ >= count)
      throw ConfigError(fmt::format("{} has {} frames, expected {}", one_line(path.string()), count,
                                    number ? fmt::format("more than {}", *number) : "one"));
  }

  const VtkhdfIndex& index() const { return file_.index(); }
  double time() const { return index().times[number_]; }

  // f(array, its type) of those that the frame has.
  template <class F>
  void for_each_array(F f) const {
    for (const VtkhdfArray& array : index().arrays)
      if (is_here(array))
        f(array, StoredType{name_of(array), array.type.is_single ? "Float32" : "Float64",
                            static_cast<std::uint64_t>(array.type.components)});
  }

  std::vector<double> values(const VtkhdfArray& array) const {
    std::vector<double> all = file_.values(array, number_);
    if (!std::ranges::all_of(all, [](double value) { return std::isfinite(value); }))
      throw ConfigError(fmt::format("{}: {} of frame {} has a value that is not finite",
                                    one_line(file_.path().string()), array.type.name, number_));
    return all;
  }

 private:
  bool is_here(const VtkhdfArray& array) const {
    return array.chunks[number_ * (array.chunks.size() / index().times.size())].bytes > 0;
  }

  // As VtkhdfFile names one whose precision is another from a frame on.
  std::string name_of(const VtkhdfArray& array) const {
    const std::string ending = array.type.is_single ? "_single" : "_double";
    const std::string& name = array.type.name;
    if (!name.ends_with(ending)) return name;
    const std::string plain = name.substr(0, name.size() - ending.size());
    const auto is_before = [&](const VtkhdfArray& other) {
      return other.type.name == plain && other.type.is_single != array.type.is_single &&
             !is_here(other);
    };
    return std::ranges::any_of(index().arrays, is_before) ? plain : name;
  }

  VtkhdfFile file_;
  std::size_t number_ = 0;
};

}  // namespace

bool has_all_frames(const fs::path& path) {
  return path.extension() == VtkhdfFile::extension;
}

FrameContent read_frame_of_one_file(const fs::path& path, const WantsArray& wants,
                                    const TakeValues& take, std::optional<std::size_t> number) {
  const OneFileFrame frame(path, number);
  FrameContent content{.time = frame.time(), .edges = {}, .arrays = {}};
  Extent whole{};
  for (std::size_t d = 0; d < 3; ++d) {
    content.edges[d] = frame.index().edges(static_cast<int>(d));
    whole[2 * d + 1] = static_cast<int>(content.edges[d].size()) - 1;
  }
  frame.for_each_array([&](const VtkhdfArray& array, const StoredType& type) {
    if (!wants(type)) return;
    content.arrays.insert(type);
    take(type, whole, whole, frame.values(array));
  });
  return content;
}

std::string digest_of_last_frame(const fs::path& path) {
  const OneFileFrame frame(path, std::nullopt);
  std::string digests = fmt::format("t = {}", frame.time());
  frame.for_each_array([&](const VtkhdfArray& array, const StoredType& type) {
    const std::vector<double> values = frame.values(array);
    std::string bytes(values.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    digests += fmt::format(", {} {}", type.name, blake2b(bytes));
  });
  return blake2b(digests);
}

}  // namespace hodge::sim
