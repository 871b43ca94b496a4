#include "sim/app/config/file_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "sim/base/terms.hpp"

namespace hodge::sim {
namespace {

class KeyList {
 public:
  void add_below(const ValueShape& shape, const YamlNode* file, const std::string& path) {
    for (const KeyShape& key : shape.keys)
      add(key, file == nullptr ? nullptr : file->find(key.name), path + key.name);
    for (const ValueShape& choice : shape.choices) add_below(choice, file, path);
    for (const ValueShape& value : shape.named) add_named(value, file, path);
    for (const ValueShape& item : shape.items) {
      const std::size_t count = file == nullptr ? 0 : file->items.size();
      for (std::size_t k = 0; k < std::max<std::size_t>(count, 1); ++k)
        add_below(item, k < count ? &file->items[k] : nullptr, fmt::format("{}{}.", path, k));
    }
  }

  std::vector<FileKey> keys;

 private:
  void add(const KeyShape& key, const YamlNode* value, const std::string& path) {
    if (known_.insert(path).second) keys.push_back({path, key});
    add_below(key.value, value, path + ".");
  }

  void add_named(const ValueShape& value, const YamlNode* file, const std::string& path) {
    const auto add_name = [&](const std::string& name, const YamlNode* node) {
      add({name, "", false, value}, node, path + name);
    };
    if (file == nullptr || file->entries.empty()) return add_name("NAME", nullptr);
    for (const YamlEntry& entry : file->entries) add_name(entry.key.scalar, &entry.value);
  }

  std::set<std::string> known_;
};

// As messages have it: solids[0].sphere.
std::string in_brackets(const std::string& path) {
  std::string text;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    const bool is_index = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    text += is_index ? "[" + part + "]" : (text.empty() ? "" : ".") + part;
    begin = end + 1;
  }
  return text;
}

class Guide {
 public:
  Guide(const YamlNode& file, std::function<std::vector<ValueShape>(int)> shape_in,
        std::function<int()> dim)
      : file_(file), shape_in_(std::move(shape_in)), dim_(std::move(dim)) {}

  KeyHint hint(const std::string& map, const std::string& key,
               const std::vector<std::string>& known) {
    const std::set<std::string>& here = paths_in(dim_());
    KeyHint hint;
    if (map.empty() && here.contains("parameters." + key)) {
      hint.certain = did_you_mean({"parameters." + key});
      return hint;
    }
    for (const FieldTerm* term : find_terms(key, known)) {
      if (term->kind == FieldTerm::Kind::advice) break;  // which suggestion() gives
      if (term->kind == FieldTerm::Kind::missing) return {.missing = std::string(term->answer)};
      const std::string path(term->answer);
      if (here.contains(path)) {
        hint.certain = did_you_mean({path});
        return hint;
      }
    }
    hint.missing = missing_around(map, key);
    if (!hint.missing.empty()) return hint;
    const std::set<std::string>& of_other_grids = paths_in(5 - dim_());  // 2 for 3, 3 for 2
    const std::string grid = fmt::format("the grid is {}D, ", dim_());
    std::vector<std::string> meant{map + "." + key};
    for (const FieldTerm* term : find_terms(key, known))
      if (term->kind == FieldTerm::Kind::name)
        meant.push_back(fmt::format("{}.{}", map, term->answer));
    const auto is_meant = [&](const std::string& path) {
      return std::ranges::find(meant, in_brackets(path)) != meant.end();
    };
    if (std::ranges::any_of(of_other_grids, is_meant)) hint.certain = grid;
    const std::vector<std::string> elsewhere = near(here, key, map);
    hint.elsewhere = did_you_mean(elsewhere);
    if (elsewhere.empty() && !near(of_other_grids, key, map).empty()) hint.elsewhere = grid;
    return hint;
  }

 private:
  // What a word asks for in the map that holds this one: a sphere does not move, as no solid does.
  std::string missing_around(const std::string& map, const std::string& key) {
    const std::size_t end = map.rfind('.');
    if (end == std::string::npos) return "";
    const std::string holder = map.substr(0, end + 1);
    std::vector<std::string> known;
    for (const std::string& path : paths_in(dim_())) {
      const std::string shown = in_brackets(path);
      if (shown.starts_with(holder) && shown.find('.', holder.size()) == std::string::npos)
        known.push_back(shown.substr(holder.size()));
    }
    for (const FieldTerm* term : find_terms(key, known))
      if (term->kind == FieldTerm::Kind::missing) return std::string(term->answer);
    return "";
  }

  static std::string did_you_mean(std::vector<std::string> paths) {
    constexpr std::size_t most = 3;
    if (paths.empty() || paths.size() > most) return "";
    for (std::string& path : paths) path = fmt::format("'{}'", in_brackets(path));
    return fmt::format("did you mean {}? ", fmt::join(paths, " or "));
  }

  // Where the key may stand; for one in a section only there, the nearest first, as words such as
  // `speed` and `size` mean something else in each.
  static std::vector<std::string> near(const std::set<std::string>& all, const std::string& key,
                                       const std::string& map) {
    if (map.empty()) return least_deep(all, key, "");
    for (std::string holder = map;; holder.erase(holder.rfind('.'))) {
      std::vector<std::string> found = least_deep(all, key, holder + ".");
      if (!found.empty() || holder.find('.') == std::string::npos) return found;
    }
  }

  static std::vector<std::string> least_deep(const std::set<std::string>& all,
                                             const std::string& key, const std::string& holder) {
    const auto depth = [](const std::string& path) { return std::ranges::count(path, '.'); };
    std::vector<std::string> found;
    for (const std::string& path : all) {
      if (!path.ends_with("." + key) || !in_brackets(path).starts_with(holder)) continue;
      if (!found.empty() && depth(path) < depth(found[0])) found.clear();
      if (found.empty() || depth(path) == depth(found[0])) found.push_back(path);
    }
    return found;
  }

  const std::set<std::string>& paths_in(int dim) {
    const auto [found, is_new] = paths_.try_emplace(dim);
    if (is_new)
      for (const ValueShape& shape : shape_in_(dim))
        for (const FileKey& key : file_keys(shape, file_)) found->second.insert(key.path);
    return found->second;
  }

  const YamlNode& file_;
  const std::function<std::vector<ValueShape>(int)> shape_in_;
  const std::function<int()> dim_;
  std::map<int, std::set<std::string>> paths_;  // of files in a dimension, made when asked for
};

}  // namespace

std::vector<FileKey> file_keys(const ValueShape& map, const YamlNode& file) {
  KeyList list;
  list.add_below(map, &file, "");
  return std::move(list.keys);
}

KeyGuide guide_to_keys(const YamlNode& file, std::function<std::vector<ValueShape>(int)> shape_in,
                       std::function<int()> dim) {
  return [guide = std::make_shared<Guide>(file, std::move(shape_in), std::move(dim))](
             const std::string& map, const std::string& key,
             const std::vector<std::string>& known) { return guide->hint(map, key, known); };
}

}  // namespace hodge::sim
