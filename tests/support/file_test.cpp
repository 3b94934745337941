#include "support/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "data/data_files.h"
#include "support/inflate.h"

namespace falsum::file_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;
using testing_data::FullDisk;
using testing_data::gzip;

TEST(File, WhatIsWrittenIsReadBack) {
  const Folder folder;
  for (const std::size_t size : {0, 1, 4095, 4096, 4097, 3000000}) {
    std::string bytes(size, 'x');
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
    write_file_atomically(folder / "f", bytes);
    EXPECT_EQ(read_file(folder / "f"), bytes) << size;
  }
  EXPECT_EQ(folder.files(), 1u) << "a temporary file was left behind";
}

TEST(File, MissingFileAndFolderAreNamed) {
  const Folder folder;
  expect_error<FileError>([&] { read_file(folder / "none.csv"); }, {"none.csv", "No such file"});
  expect_error<FileError>([&] { read_file(folder.path().string()); }, {"it is a folder"});
}

TEST(File, PipesAndOtherFilesOfUnknownSizeAreReadToTheirEnd) {
  if (!std::filesystem::exists("/proc/self/status")) GTEST_SKIP() << "this system has no /proc";
  EXPECT_NE(read_file("/proc/self/status").find("Name:"), std::string::npos);
}

TEST(File, GzipOfSeveralMembersIsOneText) {
  const Folder folder;
  folder.file("two.gz", gzip("first ") + gzip("second") + std::string(512, '\0'));
  EXPECT_EQ(read_file_maybe_gzip(folder / "two.gz"), "first second");
  folder.file("plain", "no gzip at all");
  EXPECT_EQ(read_file_maybe_gzip(folder / "plain"), "no gzip at all");
}

TEST(File, TruncatedGzipIsRefusedAtEveryLength) {
  const std::string whole = gzip("some text that is long enough to be compressed, text that is long enough");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    expect_error<FileError>([&] { gunzip(whole.substr(0, size), "cut.gz"); }, {"cut.gz", "truncated"});
  }
}

TEST(File, DamagedGzipIsRefused) {
  std::string bytes = gzip("some text that is long enough to be compressed, text that is long enough");
  bytes[bytes.size() - 6] ^= 1;  // the checksum
  expect_error<FileError>([&] { gunzip(bytes, "bad.gz"); }, {"bad.gz", "damaged"});
  expect_error<FileError>([&] { gunzip(gzip("text") + "garbage", "tail.gz"); }, {"tail.gz", "not gzip"});
}

TEST(File, DecompressionStopsAtItsLimit) {
  const std::string bomb = gzip(std::string(10 << 20, '\0'));
  ASSERT_LT(bomb.size(), 20000u);
  expect_error<FileError>([&] { gunzip(bomb, "bomb.gz", 1 << 20); }, {"bomb.gz", "more than the 1048576 bytes"});
  EXPECT_EQ(gunzip(bomb, "bomb.gz", 10 << 20).size(), std::size_t{10 << 20}) << "the limit itself is allowed";
}

TEST(File, DeflateClaimingMoreThanItCanHoldIsRefusedBeforeAllocating) {
  expect_error<FileError>([] { inflate_raw("abc", std::uint64_t{1} << 60, "x.npz"); }, {"x.npz", "damaged"});
}

TEST(File, TruncatedXzIsRefused) {
  const std::string cut(
      "\xfd"
      "7zXZ\0\0\4",
      8);
  ASSERT_TRUE(looks_like_xz(cut));
  expect_error<FileError>([&] { unxz(cut, "cut.xz"); }, {"cut.xz"});
}

TEST(File, OverwritingKeepsPermissionsAndLinks) {
  const Folder folder;
  folder.file("model", "old");
  ASSERT_EQ(::chmod((folder / "model").c_str(), 0640), 0);
  std::filesystem::create_symlink("model", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_EQ(read_file(folder / "model"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(std::filesystem::status(folder / "model").permissions(), std::filesystem::perms(0640));
}

TEST(File, FullDiskIsReported) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  check_writable("/dev/full");
  expect_error<FileError>([] { write_file_atomically("/dev/full", "text"); }, {"/dev/full", "No space left"});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "the device must not be replaced by a file";
}

TEST(File, WritingThatFailsHalfwayLeavesTheOldFileAndNothingElse) {
  const Folder folder;
  folder.file("model", "old");
  {
    const FullDisk full;
    expect_error<FileError>([&] { write_file_atomically(folder / "model", std::string(100000, 'x')); },
                            {"cannot write", "model", "File too large"});
  }
  EXPECT_EQ(read_file(folder / "model"), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(File, DevicesAreWrittenToDirectly) {
  write_file_atomically("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(File, UnwritableTargetsAreFoundBeforeTheWorkBegins) {
  const Folder folder;
  folder.file("file", "");
  for (const std::string& path : {folder / "none/model", folder / "file/model"}) {
    expect_error<FileError>([&] { check_writable(path); }, {"cannot write", path});
    expect_error<FileError>([&] { write_file_atomically(path, "x"); }, {"cannot write", path});
  }
  expect_error<FileError>([&] { check_writable(folder.path().string()); }, {"it is a folder"});
  expect_error<FileError>([&] { write_file_atomically(folder.path().string(), "x"); }, {"it is a folder"});
  expect_error<FileError>([&] { check_writable(""); }, {"without a name"});
  check_writable(folder / "new");
  EXPECT_EQ(folder.files(), 1u) << "a check must leave nothing behind";
}

TEST(File, ReadOnlyFolderIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const Folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0500));
  expect_error<FileError>([&] { check_writable(folder / "m"); }, {"Permission denied"});
  expect_error<FileError>([&] { write_file_atomically(folder / "m", "x"); }, {"Permission denied"});
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
}

TEST(File, NamesAsLongAsCanBeAreWrittenAndLongerOnesRefusedBefore) {  // FINDINGS 2.6
  const Folder folder;
  for (const std::size_t length : {240, 241, 255}) {
    const std::string path = folder / std::string(length, 'n');
    check_writable(path);
    write_file_atomically(path, "x");
    EXPECT_EQ(read_file(path), "x");
  }
  EXPECT_EQ(folder.files(), 3u);
  const std::string path = folder / std::string(256, 'n');
  expect_error<FileError>([&] { check_writable(path); }, {"too long"});
  expect_error<FileError>([&] { write_file_atomically(path, "x"); }, {"too long"});
}

TEST(File, ADanglingLinkIsWrittenThrough) {  // FINDINGS 2.6
  const Folder folder;
  std::filesystem::create_directory(folder / "there");
  std::filesystem::create_symlink("there/target", folder / "link");
  std::filesystem::create_symlink("link", folder / "link of link");
  EXPECT_EQ(real_path(folder / "link of link"), real_path(folder / "there/target"));
  write_file_atomically(folder / "link of link", "x");
  EXPECT_EQ(read_file(folder / "there/target"), "x");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(previous_path(folder / "link"), real_path(folder / "there") + "/target.previous");
  std::filesystem::create_symlink("round", folder / "round");
  expect_error<FileError>([&] { check_writable(folder / "round"); }, {"cannot write"});
}

TEST(File, LeftoversAreThoseOfDeadProcessesOfThisComputer) {  // FINDINGS 2.6; tests/cli/test_paths.py has the rest
  const Folder folder;
  folder.file("falsum-00000000-1-0.tmp", "of another computer, and of now");
  folder.file("falsum-00000000-1-1.tmp", "of another computer, and older than a day");
  std::filesystem::last_write_time(folder / "falsum-00000000-1-1.tmp",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
  folder.file("falsum-1-2.tmp", "another's");
  remove_leftovers(folder / "model");
  EXPECT_EQ(folder.files(), 2u);
  EXPECT_FALSE(std::filesystem::exists(folder / "falsum-00000000-1-1.tmp"));
}

}  // namespace
}  // namespace falsum::file_test
