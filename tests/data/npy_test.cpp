#include <rapidcheck.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "data/data_files.h"
#include "data/formats.h"

namespace falsum::npy_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;

using Texts = std::vector<std::string>;

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
  return text;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

std::string npy(const std::string& descr, const std::string& shape, std::string_view values, bool fortran = false,
                int version = 1) {
  const std::string header =
      fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", descr, fortran ? "True" : "False", shape);
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  return bytes + little_endian(header.size(), version == 1 ? 2 : 4) + header + std::string(values);
}

/// What numpy.savez writes: sizes in the local headers are blank, those in the directory count.
struct ZipMember {
  std::string name, content;
  bool deflated = false;
  std::uint64_t claimed_size = 0;  // 0: the truth
  std::uint32_t checksum_error = 0;
};

std::string zip(const std::vector<ZipMember>& members) {
  std::string file, directory;
  for (const ZipMember& member : members) {
    std::string stored = member.content;
    if (member.deflated) {
      const std::string gz = testing_data::gzip(member.content);
      stored = gz.substr(10, gz.size() - 18);  // without the gzip header and trailer it is raw deflate
    }
    const auto checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(member.content.data()), static_cast<uInt>(member.content.size())));
    const std::string method = little_endian(member.deflated ? 8 : 0, 2), name = little_endian(member.name.size(), 2);
    const std::uint64_t size = member.claimed_size > 0 ? member.claimed_size : member.content.size();
    directory += "PK\x01\x02" + little_endian(0, 6) + method + little_endian(0, 4) +
                 little_endian(checksum ^ member.checksum_error, 4) + little_endian(stored.size(), 4) +
                 little_endian(size, 4) + name + little_endian(0, 12) + little_endian(file.size(), 4) + member.name;
    file += "PK\x03\x04" + little_endian(0, 4) + method + little_endian(0, 8) + std::string(8, '\xff') + name +
            little_endian(0, 2) + member.name + stored;
  }
  return file + directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(members.size(), 2) +
         little_endian(members.size(), 2) + little_endian(directory.size(), 4) + little_endian(file.size(), 4) +
         little_endian(0, 2);
}

Source load(const std::string& bytes, bool labelled = true) {
  LoadOptions options;
  options.labelled = labelled;
  return looks_like_npz(bytes) ? load_npz(bytes, "t.npz", options) : load_npy(bytes, "/nowhere/t.npy", options);
}

std::vector<double> column(const Source& source, std::size_t c) {
  return std::get<Columns>(source.values).columns[c].numbers;
}

TEST(Npy, EveryNumericTypeIsRead) {
  const auto check = [](const std::string& descr, const std::string& values) {
    const Source source = load(npy("'" + descr + "'", "(2, 2)", values), false);
    EXPECT_EQ(column(source, 0), (std::vector<double>{1, 3})) << descr;
    EXPECT_EQ(column(source, 1), (std::vector<double>{2, 100})) << descr;
  };
  check("|u1", raw<std::uint8_t>({1, 2, 3, 100}));
  check("|i1", raw<std::int8_t>({1, 2, 3, 100}));
  check("<u2", raw<std::uint16_t>({1, 2, 3, 100}));
  check("<i2", raw<std::int16_t>({1, 2, 3, 100}));
  check("<u4", raw<std::uint32_t>({1, 2, 3, 100}));
  check("<i4", raw<std::int32_t>({1, 2, 3, 100}));
  check("<u8", raw<std::uint64_t>({1, 2, 3, 100}));
  check("<i8", raw<std::int64_t>({1, 2, 3, 100}));
  check("<f4", raw<float>({1, 2, 3, 100}));
  check("<f8", raw<double>({1, 2, 3, 100}));
}

TEST(Npy, AllThreeVersionsAreRead) {
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(load(npy("'<f8'", "(1, 2)", raw<double>({2.5, 7}), false, version)).labels, Texts{"7"});
  }
  expect_error<FileError>([] { load(npy("'<f8'", "(1, 2)", raw<double>({2.5, 7}), false, 4)); }, {"NPY version 4"});
  expect_error<FileError>([] { load(npy("'<f8'", "(1, 2)", raw<double>({2.5, 7}), false, 200)); }, {"NPY version 200"});
}

TEST(Npy, FortranOrderIsTheSameArray) {
  const Source source = load(npy("'<f8'", "(2, 3)", raw<double>({1, 4, 2, 5, 3, 6}), true));
  EXPECT_EQ(column(source, 0), (std::vector<double>{1, 4}));
  EXPECT_EQ(column(source, 1), (std::vector<double>{2, 5}));
  EXPECT_EQ(source.labels, (Texts{"3", "6"}));

  const std::string c_order("\0\1\2\3\4\5\6\7\10\11\12\13", 12);  // (2, 2, 3)
  std::string f_order(12, '\0');
  for (int r = 0; r < 2; ++r) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) f_order[r + 2 * (i + 2 * j)] = c_order[(r * 2 + i) * 3 + j];
    }
  }
  EXPECT_EQ(std::get<GreyImages>(load(npy("'|u1'", "(2, 2, 3)", f_order, true), false).values).values,
            std::get<GreyImages>(load(npy("'|u1'", "(2, 2, 3)", c_order), false).values).values);
}

TEST(Npy, ZeroAndOneBecomeBits) {
  const Source flags = load(npy("'|b1'", "(2, 3)", std::string_view("\0\1\1\1\0\0", 6)));
  EXPECT_TRUE(std::get<BitMatrix>(flags.values).get(0, 1));
  EXPECT_EQ(flags.labels, (Texts{"True", "False"}));
  const Source integers = load(npy("'<i8'", "(2, 2)", raw<std::int64_t>({1, 7, 0, 8})));
  EXPECT_TRUE(std::get<BitMatrix>(integers.values).get(0, 0));
  EXPECT_FALSE(std::get<BitMatrix>(integers.values).get(1, 0));
}

TEST(Npy, LabelsBesideTheFileLeaveAllColumnsAsFeatures) {
  for (const std::string name : {"t_labels.npy", "t.labels.npy"}) {
    const Folder folder;
    folder.file(name, npy("'<U3'", "(2,)", raw<std::uint32_t>({'c', 'a', 't', 0xe9, 0x1f415, 0})));
    const Source source = load_source(folder.file("t.npy", npy("'<f8'", "(2, 2)", raw<double>({1, 2, 3, 4}))));
    EXPECT_EQ(std::get<Columns>(source.values).columns.size(), 2u);
    EXPECT_EQ(source.labels, (Texts{"cat", "\xc3\xa9\xf0\x9f\x90\x95"}));
  }
}

TEST(Npy, ImagesHaveAWidth) {
  const Source grey = load(npy("'|u1'", "(1, 2, 3)", std::string_view("\0\1\2\3\4\5", 6)), false);
  EXPECT_EQ(std::get<GreyImages>(grey.values).pixels, 6u);
  EXPECT_EQ(grey.image_width, 3u);
  const Source bits = load(npy("'|b1'", "(1, 2, 3)", std::string_view("\0\0\0\0\0\0", 6)), false);
  EXPECT_EQ(std::get<BitMatrix>(bits.values).columns(), 6u);
  expect_error<DataError>([] { load(npy("'|u1'", "(1, 2, 3)", "abcdef")); }, {"no labels"});
  expect_error<DataError>([] { load(npy("'<f4'", "(1, 1, 1)", raw<float>({1})), false); }, {"uint8 or bool"});
}

TEST(Npy, ImagesMayHaveChannels) {
  const std::string_view values("\0\1\2\3\4\5\6\7\10\11\12\13", 12);
  const Source colours = load(npy("'|u1'", "(1, 2, 3, 2)", values), false);
  EXPECT_EQ(std::get<GreyImages>(colours.values).pixels, 12u);
  EXPECT_EQ(std::get<GreyImages>(colours.values).values[5], 5);  // row 0, column 2, channel 1
  EXPECT_EQ(colours.image_width, 0u);
  const Source turned = load(npy("'|u1'", "(1, 2, 3, 2)", values, true), false);
  EXPECT_EQ(std::get<GreyImages>(turned.values).values[5], 0 + 2 * 2 + 6 * 1);
  EXPECT_EQ(load(npy("'|u1'", "(1, 2, 6, 1)", values), false).image_width, 6u);
  expect_error<DataError>([&] { load(npy("'|u1'", "(1, 1, 2, 3, 2)", values), false); }, {"5 dimension"});
}

TEST(Npy, OtherTypesAreRefused) {
  for (const std::string descr :
       {"'|O'", "'>f8'", "'<f2'", "'<c16'", "'<M8[ns]'", "'|V8'", "'<f'", "'<i3'", "'|b2'", "''"}) {
    expect_error<DataError>([&] { load(npy(descr, "(1, 2)", std::string(32, '\0'))); }, {"t.npy", "NumPy type"});
  }
  expect_error<DataError>([] { load(npy("[('a', '<f8')]", "(1, 2)", "")); }, {"records"});
  expect_error<DataError>([] { load(npy("'|S2'", "(1, 2)", "abcd")); }, {"holds text"});
}

TEST(Npy, ShapesThatDoNotMatchTheFileAreRefused) {
  const std::string values = raw<double>({1, 2, 3, 4});
  expect_error<FileError>([&] { load(npy("'<f8'", "(2, 3)", values)); }, {"(2, 3) needs 48 bytes and 32 follow"});
  expect_error<FileError>([&] { load(npy("'<f8'", "(1, 3)", values)); }, {"needs 24 bytes and 32 follow"});
  expect_error<DataError>([&] { load(npy("'<f8'", "(4294967296, 4294967296)", values)); }, {"too large"});
  expect_error<FileError>([&] { load(npy("'<f8'", "(99999999999999999999,)", values)); }, {"header does not parse"});
  expect_error<DataError>([&] { load(npy("'<f8'", "(4,)", values)); }, {"1 dimension"});
  expect_error<DataError>([&] { load(npy("'<f8'", "()", raw<double>({1}))); }, {"0 dimension"});
  expect_error<DataError>([&] { load(npy("'<f8'", "(0, 3)", "")); }, {"no rows"});
  expect_error<DataError>([&] { load(npy("'<f8'", "(3, 0)", "")); }, {"no features"});
  expect_error<DataError>([&] { load(npy("'<f8'", "(2, 1)", raw<double>({1, 2}))); }, {"no features"});
}

TEST(Npy, NonFiniteValuesNameRowAndColumn) {
  const std::string infinite = raw<double>({1, 2, 3, std::numeric_limits<double>::infinity()});
  expect_error<DataError>([&] { load(npy("'<f8'", "(2, 2)", infinite), false); }, {"row 1", "column 1", "inf"});
  const std::string values = raw<double>({1, 2, 3, std::nan("")});
  expect_error<DataError>([&] { load(npy("'<f8'", "(2, 2)", values)); }, {"row", "label is nan"});
}

TEST(Npy, NanIsAMissingValue) {
  const Source source = load(npy("'<f8'", "(2, 2)", raw<double>({1, 2, 3, std::nan("")})), false);
  EXPECT_TRUE(std::isnan(std::get<Columns>(source.values).columns[1].numbers[1]));
}

TEST(Npy, TruncationIsRefusedAtEveryLength) {
  const std::string whole = npy("'<f8'", "(2, 2)", raw<double>({1, 2, 3, 4}));
  for (std::size_t size = 6; size < whole.size(); ++size) {
    expect_error<FileError>([&] { load(whole.substr(0, size)); }, {"t.npy"});
  }
}

TEST(Npz, MembersAreFoundByTheirUsualNames) {
  const std::string features = npy("'<f8'", "(2, 2)", raw<double>({1, 2, 3, 4}));
  const std::string labels = npy("'<i8'", "(2,)", raw<std::int64_t>({7, 1LL << 60}));
  for (const std::string x : {"X", "x", "data", "features"}) {
    for (const std::string y : {"y", "labels", "targets"}) {
      for (const bool deflated : {false, true}) {
        const Source source = load(zip({{y + ".npy", labels, deflated}, {x + ".npy", features, deflated}}));
        EXPECT_EQ(source.labels, (Texts{"7", "1152921504606846976"}));
        EXPECT_EQ(column(source, 1), (std::vector<double>{2, 4}));
      }
    }
  }
}

TEST(Npz, SplitsAreReadByName) {
  const auto x = [](double v) { return npy("'<f8'", "(1, 1)", raw<double>({v})); };
  const auto y = [](std::int64_t v) { return npy("'<i8'", "(1,)", raw<std::int64_t>({v})); };
  const std::string bytes =
      zip({{"x_train.npy", x(5)}, {"y_train.npy", y(1)}, {"x_test.npy", x(6)}, {"y_test.npy", y(2)}});
  LoadOptions options;
  EXPECT_EQ(load_npz(bytes, "t.npz", options).labels, Texts{"1"});
  options.split = Split::kTest;
  EXPECT_EQ(load_npz(bytes, "t.npz", options).labels, Texts{"2"});
}

TEST(Npz, MissingMembersAreNamed) {
  const std::string features = npy("'<f8'", "(1, 1)", raw<double>({5}));
  expect_error<DataError>([&] { load(zip({{"z.npy", features}})); }, {"no member X", "z.npy"});
  expect_error<DataError>([&] { load(zip({})); }, {"it has none"});
  expect_error<DataError>([&] { load(zip({{"X.npy", features}})); }, {"no member y"});
  EXPECT_EQ(load(zip({{"X.npy", features}}), false).rows(), 1u);
}

TEST(Npz, LabelsOfAnotherNumberAreRefused) {
  const std::string features = npy("'<f8'", "(2, 2)", raw<double>({1, 2, 3, 4}));
  for (const std::string shape : {"(3,)", "(1, 3)", "(3, 1)"}) {
    const std::string labels = npy("'|u1'", shape, "abc");
    expect_error<DataError>(
        [&] {
          load(zip({{"X.npy", features}, {"y.npy", labels}}));
        },
        {"2 rows", "labels of shape"});
  }
}

TEST(Npz, BombsAndLiesAreRefused) {
  const std::string features = npy("'<f8'", "(1, 1)", raw<double>({5}));
  expect_error<FileError>([&] { load(zip({{"X.npy", features, true, 0xfffffff0}}), false); }, {"X.npy", "damaged"});
  expect_error<FileError>([&] { load(zip({{"X.npy", features, true, features.size() + 1}}), false); }, {"damaged"});
  expect_error<FileError>([&] { load(zip({{"X.npy", features, true, features.size() - 1}}), false); }, {"more than"});
  expect_error<FileError>(
      [&] {
        load(zip({{"X.npy", features, false, features.size() + 1}}), false);
      },
      {"sizes differ"});
  expect_error<FileError>([&] { load(zip({{"X.npy", features, true, 0, 1}}), false); }, {"checksum"});
}

TEST(Npz, DamageAnywhereEitherLoadsOrThrowsOurError) {
  const std::string good = zip({{"X.npy", npy("'<f8'", "(2, 2)", raw<double>({1, 2, 3, 4})), true},
                                {"y.npy", npy("'<i8'", "(2,)", raw<std::int64_t>({7, 8}))}});
  ASSERT_EQ(load(good).rows(), 2u);
  for (std::size_t size = 4; size < good.size(); ++size) {
    expect_error<FileError>([&] { load(good.substr(0, size)); }, {"t.npz"});
  }
  EXPECT_TRUE(rc::check("no crash, no other exception", [&] {
    std::string bytes = good;
    const auto changes = *rc::gen::inRange(1, 5);
    for (int i = 0; i < changes; ++i)
      bytes[*rc::gen::inRange<std::size_t>(4, bytes.size())] = *rc::gen::arbitrary<char>();
    try {
      load(bytes);
    } catch (const Error&) {
    }
  }));
}

}  // namespace
}  // namespace falsum::npy_test
