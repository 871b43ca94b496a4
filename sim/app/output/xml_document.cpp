#include "sim/app/output/xml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/app/output/vtk_frame.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // of UTF-8, by some editors
constexpr std::size_t deepest = 16;
constexpr std::size_t most_parts = 1 << 20;  // elements and attributes

bool is_blank(char c) {
  return blanks.find(c) != std::string_view::npos;
}

bool is_in_name(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ':';
}

// Of what stands between & and ;.
std::optional<char> character_of(std::string_view entity) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> known{
      {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
  for (const auto& [name, character] : known)
    if (entity == name) return character;
  if (!entity.starts_with('#')) return std::nullopt;
  const bool hexadecimal = entity.starts_with("#x");
  entity.remove_prefix(hexadecimal ? 2 : 1);
  int number = 0;
  const auto [end, error] =
      std::from_chars(entity.data(), entity.data() + entity.size(), number, hexadecimal ? 16 : 10);
  const bool whole = error == std::errc() && end == entity.data() + entity.size();
  return whole && number > 0 && number < 128 ? std::optional(static_cast<char>(number))
                                             : std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, std::string_view last)
      : text_(text), file_(file), last_(last) {}

  XmlElement root() {
    if (rest().starts_with(byte_order_mark)) at_ += byte_order_mark.size();
    skip_between();
    if (!rest().starts_with('<')) fail("expected an element of XML");
    XmlElement root = element();
    if (ended_) return root;
    skip_between();
    if (at_ != text_.size()) fail("bytes stand behind the last element");
    return root;
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }

  [[noreturn]] void fail(const std::string& what) {
    count_lines();
    throw ConfigError(fmt::format("{}:{}: {}", file_, line_, what));
  }
  [[noreturn]] void fail_at_end() {
    at_ = text_.size();
    fail("the file is cut off");
  }

  void count_lines() {
    const std::string_view passed = text_.substr(counted_, at_ - counted_);
    line_ += static_cast<std::size_t>(std::ranges::count(passed, '\n'));
    counted_ = at_;
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }

  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail_at_end();
    at_ = found + end.size();
  }

  // Comments, processing instructions and the one document type. False where none is there.
  bool skip_one() {
    constexpr std::string_view type =
        appended_data_declaration.substr(0, appended_data_declaration.size() - 1);
    if (rest().starts_with("<!--")) {
      at_ += 4;
      skip_past("-->");
    } else if (rest().starts_with("<?")) {
      skip_past("?>");
    } else if (rest().starts_with(type)) {
      at_ += type.size();
    } else if (rest().starts_with("<!")) {
      fail("a declaration of a document type or of bare text, expected none");
    } else {
      return false;
    }
    return true;
  }

  void skip_between() {
    do skip_blanks();
    while (skip_one());
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    if (at_ == text_.size()) fail_at_end();
    if (at_ == begin) fail("expected a name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string resolved(std::string_view value) {
    std::string result;
    for (std::size_t at = 0; at < value.size(); ++at) {
      if (value[at] == '<') fail("< within an attribute");
      if (value[at] != '&') {
        result += value[at];
        continue;
      }
      const std::size_t end = std::min(value.find(';', at), value.size());
      const std::string_view entity = value.substr(at + 1, end - at - 1);
      const std::optional<char> character = character_of(entity);
      if (!character || end == value.size()) fail(fmt::format("unknown entity {}", quote(entity)));
      result += *character;
      at = end;
    }
    return result;
  }

  void attribute(XmlElement& element) {
    if (++parts_ > most_parts) fail("it has more than 2^20 elements and attributes");
    const std::string key = name();
    skip_blanks();
    if (!rest().starts_with('=')) fail(fmt::format("expected = behind {}", quote(key)));
    ++at_;
    skip_blanks();
    if (at_ == text_.size()) fail_at_end();
    const char mark = text_[at_];
    if (mark != '"' && mark != '\'') fail(fmt::format("expected \" behind {}=", one_line(key)));
    const std::size_t end = text_.find(mark, at_ + 1);
    if (end == std::string_view::npos) fail_at_end();
    if (!element.attributes.emplace(key, resolved(text_.substr(at_ + 1, end - at_ - 1))).second)
      fail(fmt::format("the attribute {} stands there twice", quote(key)));
    at_ = end + 1;
    if (at_ == text_.size()) fail_at_end();
    if (!is_blank(text_[at_]) && text_[at_] != '/' && text_[at_] != '>')
      fail(fmt::format("expected a blank behind the attribute {}", quote(key)));
  }

  // From < to behind the element.
  XmlElement element() {
    if (++parts_ > most_parts) fail("it has more than 2^20 elements and attributes");
    ++at_;
    count_lines();
    XmlElement element{.name = name(), .line = line_};
    for (skip_blanks(); at_ < text_.size() && text_[at_] != '/' && text_[at_] != '>'; skip_blanks())
      attribute(element);
    if (rest().starts_with("/>")) {
      at_ += 2;
      return element;
    }
    if (!rest().starts_with('>')) at_ == text_.size() ? fail_at_end() : fail("expected >");
    ++at_;
    ended_ = !last_.empty() && element.name == last_;
    element.text = rest();
    if (!ended_) content(element);
    return element;
  }

  void content(XmlElement& element) {
    if (++depth_ > deepest) fail("elements within each other, more than 16 deep");
    element.text = {};
    for (;;) {
      const std::size_t begin = at_;
      at_ = std::min(text_.find('<', at_), text_.size());
      if (at_ == text_.size()) fail_at_end();
      const std::string_view bare = text_.substr(begin, at_ - begin);
      if (bare.find_first_not_of(blanks) != std::string_view::npos) {
        if (!element.text.empty()) fail("bare text that is not in one piece");
        element.text = bare;
      }
      if (rest().starts_with("</")) break;
      if (!skip_one()) element.children.push_back(this->element());
      if (ended_) return;
    }
    at_ += 2;
    if (const std::string closed = name(); closed != element.name)
      fail(fmt::format("expected the end of {} in place of that of {}", quote(element.name),
                       quote(closed)));
    skip_blanks();
    if (!rest().starts_with('>')) at_ == text_.size() ? fail_at_end() : fail("expected >");
    ++at_;
    --depth_;
  }

  std::string_view text_;
  const std::string& file_;
  std::string_view last_;
  std::size_t at_ = 0;
  std::size_t line_ = 1, counted_ = 0;  // the line of counted_
  std::size_t depth_ = 0, parts_ = 0;
  bool ended_ = false;  // behind the start tag of an element `last`
};

}  // namespace

const std::string* XmlElement::find(const std::string& attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? nullptr : &found->second;
}

const XmlElement* XmlElement::child(std::string_view of_name) const {
  const auto found = std::ranges::find(children, of_name, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

XmlElement read_xml(std::string_view text, const std::string& file, std::string_view last) {
  return Parser(text, file, last).root();
}

void refuse_xml(const std::string& file, const XmlElement& at, const std::string& what) {
  throw ConfigError(fmt::format("{}:{}: {}", file, at.line, what));
}

}  // namespace hodge::sim
