// The mistakes of one configuration, collected while it is read, so that all are told at once.
//
// A mistake belongs to the path of the value that it spoils: "grid.cells[0]". What hangs on a value
// with a mistake is not judged: an error that only follows from another one is not told.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/app/config/yaml_tree.hpp"

namespace hodge::sim {

// Several mistakes: what() has a line for each of the first ones, and counts the rest.
struct ConfigErrors : ConfigError {
  explicit ConfigErrors(std::vector<std::string> lines);
  std::vector<std::string> lines;
};

// Thrown where a value cannot be judged, because another one that it is made of has a mistake.
struct FollowsFromMistake : ConfigError {
  FollowsFromMistake() : ConfigError("follows from an earlier mistake") {}
};

class Mistakes {
 public:
  static constexpr std::size_t most_told = 20;
  static constexpr std::size_t most_collected = 100;  // then the reading ends

  struct TooMany {};  // thrown by add(); no std::exception, so that only who reads the file sees it

  void add(const std::string& path, const Place& place, const std::string& message);
  // The value cannot be used, and nothing is told of it.
  void add_untold(const std::string& path);

  bool any() const { return !messages_.empty(); }
  // Whether the value at the path, one that holds it, or one in it has a mistake.
  bool any_at(std::string_view path) const;
  std::size_t count() const { return count_; }

  // Throws the only mistake as PlacedError, several as ConfigErrors in the order of lines.
  void raise_if_any() const;

 private:
  struct Message {
    Place place;
    std::string text;
  };

  std::vector<Message> sorted() const;

  std::vector<Message> messages_;
  std::set<std::string, std::less<>> paths_;
  std::size_t count_ = 0;  // with those that are not told
};

}  // namespace hodge::sim
