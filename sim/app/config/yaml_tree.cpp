#include "sim/app/config/yaml_tree.hpp"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::size_t count_values(const YamlNode& node) {
  std::size_t count = 1;
  for (const YamlNode& item : node.items) count += count_values(item);
  for (const YamlEntry& entry : node.entries)
    count += count_values(entry.key) + count_values(entry.value);
  return count;
}

// Turns the parser's events into a YamlNode. `open_` holds the collections begun and not yet ended,
// outermost first.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::shared_ptr<const std::string> source, bool lines)
      : source_(std::move(source)), lines_(lines) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override { root_.place = place(mark); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(YamlNode::Kind::null, mark, "?"), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end())
      throw config_error(place(mark), "this alias stands inside its own anchor");
    values_ += count_values(known->second);
    add(YamlNode(known->second), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode scalar = node(YamlNode::Kind::scalar, mark, tag);
    scalar.scalar = value;
    scalar.quoted = tag == "!";
    add(std::move(scalar), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({node(YamlNode::Kind::list, mark, tag), anchor});
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({node(YamlNode::Kind::map, mark, tag), anchor});
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    bool key_waits = false;  // a map has a key that waits for its value
  };

  static constexpr std::size_t most_values = 100000;

  Place place(const YAML::Mark& mark) const {
    if (!lines_) return {source_, 0, 0};
    return {source_, mark.line + 1, mark.column + 1};
  }

  YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw config_error(place(mark), "the tag {} has no meaning here, expected none", quote(tag));
    return {kind, place(mark)};
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor);
  }

  void add(YamlNode value, YAML::anchor_t anchor) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    values_ += 1 + (anchor != 0 ? count_values(value) : 0);  // an anchor keeps a copy
    if (values_ > most_values)
      throw config_error(value.place, "more than 100000 values; aliases multiply them");
    if (anchor != 0) anchors_[anchor] = value;
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::list) {
      parent.node.items.push_back(std::move(value));
    } else if (parent.key_waits) {
      YamlEntry& entry = parent.node.entries.back();
      // The parser places an empty value behind its key, often on the next line.
      if (value.kind == YamlNode::Kind::null) value.place = entry.key.place;
      entry.value = std::move(value);
      parent.key_waits = false;
    } else {
      parent.node.entries.push_back({std::move(value), {}});
      parent.key_waits = true;
    }
  }

  std::shared_ptr<const std::string> source_;
  bool lines_;
  YamlNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t values_ = 0;
};

// YAML forbids tabs as indentation; the parser takes some of them and misreads the structure, so
// they are found first.
void refuse_tabs(const std::string& text, const std::shared_ptr<const std::string>& source) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    const std::size_t tab = line.substr(0, first).find('\t');
    if (tab != std::string::npos) {
      throw config_error({source, number, static_cast<int>(tab) + 1},
                         "a tab in the indentation, expected spaces");
    }
  }
}

std::string line_of(const std::string& text, int number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i <= number; ++i)
    if (!std::getline(lines, line)) return {};
  return line;
}

constexpr const char* blanks = " \t\r";
constexpr const char* in_quotes = "; a formula with ? and : stands in quotes";

// y > 0.5 ? 1 : 0 without quotes is a map within a value to YAML.
std::string advice_on_condition(const std::string& line) {
  const auto is_there = [&line](const char* text) { return line.find(text) != std::string::npos; };
  if (!is_there(" ? ") || !is_there(" : ")) return {};
  const std::size_t colon = line.find(": ");
  const std::size_t begin = line.find_first_not_of(blanks),
                    value = line.find_first_not_of(blanks, colon + 1);
  const std::size_t end = std::min(line.find(" #"), line.find_last_not_of(blanks) + 1);
  if (is_there("{") || is_there("[")) return in_quotes;
  return fmt::format("{}, expected {}: {}", in_quotes, one_line(line.substr(begin, colon - begin)),
                     double_quoted(line.substr(value, end - value)));
}

// How far a value in brackets or braces reaches on its line from one of its characters; commas in
// parentheses belong to it.
std::pair<std::size_t, std::size_t> value_around(const std::string& line, std::size_t at) {
  std::size_t begin = at, end = at;
  const auto begins_before = [&](char c) {
    return std::string_view("[{,").find(c) != std::string_view::npos ||
           (c == ':' && (line[begin] == ' ' || line[begin] == '\t'));
  };
  int open = 0;
  for (; begin > 0; --begin) {
    const char c = line[begin - 1];
    if (open == 0 && begins_before(c)) break;
    open += c == ')' ? 1 : c == '(' && open > 0 ? -1 : 0;
  }
  open = 0;
  for (; end < line.size(); ++end) {
    const char c = line[end];
    if (open == 0 && std::string_view("]},").find(c) != std::string_view::npos) break;
    if (c == '#' && line[end - 1] == ' ') break;
    open += c == '(' ? 1 : c == ')' && open > 0 ? -1 : 0;
  }
  return {std::min(line.find_first_not_of(blanks, begin), at),
          line.find_last_not_of(blanks, end - 1) + 1};
}

// In brackets and braces YAML takes a ? for the beginning of a key.
PlacedError yaml_error(const YAML::Exception& error, const std::string& text, Place place) {
  const std::string line = line_of(text, error.mark.line);
  const auto column = static_cast<std::size_t>(std::max(error.mark.column, 0));
  const auto is_said = [&](const char* what) { return error.msg == what; };
  std::string advice;
  if (is_said(YAML::ErrorMsg::MAP_VALUE)) {
    advice = advice_on_condition(line);
  } else if (column < line.size() && line[column] == '?' && line.find(':') != std::string::npos &&
             (is_said(YAML::ErrorMsg::END_OF_MAP_FLOW) || is_said(YAML::ErrorMsg::UNKNOWN_TOKEN) ||
              is_said(YAML::ErrorMsg::END_OF_SEQ_FLOW))) {
    const auto [begin, end] = value_around(line, column);
    place.column = static_cast<int>(begin) + 1;
    advice =
        fmt::format("{}, expected {}", in_quotes, double_quoted(line.substr(begin, end - begin)));
  }
  return config_error(place, "not valid YAML: {}{}", one_line(error.msg), advice);
}

}  // namespace

std::string Place::text() const {
  const std::string name = one_line(source ? *source : "configuration");
  if (line == 0) return name;
  return fmt::format("{}:{}:{}", name, line, column);
}

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries)
    if (entry.key.scalar == key) return &entry.value;
  return nullptr;
}

YamlNode parse_yaml(const std::string& text, const std::string& source, bool lines) {
  const auto name = std::make_shared<const std::string>(source);
  if (lines) refuse_tabs(text, name);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    TreeBuilder first(name, lines);
    parser.HandleNextDocument(first);
    YamlNode root = first.take();
    if (root.kind == YamlNode::Kind::null) root.place = {name, lines ? 1 : 0, 1};
    TreeBuilder second(name, lines);
    if (parser.HandleNextDocument(second))
      throw config_error(second.take().place, "a second YAML document begins, expected one");
    return root;
  } catch (const YAML::DeepRecursion& error) {
    const Place place{name, lines ? error.mark.line + 1 : 0, error.mark.column + 1};
    throw config_error(place, "lists and maps are nested more than {} deep, expected less",
                       error.depth());
  } catch (const YAML::Exception& error) {
    const Place place{name, lines ? error.mark.line + 1 : 0, error.mark.column + 1};
    throw yaml_error(error, text, place);
  }
}

}  // namespace hodge::sim
