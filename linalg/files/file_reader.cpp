#include "linalg/files/file_reader.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#if HODGE_HAS_ZLIB
#include <zlib.h>
#endif

namespace hodge {

namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";

}  // namespace

#if HODGE_HAS_ZLIB

// The streams of a gzip file, which may have several in sequence.
class FileReader::Unpacking {
 public:
  explicit Unpacking(const std::string& start) : packed_(start) {
    constexpr int gzip_only = 16;
    if (::inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
    stream_.avail_in = 0;
  }
  ~Unpacking() { ::inflateEnd(&stream_); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  std::size_t read(FileDescriptor& file, const std::filesystem::path& path, char* to,
                   std::size_t most) {
    std::size_t filled = 0;
    while (filled < most && !ended_) {
      refill(file);
      stream_.next_out = reinterpret_cast<Bytef*>(to + filled);
      const auto room = static_cast<uInt>(std::min<std::size_t>(most - filled, 1u << 30));
      stream_.avail_out = room;
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      filled += room - stream_.avail_out;
      if (status == Z_STREAM_END) {
        begin_next(file);
      } else if (status == Z_BUF_ERROR || (status == Z_OK && at_end_ && stream_.avail_out != 0)) {
        fail(path, "the compressed data ends too soon");
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status != Z_OK) {
        fail(path, std::string("the compressed data is damaged") +
                       (stream_.msg != nullptr ? std::string(" (") + stream_.msg + ")" : ""));
      }
    }
    return filled;
  }

 private:
  [[noreturn]] static void fail(const std::filesystem::path& path, const std::string& why) {
    throw IoError("cannot unpack " + path.string() + ": " + why);
  }

  // Gives zlib more of the file once it has taken what it was given.
  void refill(FileDescriptor& file) {
    constexpr std::size_t piece = 1 << 16;
    if (stream_.avail_in != 0) return;
    if (packed_.empty() && !at_end_) packed_ = file.read(piece);
    at_end_ = packed_.empty();
    taken_.swap(packed_);
    packed_.clear();
    stream_.next_in = reinterpret_cast<Bytef*>(taken_.data());
    stream_.avail_in = static_cast<uInt>(taken_.size());
  }

  // At the end of a stream: what does not begin another one is not looked at.
  void begin_next(FileDescriptor& file) {
    std::string rest(reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in);
    if (rest.size() < gzip_magic.size()) rest += file.read(gzip_magic.size());
    ended_ = !rest.starts_with(gzip_magic);
    ::inflateReset(&stream_);
    stream_.avail_in = 0;
    packed_ = std::move(rest);
  }

  z_stream stream_{};
  std::string packed_, taken_;  // waits for zlib; is being taken by it
  bool at_end_ = false, ended_ = false;
};

#else

class FileReader::Unpacking {
 public:
  explicit Unpacking(const std::string&) {}
  std::size_t read(FileDescriptor&, const std::filesystem::path& path, char*, std::size_t) {
    throw IoError("cannot unpack " + path.string() +
                  ": this build has no zlib; call gunzip first, or build where zlib's headers are");
  }
};

#endif

FileReader::FileReader(const std::filesystem::path& path)
    : path_(path), file_(path, O_RDONLY), start_(file_.read(gzip_magic.size())) {
  if (start_ == gzip_magic) unpacking_ = std::make_unique<Unpacking>(start_);
}

FileReader::~FileReader() = default;

std::size_t FileReader::read(char* to, std::size_t most) {
  if (unpacking_) return unpacking_->read(file_, path_, to, most);
  const std::size_t first = std::min(start_.size(), most);
  std::memcpy(to, start_.data(), first);
  start_.erase(0, first);
  return first + file_.read_into(to + first, most - first);
}

}  // namespace hodge
