// Packs blocks of bytes by LZ4 on several threads, in the format of VTK's vtkLZ4DataCompressor.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace hodge::sim {

// Calls take(i, packed) for every block, in their order, on the calling thread, while other threads
// pack later blocks. Memory: about four packed blocks per thread. What take() throws ends the work
// and is thrown on. Less than 2 MiB are packed by the calling thread alone.
void pack_blocks(std::span<const std::string_view> blocks, int threads,
                 const std::function<void(std::size_t i, std::string_view packed)>& take);

}  // namespace hodge::sim
