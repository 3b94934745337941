// C99: the clauses as a table of bytes, and a loop over them. Three or four files:
//
//   model.c, model.h    votes from bits
//   model_row.c         raw values to bits, and numbers from votes: here alone is floating point
//   model_test.c        test vectors and a program that compares
#include "export/c_text.h"
#include "export/writers.h"
#include "support/bytes.h"
#include "support/format.h"

namespace falsum {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string capitals(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

/// Fills in the name of the model.
std::string filled(std::string_view pattern, const std::string& name) {
  std::string text(pattern);
  replace_all(text, "@_", name + "_");
  replace_all(text, "%_", capitals(name) + "_");
  return text;
}

std::string byte_table(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += fmt::format("{}{},", i % 24 == 0 ? "\n  " : "", static_cast<unsigned>(static_cast<std::uint8_t>(bytes[i])));
  }
  if (!text.empty()) text.pop_back();
  return text;
}

/// A text inside a comment of one line, or a string.
std::string c_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (c == '"' || c == '\\' || c == '?' || byte < 32 || byte > 126) {
      safe += fmt::format("\\{:03o}", byte);
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string c_number(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

bool has_rows(const Model& model) {
  return model.booleanizer().kind() == "columns" || model.booleanizer().kind() == "levels";
}
bool has_row_file(const Model& model) { return has_rows(model) || model.task() == Task::kRegression; }

const Booleanizer::ByColumn* columns_of(const Model& model) {
  return std::get_if<Booleanizer::ByColumn>(&model.booleanizer().mapping());
}

/// What the header says about outputs and columns. Comments, so names must not end them.
std::string described(const Model& model) {
  const auto comment = [](std::string text) {
    text = c_text(text);
    replace_all(text, "*/", "* /");
    replace_all(text, "/*", "/ *");
    return text;
  };
  std::string text;
  for (std::size_t o = 0; o < model.labels().size() && o < 1000; ++o)
    text += fmt::format("/* output {}: {} */\n", o, comment(model.labels()[o]));
  if (const auto* table = columns_of(model)) {
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      const Booleanizer::ColumnMapping& column = table->columns[c];
      text += fmt::format("/* row[{}]: {}{}", c, comment(column.name.empty() ? fmt::format("x{}", c) : column.name),
                          column.categorical ? ", the number of a category:"
                          : column.boolean   ? ", 0 or 1"
                                             : "");
      for (std::size_t i = 0; i < column.categories.size(); ++i)
        text += fmt::format(" {} {}{}", i, comment(column.categories[i]), i + 1 < column.categories.size() ? "," : "");
      text += " */\n";
    }
  } else if (model.booleanizer().kind() == "words") {
    text += "/* feature k: the text has word k of the vocabulary; words are not split here */\n";
  }
  return text;
}

std::string header(const Lowered& lowered, const std::string& name) {
  const Model& model = lowered.model;
  const std::string big = capitals(name);
  std::string text = fmt::format("/* A Tsetlin machine, exported by {}: {}. */\n#ifndef {}_H\n#define {}_H\n\n",
                                 made_by(), summary(lowered), big, big);
  text += "#include <stdint.h>\n\n";
  text += fmt::format(
      "#define {}_FEATURES ((uint32_t){}ul)\n#define {}_BYTES ((uint32_t){}ul)\n#define {}_OUTPUTS ((uint32_t){}ul)\n",
      big, lowered.features, big, (lowered.features + 7) / 8, big, lowered.outputs);
  text += filled(kCHeader, name);
  if (model.task() == Task::kClassification)
    text += filled(
        "\n/* The output with most votes, the first on ties. */\nuint32_t @_class(const int32_t votes[%_OUTPUTS]);\n",
        name);
  if (model.task() == Task::kMultilabel) text += "\n/* A label applies where its votes are above 0. */\n";
  if (columns_of(model) != nullptr) {
    text += fmt::format("\n#define {}_COLUMNS ((uint32_t){}ul)\n", big, columns_of(model)->columns.size());
    text += filled(
        "/* In "
        "@_row.c: raw values to bits; a missing value is not a number (NaN), a category is its number below, or -1. "
        "*/\n"
        "void @_bits(const double row[%_COLUMNS], uint8_t bits[%_BYTES]);\n",
        name);
  } else if (has_rows(model)) {
    text += fmt::format("\n#define {}_COLUMNS ((uint32_t){}ul)\n", big,
                        std::get<Booleanizer::Levels>(model.booleanizer().mapping()).pixels);
    text += filled(
        "/* In @_row.c: grey pixels to bits. */\nvoid @_bits(const uint8_t row[%_COLUMNS], uint8_t bits[%_BYTES]);\n",
        name);
  }
  if (model.task() == Task::kRegression)
    text += filled("\n/* In @_row.c: the number that votes stand for. */\ndouble @_number(const int32_t votes[1]);\n",
                   name);
  text += "\n" + described(model) + "\n#endif\n";
  return text;
}

/// Whether a feature of the row is on, or of the patch at a position: a table says where its bits begin in the image.
std::string truth_function(const Lowered& lowered) {
  if (!lowered.patches) {
    return "\nstatic int is_true(const uint8_t *bits, uint32_t feature) {\n"
           "  return bits[feature >> 3] >> (feature & 7u) & 1;\n}\n";
  }
  const PatchShape& shape = *lowered.patches;
  ByteWriter offsets;
  for (std::size_t r = 0; r < shape.rows; ++r) {
    for (std::size_t i = 0; i < shape.columns * shape.channels; ++i)
      offsets.u32(static_cast<std::uint32_t>(r * shape.image_columns * shape.channels + i));
  }
  return fmt::format(
      "\n/* Where each bit of a patch is in the image, from the patch's first bit on: four bytes, the lowest first. "
      "*/\n"
      "static const uint8_t offsets[] FALSUM_TABLE = {{{}}};\n\n"
      "static int is_true(const uint8_t *bits, uint32_t feature, uint32_t row, uint32_t column) {{\n"
      "  const uint8_t *at;\n"
      "{}"
      "  at = offsets + 4 * (feature - (uint32_t){}ul);\n"
      "  feature = (row * (uint32_t){}ul + column * (uint32_t){}ul) + FALSUM_BYTE(at) + ((uint32_t)FALSUM_BYTE(at + 1) "
      "<< 8) +\n"
      "            ((uint32_t)FALSUM_BYTE(at + 2) << 16) + ((uint32_t)FALSUM_BYTE(at + 3) << 24);\n"
      "  return bits[feature >> 3] >> (feature & 7u) & 1;\n}}\n",
      byte_table(offsets.bytes()),
      (shape.down() > 1 ? fmt::format("  if (feature < (uint32_t){}ul) return row > feature;\n", shape.down() - 1)
                        : "") +
          (shape.across() > 1
               ? fmt::format("  if (feature < (uint32_t){}ul) return column > feature - (uint32_t){}ul;\n",
                             shape.position_features(), shape.down() - 1)
               : ""),
      shape.position_features(), shape.row_stride * shape.image_columns * shape.channels,
      shape.column_stride * shape.channels);
}

/// Tries the patches until the clause is true of one.
std::string patch_loop(const PatchShape& shape) {
  return fmt::format(
      "\nstatic int32_t count_in_patches(const uint8_t *bits, const uint8_t *at, const uint8_t *end, int32_t most) {{\n"
      "  uint32_t row, column;\n"
      "  for (row = 0; row < (uint32_t){}ul; ++row) {{\n"
      "    for (column = 0; column < (uint32_t){}ul; ++column) {{\n"
      "      if (count(bits, at, end, most, row, column) != 0) return 1;\n"
      "    }}\n  }}\n  return 0;\n}}\n",
      shape.down(), shape.across());
}

std::string source(const Lowered& lowered, const std::string& name) {
  const std::string big = capitals(name);
  std::string text = fmt::format("/* A Tsetlin machine, exported by {}. */\n#include \"{}.h\"\n\n", made_by(), name);
  text +=
      fmt::format("#define {}_LITERALS ((uint32_t){}ul)\n#define {}_CLAUSES ((uint32_t){}ul)\n#define {}_FUZZY {}\n\n",
                  big, 2 * lowered.clause_features, big, lowered.clauses.size(), big, lowered.fuzzy ? 1 : 0);
  text += fmt::format("static const uint8_t {}_clauses[] FALSUM_TABLE = {{{}}};\n", name,
                      byte_table(clause_bytes(lowered)));
  text += kCNumber;
  text += truth_function(lowered);
  std::string count = filled(kCCount, name);
  replace_all(count, "WHERE_DECLARED", lowered.patches ? ", uint32_t row, uint32_t column" : "");
  replace_all(count, " WHERE", lowered.patches ? ", row, column" : "");
  replace_all(count, "COUNT",
              lowered.patches ? "count_in_patches(bits, literals, at, most)" : "count(bits, literals, at, most)");
  if (lowered.patches) count.insert(count.find("\nvoid "), patch_loop(*lowered.patches));
  if (lowered.clauses.empty())
    count = filled(
        "\nvoid @_votes(const uint8_t bits[%_BYTES], int32_t votes[%_OUTPUTS]) {\n"
        "  const uint8_t *at = @_clauses;\n  uint32_t o;\n  (void)bits;\n"
        "  for (o = 0; o < %_OUTPUTS; ++o) votes[o] = signed_number(&at);\n}\n",
        name);
  if (lowered.clauses.empty()) {  // no clause votes: nothing looks at bits
    text.resize(text.find("\nstatic int is_true") == std::string::npos ? text.size()
                                                                       : text.find("\nstatic int is_true"));
  }
  text += count;
  if (lowered.model.task() == Task::kClassification) text += filled(kCClass, name);
  return text;
}

std::string column_code(const Booleanizer::ColumnMapping& column, std::size_t c, std::size_t& feature) {
  std::string text;
  const auto set = [&](const std::string& condition) {
    text += fmt::format("  if ({}) bits[{}] |= {};\n", condition, feature / 8, 1u << (feature % 8));
    ++feature;
  };
  if (column.boolean) set(fmt::format("row[{}] == 1.0", c));
  for (const double threshold : column.thresholds) set(fmt::format("row[{}] >= {}", c, c_number(threshold)));
  for (std::size_t i = 0; i < column.categories.size(); ++i) set(fmt::format("row[{}] == {}.0", c, i));
  if (column.missing) set(fmt::format("row[{}] != row[{}]", c, c));
  return text;
}

std::string row_source(const Lowered& lowered, const std::string& name) {
  const Model& model = lowered.model;
  std::string text = fmt::format(
      "/* Raw values to bits, and numbers from votes, exported by {}. */\n#include \"{}.h\"\n", made_by(), name);
  if (const auto* table = columns_of(model)) {
    text += filled(
        "\nvoid @_bits(const double row[%_COLUMNS], uint8_t bits[%_BYTES]) {\n  uint32_t i;\n"
        "  for (i = 0; i < %_BYTES; ++i) bits[i] = 0;\n",
        name);
    std::size_t feature = 0;
    for (std::size_t c = 0; c < table->columns.size(); ++c) text += column_code(table->columns[c], c, feature);
    text += "}\n";
  } else if (const auto* levels = std::get_if<Booleanizer::Levels>(&model.booleanizer().mapping())) {
    std::string thresholds;
    for (const std::uint8_t threshold : levels->thresholds)
      thresholds += fmt::format("{}{}", thresholds.empty() ? "" : ", ", threshold);
    text += filled("\nvoid @_bits(const uint8_t row[%_COLUMNS], uint8_t bits[%_BYTES]) {\n", name);
    text += fmt::format("  static const uint8_t thresholds[] = {{{}}};\n", thresholds);
    text += filled(
        "  uint32_t level, pixel, feature = 0;\n  for (pixel = 0; pixel < %_BYTES; ++pixel) bits[pixel] = 0;\n", name);
    text += fmt::format("  for (level = 0; level < {}u; ++level) {{\n", levels->thresholds.size());
    text += filled(
        "    for (pixel = 0; pixel < %_COLUMNS; ++pixel, ++feature) {\n"
        "      if (row[pixel] > thresholds[level]) bits[feature >> 3] |= (uint8_t)(1u << (feature & 7u));\n"
        "    }\n  }\n}\n",
        name);
  }
  if (model.task() == Task::kRegression) {
    text += filled("\ndouble @_number(const int32_t votes[1]) {\n", name);
    text += fmt::format(
        "  const double least = {}, most = {};\n  const int32_t within = votes[0] < 0 ? 0 : votes[0] > {}l ? {}l : "
        "votes[0];\n"
        "  return least + (most - least) * (double)within / {}.0;\n}}\n",
        c_number(model.range().least), c_number(model.range().most), lowered.target, lowered.target, lowered.target);
  }
  return text;
}

std::string packed_rows(const BitMatrix& rows) {
  std::string bytes;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    for (std::size_t k = 0; k < rows.columns(); k += 8)
      bytes += static_cast<char>(rows.row(r)[k / 64] >> (k % 64) & 255);
  }
  return bytes;
}

std::string packed_votes(std::span<const std::int32_t> votes) {
  ByteWriter writer;
  for (const std::int32_t some : votes) writer.zigzag(some);
  return writer.take();
}

/// A raw value as a number in C; `missing` stands for a value that is not a number.
std::string raw_number(const Model& model, const RawValue& value, std::size_t c) {
  if (const double* number = std::get_if<double>(&value)) return c_number(*number);
  if (std::holds_alternative<std::monostate>(value)) return "MISSING";
  const std::vector<std::string>& categories = columns_of(model)->columns[c].categories;
  for (std::size_t i = 0; i < categories.size(); ++i) {
    if (categories[i] == std::get<std::string>(value)) return fmt::format("{}.0", i);
  }
  return "-1.0";
}

std::string raw_test(const Lowered& lowered, const TestVectors& vectors, const std::string& name) {
  const bool numbers = columns_of(lowered.model) != nullptr;
  std::string text = filled("\n#ifndef FALSUM_NO_ROW\n#define %_RAW\n#define MISSING -1.7e308\n", name);
  text += fmt::format("static const {} raw[][{}] = {{", numbers ? "double" : "uint8_t", vectors.raw.front().size());
  for (std::size_t r = 0; r < vectors.raw.size(); ++r) {
    text += r > 0 ? ",\n  {" : "\n  {";
    for (std::size_t c = 0; c < vectors.raw[r].size(); ++c) {
      text += fmt::format("{}{}", c == 0 ? "" : ", ",
                          numbers ? raw_number(lowered.model, vectors.raw[r][c], c)
                                  : fmt::format("{:.0f}", std::get<double>(vectors.raw[r][c])));
    }
    text += "}";
  }
  text += fmt::format("}};\nstatic const uint8_t raw_expected[] FALSUM_TABLE = {{{}}};\n",
                      byte_table(packed_votes(vectors.raw_votes)));
  text += filled(
      "\n/* The same for raw values. */\nuint32_t @_test_raw(uint32_t *all) {\n  static uint8_t bits[%_BYTES];\n"
      "  static int32_t votes[%_OUTPUTS];\n",
      name);
  if (numbers) text += filled("  static double row[%_COLUMNS];\n  volatile double zero = 0;\n", name);
  text += "  const uint8_t *expected = raw_expected;\n  uint32_t differ = 0, r, i;\n";
  text += fmt::format("  for (r = 0; r < {}u; ++r) {{\n", vectors.raw.size());
  text += numbers ? filled(
                        "    for (i = 0; i < %_COLUMNS; ++i) row[i] = raw[r][i] == MISSING ? zero / zero : raw[r][i];\n"
                        "    @_bits(row, bits);\n",
                        name)
                  : filled("    @_bits(raw[r], bits);\n", name);
  text += filled(
      "    @_votes(bits, votes);\n    for (i = 0; i < %_OUTPUTS; ++i, ++*all) differ += votes[i] != "
      "signed_number(&expected);\n"
      "  }\n  return differ;\n}\n#endif\n",
      name);
  return text;
}

std::string test_source(const Lowered& lowered, const TestVectors& vectors, const std::string& name) {
  std::string text = fmt::format(
      "/* Rows with the votes that falsum gave them, exported by {}. Compile it with the other .c files. */\n#include "
      "\"{}.h\"\n\n",
      made_by(), name);
  text += fmt::format("#define TEST_ROWS ((uint32_t){}ul)\n", vectors.rows.rows());
  text += fmt::format("static const uint8_t {}_rows[] FALSUM_TABLE = {{{}}};\n", name,
                      byte_table(packed_rows(vectors.rows)));
  text += fmt::format("static const uint8_t {}_expected[] FALSUM_TABLE = {{{}}};\n", name,
                      byte_table(packed_votes(vectors.votes)));
  text += filled("\nuint32_t @_test(uint32_t *all);\nuint32_t @_test_raw(uint32_t *all);\n", name);
  text += kCNumber;
  text += filled(kCTest, name);
  if (has_rows(lowered.model) && !vectors.raw.empty()) text += raw_test(lowered, vectors, name);
  return text + filled(kCMain, name);
}

}  // namespace

std::vector<ExportedFile> write_c(const Lowered& lowered, const TestVectors& vectors, const ExportOptions& options) {
  const std::string& name = options.name;
  std::vector<ExportedFile> files = {{name + ".c", source(lowered, name)}, {name + ".h", header(lowered, name)}};
  if (has_row_file(lowered.model)) files.push_back({name + "_row.c", row_source(lowered, name)});
  files.push_back({name + "_test.c", test_source(lowered, vectors, name)});
  return files;
}

}  // namespace falsum
