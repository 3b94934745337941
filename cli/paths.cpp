#include "paths.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "falsum/error.h"
#include "falsum/source.h"
#include "support/file.h"
#include "support/file_kind.h"
#include "support/format.h"

namespace falsum::cli {

namespace {

namespace fs = std::filesystem;

bool is_written(const FileUse& file) { return file.access != Access::kRead && file.access != Access::kResumed; }

/// Devices and pipes can be used twice, and cannot be replaced.
bool is_device(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

bool same_file(const std::string& one, const std::string& other) {
  if (is_device(one) || is_device(other)) return false;
  std::error_code error;
  if (fs::exists(one, error) && fs::exists(other, error)) return fs::equivalent(one, other, error);
  return real_path(one) == real_path(other);
}

/// The current contents. Empty files count as no file: mktemp makes empty files.
struct Content {
  bool exists = false, is_text = false;
  std::optional<std::uint32_t> kind;
  bool is(FileKind wanted) const { return kind == static_cast<std::uint32_t>(wanted); }
};

Content look_into(const std::string& path) {
  Content content;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) return content;
  std::string bytes(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  content.exists = true;
  content.is_text = !bytes.empty() && bytes.find('\0') == std::string::npos;
  content.kind = kind_of(bytes);
  return content;
}

void refuse_clash(const FileUse& one, const FileUse& other) {
  throw FileError(fmt::format("{} {} and {} {} are the same file, and writing would destroy it", one.role, one.path,
                              other.role, other.path));
}

void refuse_foreign(const FileUse& file, const char* kind) {
  throw FileError(fmt::format("{} {} exists and is not a falsum {}: choose another name, or delete it first", file.role,
                              file.path, kind));
}

void check_model(const FileUse& file) {
  const Content content = look_into(file.path);
  if (!content.exists || content.is(FileKind::kModel)) return;
  if (!content.is(FileKind::kCheckpoint)) refuse_foreign(file, "model");
  throw FileError(
      fmt::format("{} {} is a checkpoint, and a model would destroy it: choose another name", file.role, file.path));
}

void check_rows(const FileUse& file) {
  const Content content = look_into(file.path);
  if (content.exists && !content.is(FileKind::kRows)) refuse_foreign(file, "file of rows");
}

/// `what` and its generations: none may be lost unless training resumes from them.
void check_checkpoint(const FileUse& file, bool continued, bool overwrite) {
  const Content content = look_into(file.path);
  for (const std::string& kept : {previous_path(file.path), replaced_path(file.path)}) {
    if (kept == replaced_path(file.path) && !overwrite) continue;
    const Content before = look_into(kept);
    if (!before.exists) continue;
    if (!before.is(FileKind::kCheckpoint)) refuse_foreign({"beside " + file.role, kept, file.access}, "checkpoint");
    if (continued || overwrite || content.exists) continue;
    throw FileError(
        fmt::format("{} exists, a checkpoint of another training: resume from it with --resume, replace it "
                    "with --overwrite, or choose another name for {}",
                    kept, file.role));
  }
  if (!content.exists || continued) return;
  if (!content.is(FileKind::kCheckpoint)) refuse_foreign(file, "checkpoint");
  if (overwrite) return;
  throw FileError(
      fmt::format("{} {} is the checkpoint of another training: resume from it with --resume, replace it with "
                  "--overwrite, or choose another name",
                  file.role, file.path));
}

void check_answers(const FileUse& file) {
  const Content content = look_into(file.path);
  if (!content.exists || (!content.kind && (content.is_text || file.access == Access::kExport))) return;
  const char* const what = content.is(FileKind::kModel)        ? "a falsum model"
                           : content.is(FileKind::kCheckpoint) ? "a falsum checkpoint"
                           : content.is(FileKind::kRows)       ? "a falsum file of rows"
                                                               : "not a file of text";
  throw FileError(
      fmt::format("{} {} exists and is {}: choose another name, or delete it first", file.role, file.path, what));
}

}  // namespace

void check_paths(std::vector<FileUse> files, bool overwrite) {
  std::erase_if(files, [](const FileUse& file) {
    return file.path.empty() || (!is_written(file) && (file.path == "-" || is_builtin(file.path)));
  });
  const auto checkpoint =
      std::find_if(files.begin(), files.end(), [](const FileUse& file) { return file.access == Access::kCheckpoint; });
  bool continued = false;
  std::vector<FileUse> all = files;
  if (checkpoint != files.end()) {
    // A checkpoint that is resumed from is replaced by its own continuation.
    continued = std::erase_if(all, [&](const FileUse& file) {
                  return file.access == Access::kResumed && same_file(file.path, checkpoint->path);
                }) > 0;
    // Its generations are written too. For a moment the newest two may be one file, and remain so if the process is
    // killed then.
    for (const std::string& kept : {previous_path(checkpoint->path), replaced_path(checkpoint->path)}) {
      if (kept == replaced_path(checkpoint->path) && !overwrite) continue;
      if (!same_file(kept, checkpoint->path))
        all.push_back({"what is kept beside --checkpoint,", kept, checkpoint->access});
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const bool own = all[i].access == Access::kCheckpoint && all[j].access == Access::kCheckpoint;
      if (!own && (is_written(all[i]) || is_written(all[j])) && same_file(all[i].path, all[j].path)) {
        refuse_clash(all[i], all[j]);
      }
    }
  }
  for (const FileUse& file : all) {
    if (is_written(file)) check_writable(file.path);
  }
  for (const FileUse& file : files) {
    if (file.access == Access::kModel) check_model(file);
    if (file.access == Access::kRows) check_rows(file);
    if (file.access == Access::kCheckpoint) check_checkpoint(file, continued, overwrite);
    if (file.access == Access::kAnswers || file.access == Access::kExport) check_answers(file);
    if (is_written(file) && !is_device(file.path)) remove_leftovers(file.path);
  }
}

}  // namespace falsum::cli
