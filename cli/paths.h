// The files of a command, compared before the first of them is opened: no slip of a name may destroy an input, a
// checkpoint or something that falsum never wrote. Files are the same if the system says so, by whatever links and
// spellings they are named.
#pragma once

#include <string>
#include <vector>

namespace falsum::cli {

enum class Access {
  kRead,
  kResumed,     // read; the checkpoint that is written may be the same, being its continuation
  kModel,       // written: may replace a model
  kCheckpoint,  // written, with the generation before it beside it
  kAnswers,     // written: may replace text
};

struct FileUse {
  std::string role;  // as the user knows it: "DATA", "-o"
  std::string path;  // empty, or a built-in data set: not a file
  Access access;
};

/// Throws FileError, naming what clashes, if what is written would replace another file of the command, or a file that
/// is not of its kind, or, unless `overwrite`, a checkpoint that is not resumed from; and if it cannot be written.
/// Takes the chance to remove temporary files that killed processes left where it is going to write.
void check_paths(std::vector<FileUse> files, bool overwrite = false);

}  // namespace falsum::cli
