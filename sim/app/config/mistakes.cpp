#include "sim/app/config/mistakes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "sim/base/text.hpp"

namespace hodge::sim {

ConfigErrors::ConfigErrors(std::vector<std::string> all)
    : ConfigError(fmt::format("{}", fmt::join(all, "\n"))), lines(std::move(all)) {}

void Mistakes::add(const std::string& path, const Place& place, const std::string& message) {
  messages_.push_back({place, message});
  add_untold(path);
  if (messages_.size() == most_collected) throw TooMany();
}

void Mistakes::add_untold(const std::string& path) {
  paths_.insert(path);
  ++count_;
}

bool Mistakes::any_at(std::string_view path) const {
  if (paths_.contains(path) || (!path.empty() && paths_.contains(""))) return true;
  for (std::size_t end = path.find_first_of(".["); end != std::string_view::npos;
       end = path.find_first_of(".[", end + 1))
    if (paths_.contains(path.substr(0, end))) return true;
  for (const char next : {'.', '['}) {
    const std::string within = std::string(path) + next;
    const auto first = paths_.lower_bound(within);
    if (first != paths_.end() && first->starts_with(within)) return true;
  }
  return false;
}

// Those of the file first, by their lines; then those of the command line, in the order found. A
// value that aliases copy is told once.
std::vector<Mistakes::Message> Mistakes::sorted() const {
  std::vector<Message> all = messages_;
  const auto order = [](const Message& message) {
    return std::tuple(message.place.line == 0, message.place.line, message.place.column);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Message& a, const Message& b) { return order(a) < order(b); });
  const auto same = [](const Message& a, const Message& b) { return a.text == b.text; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

void Mistakes::raise_if_any() const {
  if (!any()) return;
  const std::vector<Message> all = sorted();
  if (all.size() == 1) throw PlacedError(all[0].place, all[0].text);
  std::vector<std::string> lines;
  for (const Message& message : all) {
    if (lines.size() == most_told) break;
    lines.push_back(message.text);
  }
  if (all.size() > most_told)
    lines.push_back(fmt::format("and {}{} more",
                                messages_.size() == most_collected ? "at least " : "",
                                all.size() - most_told));
  throw ConfigErrors(std::move(lines));
}

}  // namespace hodge::sim
