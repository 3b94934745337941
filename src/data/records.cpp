#include "data/records.h"

#include <algorithm>

#include "data/formats.h"
#include "support/format.h"

namespace falsum {
namespace {

/// What a backslash and this character stand for.
char unescape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return c;
  }
}

}  // namespace

RecordReader::RecordReader(std::string_view text, const Dialect& dialect, std::size_t most_cells)
    : left_(text), dialect_(dialect), most_cells_(most_cells), stops_{dialect.delimiter, '\n', '\r', '\\'} {
  if (dialect.delimiter == ' ') stops_[3] = '\t';
  stop_count_ = dialect.backslash || dialect.delimiter == ' ' ? 4 : 3;
}

bool RecordReader::next(std::vector<std::string_view>& cells) {
  do {
    if (left_.empty()) return false;
    read_record(cells);
  } while ((cells.size() == 1 && cells[0].empty() && problem_.empty() && quoted_cells_ == 0) ||
           is_ruler(record_, dialect_.delimiter));
  return true;
}

void RecordReader::read_record(std::vector<std::string_view>& cells) {
  record_line_ = line_;
  cells.clear();
  unescaped_.clear();
  problem_.clear();
  quoted_cells_ = 0;
  const std::string_view start = left_;
  for (bool more = true; more;) {
    skip_spaces();
    if (dialect_.delimiter == ' ' && at_line_end() && !cells.empty()) break;  // spaces at the end of the line
    cells.push_back(at_quote() ? quoted_cell(left_[0]) : plain_cell());
    if (cells.size() > most_cells_) problem_ = fmt::format("there are more than {} columns", most_cells_);
    if (!problem_.empty()) {  // continue at the line after the record's first line
      left_ = start;
      left_.remove_prefix(std::min(left_.find_first_of("\r\n"), left_.size()));
      line_ = record_line_;
      break;
    }
    if (dialect_.delimiter == ' ') {
      more = !at_line_end();
    } else {
      more = !left_.empty() && left_[0] == dialect_.delimiter;
      if (more) left_.remove_prefix(1);
    }
  }
  record_ = start.substr(0, start.size() - left_.size());
  take_line_end();
}

void RecordReader::take_line_end() {
  if (left_.empty()) return;
  left_.remove_prefix(left_.starts_with("\r\n") ? 2 : 1);
  ++line_;
}

void RecordReader::skip_spaces() {
  const std::size_t spaces = std::min(left_.find_first_not_of(" \t"), left_.size());
  if (spaces == 0 || (dialect_.delimiter == '\t' && left_.substr(0, spaces).find('\t') != std::string_view::npos)) {
    return;
  }
  left_.remove_prefix(spaces);
}

/// How far it is to the delimiter, the end of the line or an escape.
std::size_t RecordReader::find_stop() const {
  const char fourth = stop_count_ == 4 ? stops_[3] : stops_[0];
  std::size_t end = 0;
  for (; end < left_.size(); ++end) {
    const char c = left_[end];
    if (c == stops_[0] || c == '\n' || c == '\r' || c == fourth) break;
  }
  return end;
}

std::string_view RecordReader::plain_cell() {
  const std::string_view stops(stops_, stop_count_);
  std::size_t end = find_stop();
  if (!dialect_.backslash || end == left_.size() || left_[end] != '\\') {
    const std::string_view cell = left_.substr(0, end);
    left_.remove_prefix(end);
    return trim(cell);
  }
  if (left_.starts_with("\\N") && (left_.size() == 2 || stops.find(left_[2]) != stops.npos)) {  // no escape, but NULL
    const std::string_view cell = left_.substr(0, 2);
    left_.remove_prefix(2);
    return cell;
  }
  std::string text;
  for (; end < left_.size() && left_[end] == '\\'; end = find_stop()) {
    text.append(left_, 0, end);
    left_.remove_prefix(end + 1);
    if (left_.empty()) continue;
    text += unescape(left_[0]);
    left_.remove_prefix(1);
  }
  text.append(left_, 0, end);
  left_.remove_prefix(end);
  return trim(unescaped_.emplace_back(std::move(text)));
}

/// Where single quotes are usual, double quotes count as well: a file for a model may come from another program.
bool RecordReader::at_quote() const {
  return !left_.empty() && (left_[0] == dialect_.quote || (dialect_.quote == '\'' && left_[0] == '"'));
}

std::string_view RecordReader::quoted_cell(char quote) {
  const char stops[] = {quote, '\\'};
  const std::string_view ends(stops, dialect_.backslash ? 2 : 1);
  ++quoted_cells_;
  left_.remove_prefix(1);
  const std::string_view inside = left_;
  std::string text;
  bool as_it_stands = true;
  for (;;) {
    const std::size_t end = left_.find_first_of(ends);
    if (end == std::string_view::npos) {
      problem_ = "a quote is opened and never closed";
      return {};
    }
    const std::string_view part = left_.substr(0, end);
    const bool escape = left_[end] == '\\';
    line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    text += part;
    left_.remove_prefix(end + 1);
    if (escape) {
      as_it_stands = false;
      if (left_.empty()) continue;
      text += unescape(left_[0]);
      left_.remove_prefix(1);
      continue;
    }
    if (left_.empty() || left_[0] != quote) break;
    as_it_stands = false;
    text += quote;
    left_.remove_prefix(1);
  }
  const std::string_view whole = inside.substr(0, text.size());
  skip_spaces();
  const bool ends_here = at_line_end() || left_[0] == dialect_.delimiter || dialect_.delimiter == ' ';
  if (!ends_here) problem_ = "text follows a closing quote";
  if (as_it_stands) return trim(whole);
  return trim(unescaped_.emplace_back(std::move(text)));
}

bool is_ruler(std::string_view record, char delimiter) {
  return record.find("---") != std::string_view::npos && record.find_first_not_of("-+|=: ") == std::string_view::npos &&
         (delimiter == ' ' || record.find_first_of("+|") != std::string_view::npos);
}

bool is_complete_record(std::string_view text, const Dialect& dialect, std::size_t most_cells) {
  RecordReader reader(text, dialect, most_cells);
  std::vector<std::string_view> cells;
  while (reader.next(cells)) {
    if (reader.problem() == "a quote is opened and never closed") return false;
  }
  const bool escaped_end = reader.record().ends_with('\n') || reader.record().ends_with('\r');
  return !escaped_end;  // a line end after a backslash is part of a cell
}

}  // namespace falsum
