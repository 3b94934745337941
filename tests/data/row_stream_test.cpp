#include "falsum/row_stream.h"

#include <rapidcheck.h>

#include <cmath>

#include "data/arbitrary_text.h"
#include "data/data_files.h"
#include "data/encoding.h"
#include "data/formats.h"

namespace falsum::row_stream_test {
namespace {

using testing_data::expect_error;

using Texts = std::vector<std::string>;

/// Bytes as a file that is read from memory.
class Bytes {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {
    file_ = bytes_.empty() ? std::fopen("/dev/null", "rb") : ::fmemopen(bytes_.data(), bytes_.size(), "rb");
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { std::fclose(file_); }
  std::FILE* file() const { return file_; }

 private:
  std::string bytes_;
  std::FILE* file_;
};

/// Rows as text, so that they can be compared: "3|=red", "?|=blue".
void add_rows(const Source& source, Texts& rows) {
  if (const auto* sparse = std::get_if<SparseRows>(&source.values)) {
    for (std::size_t r = 0; r < sparse->rows(); ++r) {
      rows.emplace_back();
      for (auto i = sparse->starts[r]; i < sparse->starts[r + 1]; ++i)
        rows.back() += fmt::format("{} ", sparse->indices[i]);
    }
    return;
  }
  const auto* table = std::get_if<Columns>(&source.values);
  for (std::size_t r = 0; table != nullptr && r < table->rows; ++r) {
    rows.emplace_back();
    for (const Column& column : table->columns) {
      if (column.categorical) {
        rows.back() +=
            column.category[r] == kMissingCategory ? "?|" : "=" + column.categories[column.category[r]] + "|";
      } else {
        rows.back() += std::isnan(column.numbers[r]) ? "?|" : fmt::format("{}|", column.numbers[r]);
      }
    }
  }
}

struct Read {
  Texts rows;
  std::size_t left_out = 0;
  bool refused = false;
};

Read streamed(const std::string& bytes, LoadOptions options) {
  Read read;
  const Bytes source(bytes);
  try {
    RowStream stream(source.file(), "rows", options);
    while (const auto row = stream.next()) {
      EXPECT_EQ(row->rows() + row->reading.skipped.size(), 1u);
      if (row->rows() == 1) add_rows(*row, read.rows);
      read.left_out += row->reading.skipped.size();
    }
  } catch (const DataError&) {
    read.refused = true;
  }
  return read;
}

Read as_file(const std::string& bytes, LoadOptions options) {
  Read read;
  try {
    std::string encoding, converted;
    const Source source = load_csv(to_utf8(bytes, "rows", encoding, converted), "rows", options);
    add_rows(source, read.rows);
    read.left_out = source.reading.skipped.size();
  } catch (const DataError&) {
    read.refused = true;
  }
  return read;
}

Schema trained_on(std::string_view text) { return load_csv(text, "train.csv", {}).schema; }

LoadOptions reading(const Schema& schema, BadRows bad_rows = BadRows::kRefuse) {
  LoadOptions options;
  options.schema = &schema;
  options.labelled = false;
  options.bad_rows = bad_rows;
  return options;
}

const char* const kTraining = "a,b,y\n1,red,p\n2.5,blue,q\n7,red,p\n";

TEST(RowStream, RowsComeOneByOneAsTheyDoFromAFile) {
  const Schema schema = trained_on(kTraining);
  const Texts expected = {"3|=red|", "?|=blue|", "4|?|"};
  for (const std::string text : {"a,b,y\n3,red,p\nNA,blue,q\n4,,p\n", "b,a\nred,3\nblue,\n?,4\n", "3,red\n,blue\n4,?",
                                 "a,b\r\n3,red\r\n,blue\r\n4,\r\n", "a,b\r3,red\r,blue\r4,\r",
                                 "\xef\xbb\xbf"
                                 "a,b\n\n3,red\n\n,blue\n4,\n\n",
                                 "# title\na;b\n3;red\n;\"blue\"\n4;\n(3 rows)\n"}) {
    EXPECT_EQ(streamed(text, reading(schema)).rows, expected) << text;
    EXPECT_EQ(as_file(text, reading(schema)).rows, expected) << text;
  }
}

TEST(RowStream, ARowOfEmptyCellsIsARowAlsoBetweenTabs) {
  const Schema schema = trained_on("a\tb\ty\n1\tred\tp\n2.5\tblue\tq\n");
  EXPECT_EQ(streamed("a\tb\n3\tred\n\t\n\n4\tred\n", reading(schema)).rows, (Texts{"3|=red|", "?|?|", "4|=red|"}));
}

TEST(RowStream, AQuotedCellMayHaveSeveralLines) {
  const Schema schema = trained_on(kTraining);
  const Read read = streamed("a,b\n3,\"x\ny\n\nz\"\n4,\"\"\"\"\n", reading(schema));
  EXPECT_EQ(read.rows, (Texts{"3|=x\ny\n\nz|", "4|=\"|"}));
}

TEST(RowStream, RowsAfterADamagedOneAreNotLost) {
  const Schema schema = trained_on(kTraining);
  for (const std::string text : {"a,b\n1,\"open\n2,red\n3,blue\n", "a,b\n1,\"x\ny\"z\n2,red\n3,blue\n",
                                 "a,b\nmany,red\n2,red\n3,blue\n", "a,b\n1\n2,red\n3,blue\n"}) {
    const Read stream = streamed(text, reading(schema, BadRows::kSkip)),
               file = as_file(text, reading(schema, BadRows::kSkip));
    EXPECT_EQ(stream.rows, (Texts{"2|=red|", "3|=blue|"})) << text;
    EXPECT_EQ(stream.rows, file.rows) << text;
    EXPECT_EQ(stream.left_out, file.left_out) << text;
    EXPECT_TRUE(streamed(text, reading(schema)).refused) << text;
  }
}

TEST(RowStream, AgreesWithTheFileOnRandomTables) {
  const Schema schema = trained_on(kTraining);
  EXPECT_TRUE(rc::check("the same rows, or both refuse", [&] {
    const std::string end = *rc::gen::element<std::string>("\n", "\r\n", "\r");
    const bool named = *rc::gen::arbitrary<bool>(), reversed = *rc::gen::arbitrary<bool>();
    std::string text = named ? (reversed ? "b,a" : "a,b") + end : "";
    const auto rows = *rc::gen::inRange(1, 6);
    for (int r = 0; r < rows; ++r) {
      const std::string number = *rc::gen::element<std::string>("1", "2.5", "NA", "-3e2", "", "x", "\"7\"");
      const std::string word = *rc::gen::element<std::string>("red", "", "\"two" + end + "lines\"", "?",
                                                              "\"a \"\"q\"\"\"", "\"open", "\"a\"b");
      text += (named && reversed ? word + "," + number : number + "," + word) + end;
    }
    for (const BadRows bad : {BadRows::kRefuse, BadRows::kSkip}) {
      const Read stream = streamed(text, reading(schema, bad)), file = as_file(text, reading(schema, bad));
      if (file.refused && stream.rows.empty()) continue;  // a file without rows is refused, a stream may be empty
      RC_ASSERT(stream.refused == file.refused);
      if (file.refused) continue;
      RC_ASSERT(stream.rows == file.rows);
      RC_ASSERT(stream.left_out == file.left_out);
    }
  }));
}

TEST(RowStream, Utf16IsReadRowByRow) {
  const Schema schema = trained_on(kTraining);
  const std::u16string text = u"a,b\n3,r\u00f6d\n4,\U0001f337\n";
  std::string bytes = "\xff\xfe";
  for (const char16_t unit : text) {
    bytes += static_cast<char>(unit & 0xff);
    bytes += static_cast<char>(unit >> 8);
  }
  EXPECT_EQ(streamed(bytes, reading(schema)).rows, (Texts{"3|=r\xc3\xb6"
                                                          "d|",
                                                          "4|=\xf0\x9f\x8c\xb7|"}));
  EXPECT_TRUE(streamed(bytes.substr(0, bytes.size() - 1), reading(schema)).refused);
}

// One mark says how the text is encoded. A second one is text, in a file and in a stream.
TEST(RowStream, OnlyTheFirstByteOrderMarkIsTakenAway) {
  const Schema schema = trained_on("red,b\n1,p\n2,q\n");
  for (const std::string& mark : {std::string("\xff\xfe"), std::string("\xef\xbb\xbf")}) {
    std::string table;
    for (const char c : std::string("red\n3\n")) {
      table += c;
      if (mark.size() == 2) table += '\0';
    }
    for (const std::string& bytes : {mark + table, mark + mark + table}) {
      const Read stream = streamed(bytes, reading(schema)), file = as_file(bytes, reading(schema));
      EXPECT_EQ(stream.rows, file.rows);
      EXPECT_EQ(stream.refused, file.refused);
      EXPECT_EQ(stream.refused, bytes.size() > (mark + table).size());
    }
  }
}

TEST(RowStream, SvmlightComesLineByLineWithTheFirstIndexOfTraining) {
  const Schema schema = [] {
    const testing_data::Folder folder;
    return load_source(folder.file("t.svm", "1 0:1 3:1\n0 2:1\n")).schema;
  }();
  const Read read = streamed("# comment\n1 1:1 2:1\n\n3:1 # no label\n0\n", reading(schema));
  EXPECT_EQ(read.rows, (Texts{"1 2 ", "3 ", ""}));
  EXPECT_TRUE(streamed("1 x\n", reading(schema)).refused);
  const Read skipping = streamed("1 x\n1 2:1\n", reading(schema, BadRows::kSkip));
  EXPECT_EQ(skipping.rows, Texts{"2 "});
  EXPECT_EQ(skipping.left_out, 1u);
}

TEST(RowStream, DataThatAreNoLinesCannotBeStreamed) {
  Schema images;
  images.format = DataFormat::kIdx;
  const LoadOptions options = reading(images);
  const Bytes bytes("x");
  expect_error<DataError>([&] { RowStream(bytes.file(), "rows", options); }, {"rows cannot be read row by row", "idx"});
}

TEST(RowStream, ZeroBytesAndOtherEncodingsAreRefused) {
  const Schema schema = trained_on(kTraining);
  EXPECT_TRUE(streamed(std::string("a,b\n1,r\0d\n", 10), reading(schema)).refused);
  EXPECT_TRUE(streamed("a,b\n1,bl\xe5\n", reading(schema)).refused);
  EXPECT_TRUE(streamed("", reading(schema)).rows.empty());
}

}  // namespace
}  // namespace falsum::row_stream_test
