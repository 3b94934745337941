// The files of a command, compared before any of them is opened: a wrong name must not destroy an input, a checkpoint
// or a file that falsum did not write. Two names with different links and spellings are the same file if the system
// says so.
#pragma once

#include <string>
#include <vector>

namespace falsum::cli {

enum class Access {
  kRead,
  kResumed,     // read; the checkpoint that is written may be the same, being its continuation
  kModel,       // written: may replace a model
  kRows,        // written: may replace a file of packed rows
  kCheckpoint,  // written, with the generation before it beside it
  kAnswers,     // written: may replace text
  kExport,      // written: may replace anything but a model or a checkpoint
};

struct FileUse {
  std::string role;  // as the user knows it: "DATA", "-o"
  std::string path;  // empty, or a built-in data set: not a file
  Access access;
};

/// Throws FileError, naming both files, if an output would replace another file of the command, a file of another kind,
/// or, unless `overwrite`, a checkpoint that is not resumed from; and if the output cannot be written. Also removes
/// temporary files that killed processes left in the folders of the outputs.
void check_paths(std::vector<FileUse> files, bool overwrite = false);

}  // namespace falsum::cli
