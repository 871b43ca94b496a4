// The folders that a cut of power may leave, after some records of a run.
//
// A file keeps what was there at its last fsync. Each later write may be on the disk in whole, in
// parts of 512 bytes, or not at all, in any order, and the file may have grown all the same (the
// bytes that are missing are then 0). A name that was made, renamed or removed is on the disk for
// certain only after an fsync of its folder; before that each of these changes may have happened or
// not, in any order, unless an earlier one of the same name has not. A file or folder is there only
// if all folders above it are. This is what POSIX allows; file systems in use keep more.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "tests/faults/recorded_run.hpp"
#include "tests/support/temporary_directory.hpp"

namespace hodge::tests {

class PowerCut {
 public:
  // The disk before the run has the files of the watched folder as `before`.
  explicit PowerCut(const std::filesystem::path& before) {
    on_disk_["."] = nullptr;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(before)) {
      const std::string name = entry.path().lexically_relative(before).string();
      on_disk_[name] = entry.is_directory() ? nullptr : std::make_shared<File>();
      if (!entry.is_directory()) on_disk_[name]->content = test::read_text(entry.path());
    }
    in_memory_ = on_disk_;
  }

  void add(const Record& record) {
    if (record.kind == "open")
      open(record);
    else if (record.kind == "write")
      numbered_.at(record.file)->changes.push_back({record.at, record.data, false});
    else if (record.kind == "truncate")
      numbered_.at(record.file)->changes.push_back({record.at, "", true});
    else if (record.kind == "sync")
      synchronize(*numbered_.at(record.file));
    else if (record.kind == "sync_folder")
      synchronize_folder(record.path);
    else if (record.kind != "say")
      change_names({record.kind, record.path, record.new_path, nullptr});
  }

  // Makes one of the possible states of the watched folder at `to`, an empty folder.
  template <class Random>
  void leave(const std::filesystem::path& to, Random& random) const {
    Names names = on_disk_;
    const double chance = pick(random, {0.0, 0.5, 0.9, 1.0});
    std::set<std::string> not_done;  // names whose earlier change has not happened
    for (const Change& change : waiting_) {
      const bool may = !not_done.contains(change.path) && !not_done.contains(change.new_path);
      if (may && std::bernoulli_distribution(chance)(random)) {
        apply(change, names);
        continue;
      }
      not_done.insert(change.path);
      if (!change.new_path.empty()) not_done.insert(change.new_path);
    }
    for (const auto& [name, file] : names)
      if (above_are_there(name, names)) {
        if (file == nullptr)
          std::filesystem::create_directories(to / name);
        else
          test::write_text(to / name, left_of(*file, random));
      }
  }

 private:
  struct Piece {
    long at = 0;
    std::string data;
    bool is_truncation = false;
  };
  struct File {
    std::string content;         // at the last fsync
    std::vector<Piece> changes;  // since then
  };
  using Names = std::map<std::string, std::shared_ptr<File>>;  // folders have no file
  struct Change {
    std::string kind, path, new_path;
    std::shared_ptr<File> made;
  };

  static std::string folder_of(const std::string& path) {
    const auto slash = path.rfind('/');
    if (path == ".") return "";
    return slash == std::string::npos ? "." : path.substr(0, slash);
  }

  static void apply(const Change& change, Names& names) {
    if (change.kind == "create" || change.kind == "mkdir") names[change.path] = change.made;
    if (change.kind == "remove") names.erase(change.path);
    if (change.kind != "rename" && change.kind != "link") return;
    const auto from = names.find(change.path);
    if (from == names.end()) return;
    names[change.new_path] = from->second;
    if (change.kind == "rename") names.erase(change.path);
  }

  static void apply(const Piece& piece, std::string& content) {
    const auto at = static_cast<std::size_t>(piece.at);
    if (piece.is_truncation) return content.resize(at);
    content.resize(std::max(content.size(), at + piece.data.size()));
    content.replace(at, piece.data.size(), piece.data);
  }

  void open(const Record& record) {
    if (record.created) {
      numbered_[record.file] = std::make_shared<File>();
      change_names({"create", record.path, "", numbered_[record.file]});
    } else if (!numbered_.contains(record.file)) {
      numbered_[record.file] = in_memory_.at(record.path);
    }
    if (record.emptied && !record.created) numbered_[record.file]->changes.push_back({0, "", true});
  }

  void change_names(const Change& change) {
    apply(change, in_memory_);
    waiting_.push_back(change);
  }

  static void synchronize(File& file) {
    for (const Piece& piece : file.changes) apply(piece, file.content);
    file.changes.clear();
  }

  void synchronize_folder(const std::string& folder) {
    const auto is_in_it = [&](const Change& change) {
      return folder_of(change.new_path.empty() ? change.path : change.new_path) == folder;
    };
    for (const Change& change : waiting_)
      if (is_in_it(change)) apply(change, on_disk_);
    std::erase_if(waiting_, is_in_it);
  }

  static bool above_are_there(const std::string& name, const Names& names) {
    for (std::string folder = folder_of(name); !folder.empty(); folder = folder_of(folder))
      if (!names.contains(folder)) return false;
    return true;
  }

  template <class Random>
  static double pick(Random& random, const std::vector<double>& of) {
    return of[std::uniform_int_distribution<std::size_t>(0, of.size() - 1)(random)];
  }

  // Each piece of 512 bytes of a write since the last fsync is there or not; of those that are not,
  // the file has the length or not.
  template <class Random>
  static std::string left_of(const File& file, Random& random) {
    constexpr std::size_t sector = 512;
    const double chance = pick(random, {0.0, 0.5, 0.9, 1.0});
    const bool grows = std::bernoulli_distribution(0.5)(random);
    std::bernoulli_distribution is_there(chance);
    std::string content = file.content;
    for (const Piece& piece : file.changes) {
      if (piece.is_truncation) {
        if (is_there(random)) apply(piece, content);
        continue;
      }
      const auto at = static_cast<std::size_t>(piece.at);
      for (std::size_t i = 0; i < piece.data.size();) {
        const std::size_t end =
            std::min((((at + i) / sector) + 1) * sector - at, piece.data.size());
        const Piece part{static_cast<long>(at + i), piece.data.substr(i, end - i)};
        if (is_there(random))
          apply(part, content);
        else if (grows)
          content.resize(std::max(content.size(), at + end));
        i = end;
      }
    }
    return content;
  }

  Names on_disk_, in_memory_;
  std::vector<Change> waiting_;
  std::map<int, std::shared_ptr<File>> numbered_;
};

}  // namespace hodge::tests
