#include "sim/app/verify/verify.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/file_descriptor.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/checkpoint/checkpoint.hpp"
#include "sim/app/checkpoint/checkpoint_folder.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/app/frames/frame_reader.hpp"
#include "sim/app/output/checksums.hpp"
#include "sim/app/output/frame_seal.hpp"
#include "sim/app/output/manifest.hpp"
#include "sim/app/output/pvd.hpp"
#include "sim/app/output/run_lock.hpp"
#include "sim/app/output/surface_files.hpp"
#include "sim/app/output/vtkhdf_file.hpp"
#include "sim/app/verify/csv_check.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

// Adds the error of the action to what is broken. Returns whether there was none.
template <class Action>
bool succeeds(VerifiedFiles& files, const Action& action) {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    files.broken.emplace_back(error.what());
    return false;
  }
}

class Directory {
 public:
  Directory(fs::path path, Manifest manifest) : path_(std::move(path)), manifest_(manifest) {}

  Verification verify() {
    std::vector<VerifiedFiles> all;
    all.push_back({"manifest", fmt::format("{} names", manifest_.names().size()), {}});
    read_collection();  // which checkpoints are compared with
    all.push_back(checkpoints());
    all.push_back(frames());
    for (const std::string& listed : manifest_.names())
      for (const std::string& name : files_of(listed))
        if (auto one = file(name)) all.push_back(std::move(*one));
    if (Checksums::are_in(path_)) all.push_back(checksums());
    if (auto left = left_over()) all.push_back(std::move(*left));
    return {std::move(all), RunLock::holder(path_)};
  }

 private:
  // That the frames that a part of a checkpoint names, a line each, are listed.
  static void check_counted_frames(const fs::path& checkpoint, CheckpointReader& reader,
                                   const std::string& part, const std::vector<PvdEntry>& listed) {
    std::string files;
    reader.visit(part, files);
    for (std::size_t at = 0; at < files.size();) {
      const std::string file = files.substr(at, files.find('\n', at) - at);
      at += file.size() + 1;
      if (std::ranges::count(listed, file, &PvdEntry::file) == 0)
        throw IoError(fmt::format("{} counts the frame {}, which the collection has not",
                                  checkpoint.string(), file));
    }
  }

  // "output/cavity/checkpoints/x.h5: only what a run wrote before it counts": rows and frames.
  void check_counted(const fs::path& checkpoint, CheckpointReader& reader) const {
    const auto listed_in = [this](const std::string& name) {
      return is_there(path_ / name) ? entries_in(path_ / name) : std::vector<PvdEntry>{};
    };
    check_counted_frames(checkpoint, reader, "run/frames/files", frames_);
    for (const std::string& name : reader.names_between("run/regions/", "/files"))
      check_counted_frames(
          checkpoint, reader, "run/regions/" + name + "/files",
          listed_in(name + (is_one_file(collection_) ? VtkhdfFile::extension : ".pvd")));
    for (const std::string& name : reader.names_between("run/surfaces/", "/files"))
      check_counted_frames(checkpoint, reader, "run/surfaces/" + name + "/files",
                           listed_in(surface_collection(name)));
    for (const std::string& name : reader.names_between("run/files/", "/bytes")) {
      if (!manifest_.lists(name)) continue;
      long bytes = 0;
      reader.visit("run/files/" + name + "/bytes", bytes);
      if (!is_there(path_ / name))
        throw IoError(fmt::format("{} is missing, and {} counts {} bytes of it",
                                  (path_ / name).string(), checkpoint.string(), bytes));
      const auto size = static_cast<long>(bytes_of_file(path_ / name));
      if (size < bytes)
        throw IoError(fmt::format("{} counts {} bytes of {}, which has {}", checkpoint.string(),
                                  bytes, name, size));
    }
  }

  VerifiedFiles checkpoints() {
    VerifiedFiles files{"checkpoints", "", {}};
    std::vector<fs::path> paths = CheckpointFolder(path_).newest_first();
    std::erase_if(paths, [&](const fs::path& path) {
      return !manifest_.lists("checkpoints/" + path.filename().string());
    });
    std::size_t whole = 0;
    for (const fs::path& path : paths)
      whole += succeeds(files, [&] {
        CheckpointReader reader(path);
        check_counted(path, reader);
      });
    has_checkpoint_ = !paths.empty();
    has_begun_ = has_begun_ || has_checkpoint_;
    files.text = paths.empty() ? "none" : fmt::format("{} whole", whole);
    return files;
  }

  void read_collection() {
    if (const std::string name = manifest_.collection(); !name.empty()) collection_ = path_ / name;
    if (is_there(collection_))
      succeeds(collection_file_, [&] { frames_ = entries_in(collection_); });
    has_begun_ = has_begun_ || !frames_.empty();
  }

  static bool is_one_file(const fs::path& path) {
    return path.extension() == VtkhdfFile::extension;
  }

  // The frames of a collection, or of one file, whose name each of them has.
  static std::vector<PvdEntry> entries_in(const fs::path& path) {
    if (!is_one_file(path)) return read_pvd(path);
    VtkhdfFile file(path);
    file.read();
    std::vector<PvdEntry> entries;
    for (const double time : file.index().times)
      entries.push_back({time, path.filename().string()});
    return entries;
  }

  // The same with all of their values.
  static std::size_t whole_frames_in_one(const fs::path& path, VerifiedFiles& files) {
    VtkhdfFile file(path);
    succeeds(files, [&] {
      file.read();
      file.check();
    });
    return files.broken.empty() ? file.index().times.size() : 0;
  }

  // Numbers from 0 without a gap, times that increase.
  static void check_order(const std::vector<PvdEntry>& frames, std::size_t i) {
    const std::string& file = frames[i].file;
    const std::size_t dot = file.rfind('.'), mark = file.rfind('_');
    const bool in_order = dot != std::string::npos && mark != std::string::npos && mark < dot &&
                          file.substr(mark + 1, dot - mark - 1) == fmt::format("{:06}", i);
    if (!in_order)
      throw IoError(
          fmt::format("{} is frame {} of the collection: a frame before it is missing", file, i));
    if (i > 0 && !(frames[i].time > frames[i - 1].time))
      throw IoError(fmt::format("{} has t = {}, the frame before it {}", file, frames[i].time,
                                frames[i - 1].time));
  }

  // How many frames are whole, of a collection in this folder of the run directory.
  std::size_t whole_frames(const std::vector<PvdEntry>& frames, const std::string& folder,
                           VerifiedFiles& files) const {
    std::size_t whole = 0;
    for (std::size_t i = 0; i < frames.size(); ++i)
      whole += succeeds(files, [&] {
        check_order(frames, i);
        const std::string name = (fs::path(folder) / frames[i].file).generic_string();
        const fs::path path = path_ / name;
        if (!manifest_.lists(name) || !is_there(path)) throw IoError(path.string() + " is missing");
        if (path.extension() != ".vtp") return check_time(path, frames[i]);
        FileDescriptor file(path, O_RDONLY);
        check_frame_seal(path, file);
      });
    return whole;
  }

  // A frame that is whole, and its time.
  static void check_time(const fs::path& path, const PvdEntry& entry) {
    if (const std::optional<double> time = check_frame(path); time != entry.time)
      throw IoError(fmt::format("{} has {}, the collection says t = {}", path.string(),
                                time ? fmt::format("t = {}", *time) : "no time", entry.time));
  }

  VerifiedFiles frames() {
    VerifiedFiles files{"frames", "", std::move(collection_file_.broken)};
    const std::size_t whole = is_one_file(collection_) && !frames_.empty()
                                  ? whole_frames_in_one(collection_, files)
                                  : whole_frames(frames_, "", files);
    files.text =
        frames_.empty() && files.broken.empty()
            ? "none"
            : fmt::format("{} whole, listed in {}", whole, collection_.filename().string());
    return files;
  }

  // The files that a name in the manifest stands for: one, or the numbered tables that are there.
  std::vector<std::string> files_of(const std::string& listed) const {
    if (listed.find('#') == std::string::npos) return {listed};
    std::vector<std::string> names;
    const fs::path folder = fs::path(listed).parent_path();
    if (!listed.ends_with(".csv") || !is_there(path_ / folder)) return names;
    for (const fs::path& path : entries_of(path_ / folder)) {
      names.push_back((folder / path.filename()).generic_string());
      if (!Manifest({listed}).lists(names.back())) names.pop_back();
    }
    std::ranges::sort(names);
    return names;
  }

  // A restart may have begun these later, or not at all; checkpoints count those that are there.
  static bool is_of_probes(const std::string& name) {
    return name == "probes.csv" || name.starts_with("lines/") || name.starts_with(surfaces_folder);
  }

  // A single file; nothing for those that are not there yet, and for the collection.
  std::optional<VerifiedFiles> file(const std::string& name) {
    const fs::path path = path_ / name;
    const bool is_collection = name.ends_with(".pvd") || is_one_file(name);
    if (is_collection && path != collection_ && is_there(path)) return other_collection(name);
    if (is_collection || name == Checksums::file_name) return std::nullopt;
    const bool comes_later = name == "summary.json" || name.starts_with("averages.") ||
                             name.starts_with("profiles.") || name.ends_with(".md") ||
                             (has_checkpoint_ && is_of_probes(name)) || !has_begun_;
    VerifiedFiles one{name, "", {}};
    if (!is_there(path)) {
      if (comes_later) return std::nullopt;
      one.broken.push_back(path.string() + " is missing");
      return one;
    }
    succeeds(one, [&] { one.text = name.ends_with(".csv") ? rows(name) : text_of(name); });
    return one;
  }

  // Of a surface or a region.
  VerifiedFiles other_collection(const std::string& collection) const {
    VerifiedFiles files{collection, "", {}};
    std::size_t whole = 0;
    if (is_one_file(collection)) {
      whole = whole_frames_in_one(path_ / collection, files);
      files.text = fmt::format("{} frames whole", whole);
      return files;
    }
    succeeds(files, [&] {
      whole = whole_frames(read_pvd(path_ / collection),
                           fs::path(collection).parent_path().generic_string(), files);
    });
    files.text = fmt::format("{} frames whole", whole);
    return files;
  }

  std::string rows(const std::string& name) const {
    const bool compares = name.starts_with("compare");
    const RowOrder order = name == "history.csv" || name == "forces.csv" ? RowOrder::every_step
                           : name.starts_with("probes.")                 ? RowOrder::increasing_step
                           : name.starts_with("lines/") || name.starts_with(surfaces_folder)
                               ? RowOrder::growing_time
                           : compares ? RowOrder::growing_step
                                      : RowOrder::none;
    return fmt::format("{} rows", check_csv(path_ / name, order));
  }

  std::string text_of(const std::string& name) const {
    const fs::path path = path_ / name;
    const std::string text = read_file(path);
    if (name == "config.yaml") (void)parse_yaml(text, path.string());
    if (name == "summary.json") {
      const auto summary = nlohmann::json::parse(text, nullptr, false);
      if (!summary.is_object() || !summary.contains("status"))
        throw IoError(path.string() + " is damaged: it is no summary of a run");
      return summary["status"].get<std::string>();
    }
    if (text.empty() || text.back() != '\n' || text.find('\0') != std::string::npos)
      throw IoError(path.string() + " is damaged: its last line is cut off");
    return "whole";
  }

  // Of a run that has ended and was not continued.
  VerifiedFiles checksums() const {
    VerifiedFiles one{std::string(Checksums::file_name), "", {}};
    const bool are_read = succeeds(one, [&] { one.broken = Checksums::changes(path_, manifest_); });
    if (are_read) one.text = "files as the run left them";
    return one;
  }

  // Temporary files are harmless: the next run in the directory removes them.
  std::optional<VerifiedFiles> left_over() const {
    std::vector<std::string> names;
    for (const std::string& folder : manifest_.folders_in(path_)) {
      if (!is_there(path_ / folder)) continue;
      for (const fs::path& path : entries_of(path_ / folder)) {
        const std::string name = (fs::path(folder) / path.filename()).generic_string();
        if (manifest_.lists_temporary(name)) names.push_back(name);
      }
    }
    if (names.empty()) return std::nullopt;
    return VerifiedFiles{
        "left over", fmt::format("by a killed process, harmless: {}", fmt::join(names, ", ")), {}};
  }

  fs::path path_;
  Manifest manifest_;
  fs::path collection_;
  VerifiedFiles collection_file_;
  std::vector<PvdEntry> frames_;
  bool has_checkpoint_ = false;
  bool has_begun_ = false;  // a checkpoint or a frame is there, and so are the files of rows
};

}  // namespace

std::size_t Verification::broken() const {
  std::size_t sum = 0;
  for (const VerifiedFiles& files : kinds) sum += files.broken.size();
  return sum;
}

Verification verify_run(const fs::path& directory) {
  std::optional<Manifest> manifest;
  try {
    if (is_a_directory(directory)) manifest = Manifest::read(directory);
  } catch (const ConfigError& damage) {
    throw IoError(damage.what());
  }
  if (!manifest)
    throw ConfigError(fmt::format("{} is no run directory: it has no {}", directory.string(),
                                  Manifest::file_name));
  return Directory(directory, *manifest).verify();
}

}  // namespace hodge::sim
