// SQL: a view with the votes of every row of a table. Plain enough for SQLite, DuckDB and PostgreSQL.
//
//   inline      the features of a row as columns of 0 and 1, and an expression for each output
//   relational  tables of the clauses; the false literals of a row find the clauses that they falsify in the table of
//               inclusions, which is the paper's index
#include "export/writers.h"
#include "support/format.h"

namespace falsum {
namespace {

constexpr std::size_t kMostInlineClauses = 500, kMostInlineFeatures = 1000;
constexpr std::size_t kMostParts = 400;  // of a UNION: SQLite allows 500

std::string in_quotes(std::string_view text, char quote) {
  std::string safe(1, quote);
  for (const char c : text) {
    if (c == quote) safe += quote;
    if (c != '\0') safe += c;
  }
  return safe + quote;
}

/// All digits, and an exponent: without one DuckDB reads a decimal.
std::string exact_number(double value) {
  const std::string text = fmt::format("{}", value);
  return fmt::format("CAST({}{} AS DOUBLE PRECISION)", text, text.find('e') == std::string::npos ? "e0" : "");
}

/// a op b op c ..., as a tree: SQLite allows expressions of depth 1,000.
std::string joined_evenly(const std::vector<std::string>& parts, std::string_view op, std::size_t first,
                          std::size_t count) {
  if (count <= 8) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? std::string(op) : "") + parts[first + i];
    return text;
  }
  return "(" + joined_evenly(parts, op, first, count / 2) + ")" + std::string(op) + "(" +
         joined_evenly(parts, op, first + count / 2, count - count / 2) + ")";
}

struct RawColumn {
  std::string name, type;
};

class SqlWriter {
 public:
  SqlWriter(const Lowered& lowered, const TestVectors& vectors, const std::string& name)
      : lowered_(lowered), vectors_(vectors), name_(name) {
    conditions_.resize(lowered.features);
    const Booleanizer& booleanizer = lowered.model.booleanizer();
    if (const auto* table = std::get_if<Booleanizer::ByColumn>(&booleanizer.mapping())) {
      add_columns(*table);
    } else if (const auto* levels = std::get_if<Booleanizer::Levels>(&booleanizer.mapping())) {
      for (std::size_t i = 0; i < levels->pixels; ++i) columns_.push_back({fmt::format("p{}", i), "INTEGER"});
      std::size_t feature = 0;
      for (const std::uint8_t threshold : levels->thresholds) {
        for (std::size_t i = 0; i < levels->pixels; ++i) conditions_[feature++] = fmt::format("p{} > {}", i, threshold);
      }
    } else {
      const auto* bits = std::get_if<Booleanizer::Bits>(&booleanizer.mapping());
      for (std::size_t k = 0; k < lowered.features; ++k) {
        const bool named = bits != nullptr && k < bits->names.size();
        columns_.push_back({named ? in_quotes(bits->names[k], '"') : fmt::format("x{}", k), "INTEGER"});
        conditions_[k] = columns_.back().name + " = 1";
      }
    }
    raw_ = !vectors.raw.empty() && booleanizer.kind() != "words";
  }

  bool fits_inline() const {
    return lowered_.clauses.size() <= kMostInlineClauses && columns_.size() <= kMostInlineFeatures &&
           lowered_.used_features().size() <= kMostInlineFeatures && lowered_.outputs <= kMostInlineFeatures;
  }

  std::string inlined() const {
    std::string text = head("one expression for each output");
    text += table_of_rows();
    text += fmt::format("CREATE VIEW {}_votes AS\nWITH bits AS (\n  SELECT row_id", name_);
    for (const std::uint32_t k : lowered_.used_features())
      text += fmt::format(",\n    CASE WHEN {} THEN 1 ELSE 0 END AS f{}", conditions_[k], k);
    text += fmt::format("\n  FROM {}_rows\n)\nSELECT row_id", name_);
    for (std::size_t o = 0; o < lowered_.outputs; ++o) text += fmt::format(",\n  {} AS votes_{}", sum_of(o), o);
    text += "\nFROM bits;\n\n";
    if (lowered_.model.task() == Task::kClassification) text += inline_answer();
    return text + inline_check();
  }

  std::string relational() const {
    const bool bits_in = lowered_.used_features().size() > kMostParts || lowered_.model.booleanizer().kind() == "words";
    std::string text = head("the paper's index as a query");
    text += fmt::format(
        "CREATE TABLE {0}_clause (clause INTEGER PRIMARY KEY, most INTEGER NOT NULL);\n"
        "CREATE TABLE {0}_inclusion (literal INTEGER NOT NULL, clause INTEGER NOT NULL, PRIMARY KEY (literal, "
        "clause));\n"
        "CREATE TABLE {0}_weight (clause INTEGER NOT NULL, output INTEGER NOT NULL, votes INTEGER NOT NULL);\n"
        "CREATE TABLE {0}_output (output INTEGER PRIMARY KEY, label TEXT NOT NULL, base INTEGER NOT NULL);\n"
        "CREATE TABLE {0}_feature (feature INTEGER PRIMARY KEY, name TEXT NOT NULL);\n",
        name_);
    text += contents();
    if (bits_in) {
      text += fmt::format(
          "-- A row here for each true feature of a row; feature k is named in {0}_feature.\n"
          "CREATE TABLE {0}_rows (row_id INTEGER PRIMARY KEY);\n"
          "CREATE TABLE {0}_truth (row_id INTEGER NOT NULL, feature INTEGER NOT NULL, PRIMARY KEY (row_id, "
          "feature));\n\n",
          name_);
    } else {
      text += table_of_rows();
      text += fmt::format("CREATE VIEW {}_truth AS", name_);
      const char* between = "";
      for (const std::uint32_t k : lowered_.used_features()) {
        text +=
            fmt::format("{}\n  SELECT row_id, {} AS feature FROM {}_rows WHERE {}", between, k, name_, conditions_[k]);
        between = " UNION ALL";
      }
      if (*between == '\0') text += fmt::format("\n  SELECT row_id, 0 AS feature FROM {}_rows WHERE 1 = 0", name_);
      text += ";\n\n";
    }
    text += fmt::format(
        "-- Literal k is feature k, literal {1} + k its negation.\n"
        "CREATE VIEW {0}_false_literal AS\n"
        "  SELECT row_id, feature + {1} AS literal FROM {0}_truth\n"
        "  UNION ALL\n"
        "  SELECT r.row_id, f.feature FROM {0}_rows r CROSS JOIN {0}_feature f\n"
        "  WHERE NOT EXISTS (SELECT 1 FROM {0}_truth t WHERE t.row_id = r.row_id AND t.feature = f.feature);\n\n"
        "-- Clauses with false literals, and how many.\n"
        "CREATE VIEW {0}_falsified AS\n"
        "  SELECT l.row_id, i.clause, COUNT(*) AS misses\n"
        "  FROM {0}_false_literal l JOIN {0}_inclusion i ON i.literal = l.literal GROUP BY l.row_id, i.clause;\n\n"
        "CREATE VIEW {0}_votes AS\n"
        "WITH falsified AS (SELECT * FROM {0}_falsified),\n"
        "cast_votes AS (\n"
        "  SELECT r.row_id, w.output, SUM(w.votes * (c.most - COALESCE(f.misses, 0))) AS votes\n"
        "  FROM {0}_rows r CROSS JOIN {0}_clause c\n"
        "  LEFT JOIN falsified f ON f.row_id = r.row_id AND f.clause = c.clause\n"
        "  JOIN {0}_weight w ON w.clause = c.clause\n"
        "  WHERE c.most > COALESCE(f.misses, 0) GROUP BY r.row_id, w.output\n"
        ")\n"
        "SELECT r.row_id, o.output, o.label, o.base + COALESCE(v.votes, 0) AS votes\n"
        "FROM {0}_rows r CROSS JOIN {0}_output o\n"
        "LEFT JOIN cast_votes v ON v.row_id = r.row_id AND v.output = o.output;\n\n",
        name_, lowered_.features);
    return text + relational_check(bits_in);
  }

 private:
  void add_columns(const Booleanizer::ByColumn& table) {
    std::size_t feature = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Booleanizer::ColumnMapping& column = table.columns[c];
      const std::string name = in_quotes(column.name.empty() ? fmt::format("x{}", c) : column.name, '"');
      columns_.push_back({name, column.categorical ? "TEXT" : "DOUBLE PRECISION"});
      if (column.boolean) conditions_[feature++] = name + " = 1";
      for (const double t : column.thresholds) conditions_[feature++] = name + " >= " + exact_number(t);
      for (const std::string& category : column.categories)
        conditions_[feature++] = name + " = " + in_quotes(category, '\'');
      if (column.missing) conditions_[feature++] = name + " IS NULL";
    }
  }

  std::string head(std::string_view form) const {
    return fmt::format(
        "-- A Tsetlin machine, exported by {}: {}; {}.\n"
        "-- Fill {}_rows; {}_votes then has the votes. {}_check has the votes that differ from falsum's: 0.\n\n",
        made_by(), summary(lowered_), form, name_, name_, name_);
  }

  std::string column_list(const std::string& suffix, bool keyed) const {
    std::string text =
        fmt::format("CREATE TABLE {}{} (row_id INTEGER {}", name_, suffix, keyed ? "PRIMARY KEY" : "NOT NULL");
    for (const RawColumn& column : columns_) text += fmt::format(", {} {}", column.name, column.type);
    return text + ");\n";
  }
  std::string table_of_rows() const { return column_list("_rows", true) + "\n"; }

  /// (condition) AND ..., or for fuzzy clauses the number of misses.
  std::string clause_text(const LoweredClause& clause, std::int32_t votes) const {
    std::vector<std::string> parts;
    for (const std::uint32_t literal : clause.literals) {
      const std::uint32_t k = lowered_.feature_of(literal);
      if (lowered_.fuzzy) {
        parts.push_back(lowered_.is_negated(literal) ? fmt::format("f{}", k) : fmt::format("(1 - f{})", k));
      } else {
        parts.push_back(fmt::format("f{} = {}", k, lowered_.is_negated(literal) ? 0 : 1));
      }
    }
    const std::string all = joined_evenly(parts, lowered_.fuzzy ? " + " : " AND ", 0, parts.size());
    if (!lowered_.fuzzy) return fmt::format("CASE WHEN {} THEN {} ELSE 0 END", all, votes);
    return fmt::format("CASE WHEN {0} < {1} THEN {2} * ({1} - ({0})) ELSE 0 END", all, clause.most, votes);
  }

  std::string sum_of(std::size_t output) const {
    std::vector<std::string> parts;
    if (lowered_.base[output] != 0) parts.push_back(fmt::format("({})", lowered_.base[output]));
    for (const LoweredClause& clause : lowered_.clauses) {
      for (const OutputVotes& some : clause.votes) {
        if (some.output == output) parts.push_back(clause_text(clause, some.votes));
      }
    }
    return parts.empty() ? "0" : joined_evenly(parts, "\n    + ", 0, parts.size());
  }

  std::string label_of(std::size_t o) const {
    const std::vector<std::string>& labels = lowered_.model.labels();
    return in_quotes(labels.empty() ? std::to_string(o) : labels[o], '\'');
  }

  /// The first class that no other has more votes than.
  std::string inline_answer() const {
    if (lowered_.outputs > 100) return "";
    std::string text = fmt::format("CREATE VIEW {}_answer AS\nSELECT row_id, CASE", name_);
    for (std::size_t o = 0; o + 1 < lowered_.outputs; ++o) {
      std::vector<std::string> parts;
      for (std::size_t other = o + 1; other < lowered_.outputs; ++other)
        parts.push_back(fmt::format("votes_{} >= votes_{}", o, other));
      for (std::size_t other = 0; other < o; ++other) parts.push_back(fmt::format("votes_{} > votes_{}", o, other));
      text += fmt::format("\n  WHEN {} THEN {}", joined_evenly(parts, " AND ", 0, parts.size()), label_of(o));
    }
    return text + fmt::format("{} {}{} AS answer FROM {}_votes;\n\n", lowered_.outputs > 1 ? "\n  ELSE" : "",
                              lowered_.outputs > 1 ? "" : " WHEN 1 = 1 THEN ", label_of(lowered_.outputs - 1) + " END",
                              name_);
  }

  std::string value_text_of(const RawValue& value) const {
    if (const double* number = std::get_if<double>(&value)) return exact_number(*number);
    if (const std::string* text = std::get_if<std::string>(&value)) return in_quotes(*text, '\'');
    return "NULL";
  }

  /// The test rows have negative ids, so that they do not meet rows of the user.
  std::string test_rows() const {
    std::string text;
    if (raw_) {
      for (std::size_t r = 0; r < vectors_.raw.size(); ++r) {
        text += fmt::format("INSERT INTO {}_rows VALUES (-{}", name_, r + 1);
        for (const RawValue& value : vectors_.raw[r]) text += ", " + value_text_of(value);
        text += ");\n";
      }
      return text;
    }
    for (std::size_t r = 0; r < vectors_.rows.rows(); ++r) {
      text += fmt::format("INSERT INTO {}_rows VALUES (-{}", name_, r + 1);
      for (std::size_t k = 0; k < lowered_.features; ++k) text += vectors_.rows.get(r, k) ? ", 1" : ", 0";
      text += ");\n";
    }
    return text;
  }

  std::size_t test_count(bool raw) const { return raw ? vectors_.raw.size() : vectors_.rows.rows(); }

  std::string expected(bool raw) const {
    std::string text = fmt::format(
        "CREATE TABLE {}_expected (row_id INTEGER NOT NULL, output INTEGER NOT NULL, votes INTEGER NOT NULL);\n",
        name_);
    for (std::size_t r = 0; r < test_count(raw); ++r) {
      const std::span<const std::int32_t> votes = raw ? vectors_.raw_votes_of(r) : vectors_.votes_of(r);
      text += fmt::format("INSERT INTO {}_expected VALUES", name_);
      for (std::size_t o = 0; o < votes.size(); ++o)
        text += fmt::format("{} (-{}, {}, {})", o > 0 ? "," : "", r + 1, o, votes[o]);
      text += ";\n";
    }
    return text;
  }

  std::string inline_check() const {
    std::string text = "-- Its own test.\n" + test_rows() + expected(raw_);
    text +=
        fmt::format("CREATE VIEW {0}_check AS\nSELECT COUNT(*) AS votes, SUM(CASE WHEN e.votes = CASE e.output", name_);
    for (std::size_t o = 0; o < lowered_.outputs; ++o) text += fmt::format(" WHEN {0} THEN v.votes_{0}", o);
    return text +
           fmt::format(
               " END THEN 0 ELSE 1 END) AS differ\nFROM {0}_expected e LEFT JOIN {0}_votes v ON v.row_id = e.row_id;\n"
               "-- SELECT votes, differ FROM {0}_check; then DELETE FROM {0}_rows WHERE row_id < 0;\n",
               name_);
  }

  std::string relational_check(bool bits_in) const {
    std::string text = "-- Its own test.\n";
    if (bits_in) {
      for (std::size_t r = 0; r < vectors_.rows.rows(); ++r) {
        text += fmt::format("INSERT INTO {}_rows VALUES (-{});\n", name_, r + 1);
        std::string list;
        for (const std::uint32_t k : lowered_.used_features()) {
          if (vectors_.rows.get(r, k)) list += fmt::format("{} (-{}, {})", list.empty() ? "" : ",", r + 1, k);
        }
        if (!list.empty()) text += fmt::format("INSERT INTO {}_truth VALUES{};\n", name_, list);
      }
    } else {
      text += test_rows();
    }
    text += expected(!bits_in && raw_);
    return text + fmt::format(
                      "CREATE VIEW {0}_check AS\nSELECT COUNT(*) AS votes, SUM(CASE WHEN e.votes = v.votes THEN 0 ELSE "
                      "1 END) AS differ\n"
                      "FROM {0}_expected e LEFT JOIN {0}_votes v ON v.row_id = e.row_id AND v.output = e.output;\n"
                      "-- SELECT votes, differ FROM {0}_check; then DELETE FROM {0}_rows WHERE row_id < 0;\n",
                      name_);
  }

  /// Rows of the tables, 200 for each statement.
  std::string inserts(const std::string& table, const std::vector<std::string>& rows) const {
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text += i % 200 == 0 ? fmt::format("{}INSERT INTO {}_{} VALUES {}", i > 0 ? ";\n" : "", name_, table, rows[i])
                           : "," + rows[i];
    }
    return rows.empty() ? "" : text + ";\n";
  }

  std::string contents() const {
    std::vector<std::string> clauses, inclusions, weights, outputs, names;
    for (std::size_t c = 0; c < lowered_.clauses.size(); ++c) {
      const LoweredClause& clause = lowered_.clauses[c];
      clauses.push_back(fmt::format("({},{})", c, clause.most));
      for (const std::uint32_t literal : clause.literals) inclusions.push_back(fmt::format("({},{})", literal, c));
      for (const OutputVotes& some : clause.votes)
        weights.push_back(fmt::format("({},{},{})", c, some.output, some.votes));
    }
    for (std::size_t o = 0; o < lowered_.outputs; ++o)
      outputs.push_back(fmt::format("({},{},{})", o, label_of(o), lowered_.base[o]));
    const std::vector<std::string> all_names = lowered_.model.literal_names();
    for (const std::uint32_t k : lowered_.used_features())
      names.push_back(fmt::format("({},{})", k, in_quotes(all_names[k], '\'')));
    return inserts("clause", clauses) + inserts("inclusion", inclusions) + inserts("weight", weights) +
           inserts("output", outputs) + inserts("feature", names) + "\n";
  }

  const Lowered& lowered_;
  const TestVectors& vectors_;
  const std::string& name_;
  std::vector<RawColumn> columns_;
  std::vector<std::string> conditions_;  // by feature, over the columns
  bool raw_ = false;                     // rows are raw values, else bits
};

}  // namespace

std::vector<ExportedFile> write_sql(const Lowered& lowered, const TestVectors& vectors, const ExportOptions& options) {
  if (lowered.patches)
    refuse_export("a model of patches", ExportFormat::kSql, "each row would be hundreds of rows; use c, js or onnx");
  const SqlWriter writer(lowered, vectors, options.name);
  const bool words = lowered.model.booleanizer().kind() == "words";
  const bool fits = writer.fits_inline() && !words;
  if (options.form == ExportForm::kInline && !fits) {
    refuse_export(words
                      ? "a model of words"
                      : fmt::format("a model of {} clauses and {} features", lowered.clauses.size(), lowered.features),
                  ExportFormat::kSql,
                  fmt::format("inline has at most {} clauses and {} features that are columns; use --form relational",
                              kMostInlineClauses, kMostInlineFeatures));
  }
  const bool inlined = options.form == ExportForm::kInline || (options.form == ExportForm::kAuto && fits);
  return {{options.name + ".sql", inlined ? writer.inlined() : writer.relational()}};
}

}  // namespace falsum
