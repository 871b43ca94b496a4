#include "linalg/base/own_program.hpp"

#include <sys/auxv.h>

#include <cstddef>
#include <sstream>

#include "linalg/base/system_file.hpp"

namespace hodge {

// The loader, too, passes on where the program begins (AT_ENTRY). A line of maps:
// 55d0c8a00000-55d0c8a21000 r-xp 00002000 08:01 1835213       /usr/bin/hodge
std::filesystem::path program_file() {
  const unsigned long entry = getauxval(AT_ENTRY);
  std::istringstream maps(linalg::text_of_system_file("/proc/self/maps"));
  for (std::string line; std::getline(maps, line);) {
    std::istringstream text(line);
    unsigned long begin = 0, end = 0;
    char dash = 0;
    text >> std::hex >> begin >> dash >> end;
    const std::size_t path = line.find('/');
    if (begin <= entry && entry < end && path != std::string::npos) return line.substr(path);
  }
  return {};
}

std::vector<std::string> command_line_words() {
  std::istringstream line(linalg::text_of_system_file("/proc/self/cmdline"));
  std::vector<std::string> words;
  for (std::string word; std::getline(line, word, '\0');) words.push_back(word);
  return words;
}

std::vector<std::string> words_to_start_again(const std::string& name, int arguments) {
  std::vector<std::string> words = command_line_words();
  const auto own = static_cast<std::size_t>(arguments);
  if (own == 0 || words.size() <= own) return {name};
  words.resize(words.size() - own);
  words.push_back(program_file().string());
  return words;
}

}  // namespace hodge
