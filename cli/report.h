// Output of results: readable numbers, plain tables, JSON, and the code that depends on the terminal. Results go to
// stdout, everything else to stderr; colours only on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json.h"

namespace falsum::cli {

/// One document, indented, on stdout.
void print_json(const Json& document);
std::string json_text(const Json& document);

/// One sentence on stderr, after "falsum: ". Never throws: a closed stream is ignored.
void say(std::string sentence);
/// The same where a progress bar may be drawn: it is cleared first.
void warn(const std::string& sentence);

/// Text from a file, safe for a terminal: control characters become \\x1b and the like.
std::string printable(std::string_view text);
/// The same for text of several lines.
std::string printable_lines(std::string_view text);

std::string with_commas(std::uint64_t value);  // 60,000
std::string bytes_text(std::uint64_t bytes);   // 1.6 MB
std::string seconds_text(double seconds);      // 375 ns, 84 us, 1.25 s, 3 min 20 s
std::string percent_text(double share);        // 94.62%
/// "1 class", "10 classes": a count and its noun.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

std::string joined(const std::vector<std::string>& texts, std::string_view separator);

/// A table whose columns are as wide as their widest cell.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Heading {
    std::string text;
    Align align = Align::kRight;
  };
  explicit Table(std::vector<Heading> headings) : headings_(std::move(headings)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;

 private:
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

/// Lines of at most `width` characters, broken at spaces; lines after the first begin with `indent`.
std::string wrap(std::string_view text, std::size_t width, std::string_view indent = "");
/// The same for pieces that are never broken.
std::string wrap(const std::vector<std::string>& pieces, std::size_t width, std::string_view indent = "");

bool stdout_is_terminal();
bool stderr_is_terminal();
/// Columns of the terminal on stdout or stderr; 100 when there is none.
std::size_t terminal_width();
/// TERM says that the terminal has no escape sequences.
bool is_dumb_terminal();
/// Standard error is a terminal on which a line can be redrawn.
bool stderr_can_draw();
/// Bold on a terminal, plain anywhere else (and where NO_COLOR is set).
std::string bold(std::string_view text);

/// The largest memory this process has held so far.
std::uint64_t peak_rss_bytes();
/// The system can take back pages of mapped files, which are data or the program.
enum class MappedPages { kCounted, kLeftOut };
/// The memory this process holds now; where that is not known, the largest so far.
std::uint64_t rss_bytes(MappedPages mapped);
/// Returns freed memory from the allocator to the system, so that what rss_bytes() says is in use.
void give_back_freed_memory();

}  // namespace falsum::cli
