#include "tools/hodge/program/same_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "linalg/base/errors.hpp"
#include "linalg/processes/lists.hpp"
#include "sim/base/input_files.hpp"
#include "sim/base/text.hpp"
#include "sim/processes/flow_order.hpp"

namespace hodge::tools {
namespace {

std::string text_of_first(linalg::Communicator& all, std::string own) {
  own.resize(linalg::value_of_first(all, own.size()));
  if (!own.empty()) all.broadcast(std::as_writable_bytes(std::span(own)), 0);
  return own;
}

// Each word ends with a zero.
std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += word + '\0';
  return text;
}

std::string shown(std::string words) {
  std::ranges::replace(words, '\0', ' ');
  return "`hodge " + sim::one_line(words.substr(0, words.size() - 1)) + "`";
}

// Blank for a file that this process does not have.
std::string digest_or_blank(const std::string& file) {
  try {
    return sim::digest_of_file(file);
  } catch (const Error&) {
    return std::string(64, ' ');
  }
}

}  // namespace

void require_same_command(linalg::Communicator& all, std::span<const std::string> words,
                          std::span<const std::string> configurations) {
  const std::string own = joined(words), first = text_of_first(all, own);
  std::string error;
  if (own != first)
    error = fmt::format("was started as {}, and process 0 as {}: expected one command line for all",
                        shown(own), shown(first));
  sim::throw_if_any_failed(all, error);
  for (const std::string& file : configurations) {
    const std::string here = digest_or_blank(file), there = text_of_first(all, here);
    const bool are_read = here[0] != ' ' && there[0] != ' ';
    error = are_read && here != there ? sim::other_here(sim::one_line(file)) : "";
    sim::throw_if_any_failed(all, error);
  }
}

}  // namespace hodge::tools
