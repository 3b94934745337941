// Documents: folders of text files named like the labels (aclImdb/train/pos/*.txt), or IMDb's reviews as
// one file of tab-separated lines.
#include <algorithm>
#include <filesystem>

#include "data/formats.h"
#include "falsum/error.h"
#include "support/file.h"
#include "support/format.h"

namespace falsum {

Source load_document_folders(const std::string& folder, const std::vector<std::string>& labels) {
  Source source;
  Documents documents;
  for (const std::string& label : labels) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / label, error)) {
      if (entry.is_regular_file(error) && entry.path().extension() == ".txt") files.push_back(entry.path().string());
    }
    if (files.empty()) throw FileError(fmt::format("there is no .txt file in {}/{}", folder, label));
    std::sort(files.begin(), files.end());  // the file system's order differs between machines
    for (const std::string& file : files) {
      documents.texts.push_back(read_file(file));
      source.labels.push_back(label);
    }
  }
  source.values = std::move(documents);
  return source;
}

Source load_imdb_lines(std::string_view bytes, const std::string& what) {
  Source source;
  Documents documents;
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string_view label = line.substr(0, line.find('\t'));
    for (int field = 0; field < 3; ++field) {
      const std::size_t tab = line.find('\t');
      if (tab == std::string_view::npos) {
        throw DataError(
            fmt::format("{}, line {}: expected label, rating, id and text separated by tabs, found {} of "
                        "the 4",
                        what, number, field + 1));
      }
      line.remove_prefix(tab + 1);
    }
    if (label != "0" && label != "1") {
      throw DataError(
          fmt::format("{}, line {}: the label must be 0 (negative) or 1 (positive), got {:?}", what, number, label));
    }
    source.labels.emplace_back(label == "1" ? "pos" : "neg");
    documents.texts.emplace_back(line);
  }
  if (documents.texts.empty()) throw DataError(fmt::format("{} is empty", what));
  source.values = std::move(documents);
  return source;
}

}  // namespace falsum
