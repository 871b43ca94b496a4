#include "sim/base/formulas/formula_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "sim/base/formulas/functions.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/terms.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::size_t longest_text = 10000;

// The formula with what is wrong there; places count from 1.
template <typename... Args>
ConfigError complaint(const std::string& text, fmt::format_string<Args...> format, Args&&... args) {
  return ConfigError(fmt::format("the formula {}: ", quote(text)) +
                     fmt::format(format, std::forward<Args>(args)...));
}

// In the sentence {0} is the token, {1} its place and {2} what is meant where one calls a name.
struct Mistake {
  mu::EErrorCodes code;
  const char* sentence;
  const char* token = nullptr;  // null: any
};

constexpr Mistake mistakes[] = {
    {mu::ecEMPTY_EXPRESSION, "it is empty, expected a number or a formula"},
    {mu::ecUNEXPECTED_OPERATOR,
     "the operator {0} at character {1} is not expected there, expected == for a comparison", "="},
    {mu::ecUNEXPECTED_OPERATOR,
     "the operator {0} at character {1} is not expected there, expected a value"},
    {mu::ecUNEXPECTED_EOF, "it ends where a value is expected"},
    {mu::ecUNEXPECTED_ARG_SEP, "a comma at character {1}, expected a value"},
    {mu::ecUNEXPECTED_VAL,
     "{0} at character {1} follows a value, expected an operator between them"},
    {mu::ecUNEXPECTED_FUN,
     "{0} at character {1} follows a value, expected an operator between them"},
    {mu::ecUNEXPECTED_PARENS,
     "the parenthesis {0} at character {1} is not expected there, {2}expected an operator before "
     "it",
     "("},
    {mu::ecUNEXPECTED_PARENS,
     "the parenthesis {0} at character {1} is not expected there, expected a value, or a ( that it "
     "closes"},
    {mu::ecMISSING_PARENS, "a parenthesis is opened and not closed, expected ) before its end"},
};

bool is_name(const std::string& token) {
  return name_refusal(token).find("it is no name") == std::string::npos;
}

ConfigError unknown(const std::string& text, const FormulaNames& names, const std::string& token,
                    std::size_t at) {
  const std::vector<std::string> functions = function_names();
  if (std::find(functions.begin(), functions.end(), token) != functions.end())
    return complaint(text, "{} at character {} is a function, expected its arguments: {}(...)",
                     token, at + 1, token);
  if (token[0] >= '0' && token[0] <= '9')
    return complaint(text, "{} at character {} is too large or too small for a number",
                     quote(token), at + 1);
  if (!is_name(token))
    return complaint(text,
                     "{} at character {} is not expected there, expected a value or one of "
                     "+ - * / ^ < <= > >= == != && || ? :",
                     quote(token.substr(0, 1)), at + 1);
  const bool called = text.find_first_not_of(' ', at + token.size()) != std::string::npos &&
                      text[text.find_first_not_of(' ', at + token.size())] == '(';
  if (called)
    return complaint(text, "unknown function {} at character {}, {}known functions: {}",
                     quote(token), at + 1, suggestion(token, functions), join(functions));
  throw UnknownName(text, token, at, value_names(names));
}

ConfigError wrong_count(const std::string& text, const std::string& function, const char* what,
                        std::size_t at) {
  for (const FormulaFunction& entry : formula_function_table()) {
    if (function != entry.name) continue;
    return complaint(text, "too {} arguments for {} at character {}, expected {}", what, function,
                     at + 1, entry.arguments == 0 ? "at least 1" : std::to_string(entry.arguments));
  }
  return complaint(text, "too {} arguments at character {}", what, at + 1);
}

// A file makes names of its own: what else the field means by the word does not count.
std::string meant_name(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
}

// What is said of a '(' behind a name of the file, where the field knows a function of this name.
std::string meant_call(const std::string& text, std::size_t at) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::size_t end = std::min(at, text.size());
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && in_name(text[begin - 1])) --begin;
  const std::string name = text.substr(begin, end - begin);
  const std::vector<std::string> functions = function_names();
  const std::string known = known_synonym(name, functions);
  if (!known.empty()) return fmt::format("did you mean '{}'? ", known);
  for (const FieldTerm* term : find_terms(name, functions))
    if (term->kind == FieldTerm::Kind::advice && !term->beside.empty())
      return fmt::format("{}; ", term->answer);
  return "";
}

// The quote that ends the text whose first one is at `begin`; npos where there is none. A text is a
// line without control characters.
std::size_t end_of_text(const std::string& text, std::size_t begin) {
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == text[begin]) return at;
    if (static_cast<unsigned char>(text[at]) < ' ') break;
  }
  return std::string::npos;
}

}  // namespace

UnknownName::UnknownName(const std::string& text, std::string name, std::size_t place,
                         const std::vector<std::string>& known)
    : ConfigError(complaint(text, "unknown name {} at character {}, {}known names: {}", quote(name),
                            place + 1, meant_name(name, known), join(known))),
      token(std::move(name)),
      at(place) {}

void check_characters(const std::string& text) {
  if (text.size() > longest_text)
    throw complaint(text, "it has {} characters, expected at most {}", text.size(), longest_text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool shown = (c >= ' ' && c <= '~') || c == '\n' || c == '\t' || c == '\r';
    if (is_quote(c)) {
      const std::size_t end = end_of_text(text, at);
      if (end == std::string::npos)
        throw complaint(text, "the quote at character {} has no other one, expected {} at its end",
                        at + 1, c);
      at = end;
    } else if (!shown) {
      throw complaint(text,
                      "character {} is not expected, expected letters, digits and "
                      "operators",
                      at + 1);
    }
  }
}

ConfigError wrong_call(const std::string& text, const std::string& what) {
  return complaint(text, "{}", what);
}

ConfigError lonely_colon(const std::string& text) {
  return complaint(text, "a ? and its : do not belong together, expected condition ? a : b");
}

ConfigError several_values(const std::string& text) {
  int depth = 0;
  std::size_t at = 0;
  for (; text[at] != ',' || depth > 0; ++at) {
    if (is_quote(text[at])) at = end_of_text(text, at);
    depth += (text[at] == '(') - (text[at] == ')');
  }
  return complaint(text,
                   "a comma at character {} outside of a function, expected one value "
                   "(decimals have a point)",
                   at + 1);
}

ConfigError formula_error(const std::string& text, const FormulaNames& names,
                          const mu::ParserError& error) {
  const std::size_t at =
      error.GetPos() < 0 ? 0 : std::min<std::size_t>(error.GetPos(), text.size());
  const std::string& token = error.GetToken();
  const auto code = error.GetCode();
  if (at > 0 && text.compare(at - 1, 2, "**") == 0)
    return complaint(text, "the operator '**' at character {} is not known, a power is written a^b",
                     at);
  if (code == mu::ecUNASSIGNABLE_TOKEN) return unknown(text, names, token, at);
  if (code == mu::ecTOO_MANY_PARAMS) return wrong_count(text, token, "many", at);
  if (code == mu::ecTOO_FEW_PARAMS) return wrong_count(text, token, "few", at);
  for (const Mistake& mistake : mistakes)
    if (code == mistake.code && (mistake.token == nullptr || token == mistake.token))
      return complaint(text, fmt::runtime(mistake.sentence), quote(token), at + 1,
                       token == "(" ? meant_call(text, at) : "");
  return complaint(text, "{}", one_line(error.GetMsg()));
}

}  // namespace hodge::sim
