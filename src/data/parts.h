// Data in parts: the rows of a file in order, some at a time, so that a file need not fit into memory. Plain CSV and
// SVMlight files are mapped and read in parts; all other data are read whole, as one part.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "falsum/source.h"

namespace falsum {

/// Receives parts in order. Schema and notes of a part are not complete.
using EachPart = std::function<void(Source)>;

/// Values of a part; at least some rows.
inline constexpr std::size_t kPartValues = std::size_t{1} << 18;
inline constexpr std::size_t kWholeFile = std::numeric_limits<std::size_t>::max();

struct PartsRead {
  Source rest;                  // all but rows, labels and weights: schema, reading, origin
  bool labels_settled = false;  // else the reader of all labels has to call settle_labels
};
PartsRead for_each_part(const std::string& data, const LoadOptions& options, const EachPart& each);

/// csv.cpp. `part_values`: kWholeFile for one part. Returns a Source without rows.
Source read_csv(std::string_view text, const std::string& path, const LoadOptions& options, std::size_t part_values,
                const EachPart& each);
/// svmlight.cpp: reads twice, since the last row may tell how indices count. Returns a Source without rows.
Source read_svmlight(std::string_view bytes, const std::string& path, const LoadOptions& options,
                     std::size_t part_values, const EachPart& each);

}  // namespace falsum
