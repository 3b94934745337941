#include "report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "support/format.h"

namespace falsum::cli {

std::string json_text(const Json& document) {
  const std::string text = document.dump(2);
  // JSON escapes control characters of one byte and no others; a terminal obeys those from 0x80 to 0x9f as well.
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0xffu;
    if (text[i] == '\xc2' && next < 0xa0) {
      safe += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      safe += text[i] == '\x7f' ? "\\u007f" : std::string_view(&text[i], 1);
    }
  }
  return safe + "\n";
}

void print_json(const Json& document) { fmt::print("{}", json_text(document)); }

void say(std::string sentence) {
  // One line, whatever a file name or a label in the message holds.
  sentence = "falsum: " + printable(sentence) + "\n";
  std::fflush(stdout);
  (void)!std::fwrite(sentence.data(), 1, sentence.size(), stderr);
  std::fflush(stderr);
}

void warn(const std::string& sentence) {
  if (stderr_can_draw()) std::fputs("\r\033[K", stderr);
  say(sentence);
}

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // In UTF-8 the control characters from 0x80 to 0x9f are 0xc2 and that byte.
    const bool high = c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (c < 0x20 || c == 0x7f || high) {
      shown += fmt::format("\\x{:02x}", high ? static_cast<unsigned char>(text[++i]) : c);
    } else {
      shown += text[i];
    }
  }
  return shown;
}

std::string printable_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += printable(text.substr(0, end));
    if (end < text.size()) shown += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

std::string with_commas(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes);
  const char* unit = "";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return fmt::format("{:.{}f} {}", value, value < 10 ? 1 : 0, unit);
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 99.5) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 2 : 1);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string percent_text(double share) { return fmt::format("{:.2f}%", 100 * share); }

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
}

std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) all += separator;
    all += texts[i];
  }
  return all;
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const Heading& heading : headings_) widths.push_back(heading.text.size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  const auto line_of = [&](const auto& cell_text) {
    std::string line;
    for (std::size_t c = 0; c < headings_.size(); ++c) {
      if (c > 0) line += "  ";
      const bool left = headings_[c].align == Align::kLeft;
      line += left ? fmt::format("{:<{}}", cell_text(c), widths[c]) : fmt::format("{:>{}}", cell_text(c), widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  std::string text = line_of([&](std::size_t c) { return std::string_view(headings_[c].text); });
  for (const auto& row : rows_) {
    text += line_of([&](std::size_t c) { return c < row.size() ? std::string_view(row[c]) : std::string_view(); });
  }
  return text;
}

std::string wrap(const std::vector<std::string>& pieces, std::size_t width, std::string_view indent) {
  std::string wrapped;
  std::size_t column = 0;
  for (const std::string& piece : pieces) {
    if (column > 0 && column + 1 + piece.size() > width) {
      wrapped += '\n';
      wrapped += indent;
      column = indent.size();
    } else if (column > 0) {
      wrapped += ' ';
      ++column;
    }
    wrapped += piece;
    column += piece.size();
  }
  return wrapped;
}

std::string wrap(std::string_view text, std::size_t width, std::string_view indent) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrap(words, width, indent);
}

bool is_dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

bool stderr_can_draw() { return stderr_is_terminal() && std::getenv("TERM") != nullptr && !is_dumb_terminal(); }

std::string bold(std::string_view text) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = !stdout_is_terminal() || is_dumb_terminal() || (no_color != nullptr && *no_color != '\0');
  return plain ? std::string(text) : fmt::format("\033[1m{}\033[0m", text);
}

}  // namespace falsum::cli
