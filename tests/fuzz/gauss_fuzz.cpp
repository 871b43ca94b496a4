// The text of a dense system, as `hodge gauss` reads it.
#include <sstream>

#include "tests/fuzz/target.hpp"
#include "tools/hodge/gauss/read_system.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return hodge::fuzz::expect_errors_of_hodge([&] {
    std::stringbuf text(hodge::fuzz::text_of(data, size));
    const auto read = [&](char* to, std::size_t most) {
      return static_cast<std::size_t>(text.sgetn(to, static_cast<std::streamsize>(most)));
    };
    (void)hodge::tools::read_system(read, "input");
  });
}
