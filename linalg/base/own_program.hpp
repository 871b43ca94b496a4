// The program that this process runs, also where the dynamic loader was started with it
// (`ld.so program`): /proc/self/exe is the loader then.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hodge {

// Its file, from the root; empty where /proc cannot be read.
std::filesystem::path program_file();

// The words that the process was started with, those of the loader first.
std::vector<std::string> command_line_words();

// The words before the arguments with which /proc/self/exe runs this program again: `name`, or the
// loader, its options and the program. `arguments`: how many words main() was given, its name
// among them.
std::vector<std::string> words_to_start_again(const std::string& name, int arguments);

}  // namespace hodge
