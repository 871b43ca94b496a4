// From text to a tree, by muParser: its grammar, its precedences, its complaints.
//
// muParser sees numbers that stand for nodes of the tree: every literal, name, operator and
// function is ours and makes a node, so that one evaluation writes the whole formula down.
#include <muParserBase.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "sim/base/formulas/formula_errors.hpp"
#include "sim/base/formulas/functions.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/formulas/tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// Of the formula that this thread reads: operators and literals have no other way to it.
thread_local ExpressionTree* tree = nullptr;

// What is right of a `?` until its condition is known: `a : b`. The handle of pair i is -1 - i.
struct Pair {
  double a, b;
};
thread_local std::vector<Pair> pairs;

struct LonelyColon {};

// A text in quotes: the handle of text i is first_text - i.
struct TextLiteral {
  std::size_t begin = 0, end = 0;  // with its quotes, in the formula
  std::string text;
  bool is_file = false;
};
constexpr double first_text = -1e9;
thread_local std::vector<TextLiteral> texts;

struct LonelyText {};

bool is_text(double handle) {
  return handle <= first_text;
}

int node_of(double handle) {
  if (is_text(handle)) throw LonelyText();
  if (handle < 0) throw LonelyColon();
  return static_cast<int>(handle);
}

template <Operation operation>
double operate(double a, double b) {
  return tree->apply(operation, {node_of(a), node_of(b)});
}

template <Operation operation>
double swapped(double a, double b) {
  return operate<operation>(b, a);
}

double unequal(double a, double b) {
  return operate<Operation::subtract>(tree->constant(1), operate<Operation::equal>(a, b));
}

double negative(double a) {
  return tree->apply(Operation::negate, {node_of(a)});
}

double positive(double a) {
  return a;
}

double colon(double a, double b) {
  if (is_text(a) || is_text(b)) throw LonelyText();
  pairs.push_back({a, b});
  return -static_cast<double>(pairs.size());
}

// `c ? a : b` groups as `c ? (a : b)`, and `c ? d ? 1 : 2 : 3` as `c ? (d ? (1 : (2 : 3)))`: what a
// complete inner condition leaves over belongs to the outer one.
double question(double condition, double handle) {
  if (is_text(handle)) throw LonelyText();
  if (handle >= 0) throw LonelyColon();
  const auto [a, rest] = pairs[static_cast<std::size_t>(-1 - handle)];
  const double b = rest < 0 ? pairs[static_cast<std::size_t>(-1 - rest)].a : rest;
  const double value = tree->apply(Operation::choose, {node_of(condition), node_of(a), node_of(b)});
  return rest < 0 ? colon(value, pairs[static_cast<std::size_t>(-1 - rest)].b) : value;
}

// The first text is that of a file.
double call_with_texts(const FormulaFunction& function, std::span<const double> handles) {
  std::vector<FormulaArgument> arguments;
  for (const double handle : handles) {
    if (!is_text(handle)) {
      arguments.push_back({.node = node_of(handle)});
      continue;
    }
    TextLiteral& literal = texts[static_cast<std::size_t>(first_text - handle)];
    literal.is_file = arguments.empty();
    arguments.push_back({.text = literal.text});
  }
  return function.build_with_texts(*tree, arguments);
}

double call(void* data, const double* handles, int count) {
  const auto& function = *static_cast<const FormulaFunction*>(data);
  const std::span all(handles, static_cast<std::size_t>(count));
  if (function.build_with_texts != nullptr) return call_with_texts(function, all);
  std::vector<int> arguments;
  for (const double handle : all) arguments.push_back(node_of(handle));
  return function.build(*tree, arguments);
}

template <typename... Numbers>
double call_with(void* function, Numbers... numbers) {
  const double handles[] = {numbers...};
  return call(function, handles, static_cast<int>(sizeof...(numbers)));
}

int text_literal(const char* text, int* position, double* handle) {
  if (!is_quote(*text)) return 0;
  const char* const end = std::strchr(text + 1, *text);  // check_characters() has found it
  const auto begin = static_cast<std::size_t>(*position);
  const auto length = static_cast<std::size_t>(end + 1 - text);
  *handle = first_text - static_cast<double>(texts.size());
  texts.push_back({begin, begin + length, std::string(text + 1, end)});
  *position += static_cast<int>(length);
  return 1;
}

std::string in_quotes_of_formulas(const std::string& path) {
  for (const char mark : {'"', '\''})
    if (path.find(mark) == std::string::npos) return mark + path + mark;
  throw CallMistake{"the path " + quote(path) + " has both kinds of quotes, expected one at most"};
}

// The formula with the absolute paths of its files.
std::string with_absolute_paths(const std::string& text, const std::filesystem::path& folder) {
  std::string result;
  std::size_t done = 0;
  for (const TextLiteral& literal : texts) {
    if (!literal.is_file) continue;
    result += text.substr(done, literal.begin - done) +
              in_quotes_of_formulas(path_of_file(folder, literal.text));
    done = literal.end;
  }
  return result + text.substr(done);
}

// Decimal, whatever the locale.
int literal(const char* text, int* position, double* handle) {
  if (*text != '.' && (*text < '0' || *text > '9')) return 0;
  double value = 0;
  const auto [end, error] =
      std::from_chars(text, text + std::char_traits<char>::length(text), value);
  if (error != std::errc()) return 0;
  *position += static_cast<int>(end - text);
  *handle = tree->constant(value);
  return 1;
}

struct Operator {
  const char* token;
  mu::fun_type2 build;
  unsigned precedence;
  mu::EOprtAssociativity associativity = mu::oaLEFT;
};

constexpr Operator operators[] = {
    {"?", question, 0, mu::oaRIGHT},
    {":", colon, 0, mu::oaRIGHT},
    {"||", operate<Operation::either>, mu::prLOR},
    {"&&", operate<Operation::both>, mu::prLAND},
    {"<", operate<Operation::less>, mu::prCMP},
    {"<=", operate<Operation::less_equal>, mu::prCMP},
    {">", swapped<Operation::less>, mu::prCMP},
    {">=", swapped<Operation::less_equal>, mu::prCMP},
    {"==", operate<Operation::equal>, mu::prCMP},
    {"!=", unequal, mu::prCMP},
    {"+", operate<Operation::add>, mu::prADD_SUB},
    {"-", operate<Operation::subtract>, mu::prADD_SUB},
    {"*", operate<Operation::multiply>, mu::prMUL_DIV},
    {"/", operate<Operation::divide>, mu::prMUL_DIV},
    {"^", operate<Operation::power>, mu::prPOW, mu::oaRIGHT},
};

// The base class alone has neither numbers nor functions; its operators are switched off.
class Parser : public mu::ParserBase {
 public:
  Parser() {
    InitCharSets();
    EnableBuiltInOprt(false);
    EnableOptimizer(false);
    AddValIdent(literal);
    AddValIdent(text_literal);
    for (const auto& [token, build, precedence, associativity] : operators)
      DefineOprt(token, build, precedence, associativity);
    DefineInfixOprt("-", negative, mu::prINFIX, false);
    DefineInfixOprt("+", positive, mu::prINFIX, false);
    for (const FormulaFunction& function : formula_function_table()) define(function);
  }

  void name(const std::string& text, int node) { DefineConst(text, node); }

 private:
  void define(const FormulaFunction& function) {
    void* const data = const_cast<FormulaFunction*>(&function);
    if (function.arguments == 0) DefineFunUserData(function.name, call, data, false);
    using D = double;
    if (function.arguments == 1) DefineFunUserData(function.name, call_with<D>, data, false);
    if (function.arguments == 2) DefineFunUserData(function.name, call_with<D, D>, data, false);
    if (function.arguments == 3) DefineFunUserData(function.name, call_with<D, D, D>, data, false);
  }

  void InitCharSets() override {
    const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    DefineNameChars((letters + "0123456789").c_str());
    DefineOprtChars("+-*/^<>=!&|?:");
    DefineInfixOprtChars("+-");
  }
  void InitFun() override {}
  void InitConst() override {}
  void InitOprt() override {}
};

// The words of a formula that may be names.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_part = [&](char c) { return is_letter(c) || is_digit(c); };
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (!is_letter(text[begin])) continue;
    // In 2x the number ends where the name begins; muParser complains of it later.
    if (begin > 0 && is_letter(text[begin - 1])) continue;
    end = std::max(end, begin);
    while (end < text.size() && is_part(text[end])) ++end;
    if (end - begin <= longest_name) words.insert(text.substr(begin, end - begin));
  }
  return words;
}

// Only names that stand in the formula, so that its cost does not grow with those that do not.
void define_names(Parser& parser, const FormulaNames& names, const std::string& text) {
  const std::set<std::string> words = words_of(text);
  std::map<std::string, int> nodes;  // what a name means last counts
  for (const std::string& word : words)
    for (const auto* constants : {&formula_constants(), &names.constants.map()})
      if (const auto found = constants->find(word); found != constants->end())
        nodes[word] = tree->constant(found->second);
  int index = 0;
  for (const auto* variables : {&space_and_time(), &names.variables})
    for (const std::string& name : *variables) {
      if (words.contains(name)) nodes[name] = tree->variable(index);
      ++index;
    }
  for (const auto& [name, node] : nodes) parser.name(name, node);
}

}  // namespace

int ExpressionTree::parse(const std::string& text, const FormulaNames& names) {
  check_formula_names(names);
  check_characters(text);
  tree = this;
  pairs.clear();
  texts.clear();
  folder_ = names.folder;
  try {
    Parser parser;
    define_names(parser, names, text);
    parser.SetExpr(text);
    const int root = node_of(parser.Eval());
    if (parser.GetNumResults() != 1) throw several_values(text);
    parsed_text_ = with_absolute_paths(text, folder_);
    return root;
  } catch (const mu::ParserError& error) {
    throw formula_error(text, names, error);
  } catch (const LonelyColon&) {
    throw lonely_colon(text);
  } catch (const LonelyText&) {
    throw wrong_call(text,
                     "a text in quotes is not expected there, expected it as the file or the "
                     "column of table");
  } catch (const CallMistake& mistake) {
    throw wrong_call(text, mistake.what);
  }
}

}  // namespace hodge::sim
