#include "linalg/files/read_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"

#if HODGE_HAS_ZLIB
#include <zlib.h>
#endif

namespace hodge {

namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";

#if HODGE_HAS_ZLIB

// One stream of zlib, ended when it goes out of scope.
class Inflater {
 public:
  Inflater() {
    constexpr int gzip_only = 16;
    if (::inflateInit2(&stream, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

// zlib counts bytes in unsigned ints.
uInt portion(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, 1u << 30));
}

std::string unpack(std::string packed, const std::filesystem::path& path) {
  const auto fail = [&path](const std::string& why) {
    throw IoError("cannot unpack " + path.string() + ": " + why);
  };
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::string text;
  std::size_t used = 0, filled = 0;
  for (;;) {
    if (filled == text.size()) text.resize(std::max<std::size_t>(1 << 16, 2 * text.size()));
    stream.next_in = reinterpret_cast<Bytef*>(packed.data() + used);
    stream.avail_in = portion(packed.size() - used);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + filled);
    stream.avail_out = portion(text.size() - filled);
    const uInt offered_in = stream.avail_in, offered_out = stream.avail_out;
    const int status = ::inflate(&stream, Z_NO_FLUSH);
    used += offered_in - stream.avail_in;
    filled += offered_out - stream.avail_out;
    if (status == Z_STREAM_END) {
      // A gzip file may have several streams in sequence.
      if (!std::string_view(packed).substr(used).starts_with(gzip_magic)) break;
      ::inflateReset(&stream);
    } else if (status == Z_BUF_ERROR ||
               (status == Z_OK && used == packed.size() && stream.avail_out != 0)) {
      fail("the compressed data ends too soon");
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK) {
      fail(std::string("the compressed data is damaged") +
           (stream.msg != nullptr ? std::string(" (") + stream.msg + ")" : ""));
    }
  }
  text.resize(filled);
  return text;
}

#else

std::string unpack(const std::string&, const std::filesystem::path& path) {
  throw IoError("cannot unpack " + path.string() +
                ": this build has no zlib; call gunzip first, or build where zlib's headers are");
}

#endif

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::string text = FileDescriptor(path, O_RDONLY).read_to_end();
  if (!text.starts_with(gzip_magic)) return text;
  return unpack(std::move(text), path);
}

}  // namespace hodge
