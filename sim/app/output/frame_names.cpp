#include "sim/app/output/frame_names.hpp"

#include <fmt/format.h>

#include "sim/app/output/vtk_tags.hpp"
#include "sim/app/output/vtkhdf_file.hpp"

namespace hodge::sim {

std::string frame_number(long number) {
  return fmt::format("{:06}", number);
}

std::string frame_name(const std::string& run_name, const std::string& number,
                       std::string_view extension) {
  return fmt::format("frames/{}_{}{}", run_name, number, extension);
}

std::string piece_name(const std::string& run_name, const std::string& number,
                       const std::string& piece, std::string_view extension) {
  return "frames/" + piece_of_frame(run_name + "_" + number, piece, extension);
}

std::string piece_of_frame(const std::string& stem, const std::string& piece,
                           std::string_view extension) {
  return fmt::format("{0}/{0}_{1}{2}", stem, piece, extension);
}

std::string index_extension(const Grid& grid) {
  return fmt::format(".p{}", frame_extension(grid).substr(1));
}

std::filesystem::path folder_of_pieces(const std::filesystem::path& frame) {
  return frame.parent_path() / frame.stem();
}

bool is_frame_index(const std::filesystem::path& frame) {
  return frame.extension() == ".pvti" || frame.extension() == ".pvtr";
}

bool is_frame_file(const std::filesystem::path& frame) {
  return frame.extension() == ".vti" || frame.extension() == ".vtr" ||
         frame.extension() == VtkhdfFile::extension;
}

}  // namespace hodge::sim
