#include "sim/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/terms.hpp"

namespace hodge::sim {
namespace {

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string escaped(char c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) line += is_control(c) ? escaped(c) : std::string(1, c);
  return line;
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return fmt::format("'{}'", one_line(text));
  std::size_t cut = longest;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0U) == 0x80U) --cut;  // UTF-8
  return fmt::format("'{}...'", one_line(text.substr(0, cut)));
}

std::string double_quoted(std::string_view text) {
  std::string inside;
  for (const char c : text) {
    if (c == '"' || c == '\\') inside += '\\';
    inside += is_control(c) ? escaped(c) : std::string(1, c);
  }
  return fmt::format("\"{}\"", inside);
}

std::string csv_quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '"');
  return '"' + text + '"';
}

std::string join(std::span<const std::string> names) {
  if (names.empty()) return "none";
  return fmt::format("{}", fmt::join(names, ", "));
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower_case(a[i - 1]), y = lower_case(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x == y ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && x == lower_case(b[j - 2]) && y == lower_case(a[i - 2]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_name(std::string_view wrong, std::span<const std::string> names) {
  constexpr std::size_t longest = 64;  // the cost of the distance grows with the square
  if (wrong.empty() || wrong.size() > longest) return {};
  std::string best = known_synonym(wrong, names);
  if (!best.empty()) return best;
  int least = 0;
  for (const std::string& name : names) {
    const int shorter = static_cast<int>(std::min(name.size(), wrong.size()));
    const bool contained = shorter >= 3 && (name.find(wrong) != std::string::npos ||
                                            wrong.find(name) != std::string_view::npos);
    const int distance = contained ? 1 : edit_distance(wrong, name);
    if (distance > 1 + shorter / 4 || distance >= shorter) continue;
    if (best.empty() || distance < least) {
      best = name;
      least = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view wrong, std::span<const std::string> names) {
  const std::string near = nearest_name(wrong, names);
  const std::string answer = known_synonym(wrong, names).empty() ? answer_to(wrong, names) : "";
  if (!answer.empty()) return answer + "; ";
  return near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
}

}  // namespace hodge::sim
