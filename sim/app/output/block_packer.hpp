// Packs blocks of bytes on several threads: by LZ4 in the format of VTK's vtkLZ4DataCompressor, or
// by another function.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace hodge::sim {

// Calls take(i, packed) for every block, in their order, on the calling thread, while other threads
// pack later blocks. Memory: about four packed blocks per thread. What take() throws ends the work
// and is thrown on. Less than 2 MiB are packed by the calling thread alone.
using TakePacked = std::function<void(std::size_t i, std::string_view packed)>;
void pack_blocks(std::span<const std::string_view> blocks, int threads, const TakePacked& take);

// pack(i, block, room) of each block, on any thread; the packed bytes lie in `room`.
using PackBlock = std::function<std::string_view(std::size_t i, std::string_view block,
                                                 std::vector<unsigned char>& room)>;
void pack_blocks(std::span<const std::string_view> blocks, int threads, const PackBlock& pack,
                 const TakePacked& take);

}  // namespace hodge::sim
