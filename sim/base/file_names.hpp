// Names for the files of a run. They stand in XML files, in a manifest where # means digits, and
// perhaps on file systems that refuse more than Linux does.
#pragma once

#include <string>
#include <string_view>

namespace hodge::sim {

// Of ASCII: letters, digits, spaces and _ - . + = , ( ) @ % ~, not beginning with a dot. Room
// is left for the numbers, extensions and marks that are added to a name. The pattern lets all of
// UTF-8 pass beyond ASCII; as_run_name leaves out what is no visible character.
inline constexpr const char* run_name_pattern =
    "^(?!\\.| *$)[^\\x00-\\x1f!\"#$&'*/:;<>?\\[\\\\\\]^`{|}\\x7f]{1,120}$";
inline constexpr const char* run_name_expected =
    "up to 120 letters, digits, spaces and _ - . + = , ( ) @ % ~, not blank, not beginning "
    "with a dot";

// The text as such a name: every other character becomes _, and the end is cut off.
std::string as_run_name(std::string_view text);

// The name of a YAML file without its extension as that of a folder within another one: as it is,
// unless it means that one or the one above.
std::string as_folder_name(const std::string& text);

}  // namespace hodge::sim
