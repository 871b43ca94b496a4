// What a user chooses of ssor_sai.
#pragma once

#include <optional>
#include <string>

#include "linalg/settings/options.hpp"

namespace hodge::linalg {

struct SsorSaiSettings {
  int order = 1;
  std::optional<double> omega{};  // none: chosen for the matrix
  std::string form = "factored";
  double alpha = 1.0;

  void list(OptionList& options) {
    options.add("order", order, from_to(1, 2), "terms of its series", Brief::named).compared = {1,
                                                                                                2};
    options.add("omega", omega, between(0, 2), "auto",
                "relaxation factor; auto, of ssor_sai alone, suits it to the matrix", Brief::named);
    options
        .add("form", form, {"factored", "truncated"},
             "two factors, or their product on the matrix's pattern", Brief::value_if_changed)
        .compared = {"factored", "truncated"};
    options.add("alpha", alpha, {0, 1, true, false}, "part of a row's entries that is kept")
        .only(form == "truncated", "form truncated");
  }
};

}  // namespace hodge::linalg
