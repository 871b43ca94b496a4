// The mistakes of one configuration, collected while it is read, so that all are told at once.
//
// A mistake belongs to the path of the value that it spoils: "grid.cells[0]". What hangs on a value
// with a mistake is not judged: an error that only follows from another one is not told.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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

// What is known of a key that a map may not have. At most one of the first two is there.
struct KeyHint {
  std::string missing{};    // the things it asks for are not supported yet: "turbulence models"
  std::string certain{};    // "did you mean 'time.step.size'? ", "the grid is 2D, "
  std::string elsewhere{};  // where the key may stand, in words that follow as `certain` does
};
// `map` is a path; the known keys are those of the map.
using KeyGuide = std::function<KeyHint(const std::string& map, const std::string& key,
                                       const std::vector<std::string>& known)>;

class Mistakes {
 public:
  static constexpr std::size_t most_told = 20;
  static constexpr std::size_t most_collected = 100;  // then the reading ends

  // Without a guide nothing is known of such keys.
  explicit Mistakes(KeyGuide guide = [](const auto&...) { return KeyHint(); })
      : guide_(std::move(guide)) {}

  KeyHint hint(const std::string& map, const std::string& key,
               const std::vector<std::string>& known) const {
    return guide_(map, key, known);
  }

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

  KeyGuide guide_;
  std::vector<Message> messages_;
  std::set<std::string, std::less<>> paths_;
  std::size_t count_ = 0;  // with those that are not told
};

}  // namespace hodge::sim
