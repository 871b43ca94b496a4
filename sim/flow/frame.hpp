// The values of output fields in the cells of a grid: as numbers to compute with (CellArray), and
// as a frame, the fields of a run at one time in host memory that the frame writer owns.
//
// Shapes: values of the grid's cells only (no ghost cells), x fastest, the components of a cell
// next to each other: values[components * (i + nx * (j + ny * k)) + component]. Units are those of
// the case.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hodge::sim {

struct CellArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};

// Host memory that is kept from frame to frame, and that the space of the fields copies into at
// full speed (on a GPU: pinned).
class FrameMemory {
 public:
  // At least `bytes`, by the space. What was there may be lost. Errors: MemoryError, DeviceError.
  template <class Space>
  std::byte* reserve(std::size_t bytes) {
    if (bytes > size_) {
      memory_ = {};  // before the new one is allocated
      size_ = 0;
      auto* const data = static_cast<std::byte*>(Space::allocate_shared(bytes));
      memory_ = {data, [bytes](std::byte* p) { Space::deallocate_shared(p, bytes); }};
      size_ = bytes;
    }
    return memory_.get();
  }
  const std::byte* data() const { return memory_.get(); }

 private:
  std::unique_ptr<std::byte, std::function<void(std::byte*)>> memory_;
  std::size_t size_ = 0;
};

// The number of bytes of a value; `precision` is that of OutputSettings.
std::size_t bytes_per_value(std::string_view precision);

// The name and the type of an array of a frame.
struct FrameArrayType {
  std::string name;
  int components = 1;
  bool is_single = false;  // the values are floats, otherwise doubles

  std::size_t value_bytes() const { return is_single ? sizeof(float) : sizeof(double); }
};

// What a frame has of one field.
struct FrameArray : FrameArrayType {
  std::size_t count = 0;  // of values: components times cells
  FrameMemory memory{};

  std::string_view bytes() const;
};

struct Frame {
  long step = 0;
  double time = 0;
  std::vector<FrameArray> arrays;
};

// Stores values in an array of a frame. In single precision, values round to the nearest float; an
// array with a value that no float holds (beyond 3.4e38, or no number) stays double.
void store(const CellArray& from, std::string_view precision, FrameArray& to);

// A frame of these arrays.
Frame frame_of(long step, double time, const std::vector<CellArray>& arrays,
               std::string_view precision);

}  // namespace hodge::sim
