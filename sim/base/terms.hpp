// Words that the field uses and hodge does not: its own names for the same things, and the things
// that it does not have. Messages about unknown keys, names and options are made with them.
//
// Words are compared without regard to case and to anything but letters and digits, so kOmegaSST is
// k_omega_sst.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hodge::sim {

struct FieldTerm {
  enum class Kind {
    name,     // answer: the name in hodge, of a key with the maps that hold it: "time.step.size"
    missing,  // answer: things that hodge does not have, in the plural
    advice,   // answer: how to get what the word means, a sentence
  };
  Kind kind;
  std::string_view words;  // "amg, gamg"
  std::string_view answer;
  std::string_view beside = "";  // has this meaning only where this name is known, too
};

std::span<const FieldTerm> term_table();

// The meanings of a word where the `known` names may stand.
std::vector<const FieldTerm*> find_terms(std::string_view word, std::span<const std::string> known);

// The known name that a word of the field means; empty: none.
std::string known_synonym(std::string_view word, std::span<const std::string> known);

// "turbulence models are not supported yet", "a power is written a^b"; empty: the table has no such
// meaning of the word.
std::string answer_to(std::string_view word, std::span<const std::string> known);

}  // namespace hodge::sim
