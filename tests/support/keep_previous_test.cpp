#include "data/data_files.h"
#include "support/file.h"

namespace falsum::keep_previous_test {
namespace {

using testing_data::expect_error;
using testing_data::Folder;
using testing_data::FullDisk;

TEST(KeepPrevious, TheFirstHasNoneBeforeAndEveryOtherHasExactlyOne) {
  const Folder folder;
  const std::string path = folder / "state";
  write_file_keeping_previous(path, "one");
  EXPECT_FALSE(std::filesystem::exists(previous_path(path)));
  for (const auto& [before, now] : {std::pair{"one", "two"}, {"two", "three"}, {"three", "three"}, {"three", "four"}}) {
    write_file_keeping_previous(path, now);
    EXPECT_EQ(read_file(path), now);
    EXPECT_EQ(read_file(previous_path(path)), before);
  }
  EXPECT_EQ(folder.files(), 2u);
}

TEST(KeepPrevious, AKillBetweenTheTwoRenamesIsMendedByTheNextWrite) {
  const Folder folder;
  const std::string path = folder / "state";
  write_file_keeping_previous(path, "one");
  // Where such a kill leaves things: both names are the same file.
  std::filesystem::create_hard_link(path, previous_path(path));
  write_file_keeping_previous(path, "two");
  EXPECT_EQ(read_file(path), "two");
  EXPECT_EQ(read_file(previous_path(path)), "one");
  EXPECT_EQ(folder.files(), 2u);
}

TEST(KeepPrevious, BehindALinkBothGenerationsStayTogether) {
  const Folder folder, other;
  other.file("state", "one");
  std::filesystem::create_symlink(other / "state", folder / "link");
  write_file_keeping_previous(folder / "link", "two");
  EXPECT_EQ(read_file(other / "state"), "two");
  EXPECT_EQ(read_file(other / "state.previous"), "one");
}

TEST(KeepPrevious, ADiskThatFillsUpLeavesBothGenerationsAsTheyWere) {
  const Folder folder;
  const std::string path = folder / "state";
  write_file_keeping_previous(path, "one");
  write_file_keeping_previous(path, "two");
  {
    const FullDisk full;
    expect_error<FileError>([&] { write_file_keeping_previous(path, std::string(100000, 'x')); }, {"File too large"});
  }
  EXPECT_EQ(read_file(path), "two");
  EXPECT_EQ(read_file(previous_path(path)), "one");
  EXPECT_EQ(folder.files(), 2u);
}

TEST(KeepPrevious, AFolderInTheWayIsAnErrorAndTheNewestStays) {
  const Folder folder;
  const std::string path = folder / "state";
  write_file_keeping_previous(path, "one");
  std::filesystem::create_directory(previous_path(path));
  expect_error<FileError>([&] { write_file_keeping_previous(path, "two"); }, {"state.previous"});
  EXPECT_EQ(read_file(path), "one");
  EXPECT_EQ(folder.files(), 2u);
}

TEST(KeepPrevious, InAHurryTheSameBytesAreWritten) {
  const Folder folder;
  const std::string path = folder / "state";
  std::string bytes(30 << 20, 'x');  // several pieces
  for (std::size_t i = 0; i < bytes.size(); i += 4096) bytes[i] = static_cast<char>(i >> 12);
  for (const int calm : {0, 1, 2, 100}) {  // so many times nobody is in a hurry yet
    bytes[0] = static_cast<char>(calm);
    int asked = 0;
    write_file_keeping_previous(path, bytes, [&] { return ++asked > calm; });
    EXPECT_TRUE(read_file(path) == bytes) << calm;
    EXPECT_GT(asked, 0);
  }
  EXPECT_EQ(folder.files(), 2u);
}

TEST(KeepPrevious, AFileInPiecesTakesItsPlaceWhenItIsToldTo) {
  const Folder folder;
  const std::string path = folder / "state";
  write_file_keeping_previous(path, "one");
  {
    NewFile file(path);
    for (const char* piece : {"t", "", "wo"}) file.write(piece);
    EXPECT_EQ(read_file(path), "one");
    NewFile moved = std::move(file);
    moved.put_in_place(NewFile::Before::kIsKept);
    EXPECT_EQ(read_file(path), "two");
  }
  NewFile(path).put_in_place();
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(read_file(previous_path(path)), "one");
  EXPECT_EQ(folder.files(), 2u);
}

TEST(KeepPrevious, AFileThatIsGivenUpLeavesEverythingAsItWas) {
  const Folder folder;
  const std::string path = folder / "state";
  write_file_keeping_previous(path, "one");
  { NewFile(path).write("two"); }
  EXPECT_EQ(read_file(path), "one");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(KeepPrevious, WhatIsReplacedOnPurposeStaysToo) {  // FINDINGS 3.1
  const Folder folder;
  const std::string path = folder / "state";
  keep_replaced(path);  // there is nothing yet
  EXPECT_EQ(folder.files(), 0u);
  write_file_keeping_previous(path, "one");
  write_file_keeping_previous(path, "two");
  keep_replaced(path);
  for (const char* text : {"three", "four"}) write_file_keeping_previous(path, text);
  EXPECT_EQ(read_file(replaced_path(path)), "two");
  EXPECT_EQ(read_file(previous_path(path)), "three");
  std::filesystem::remove(path);
  keep_replaced(path);
  EXPECT_EQ(read_file(replaced_path(path)), "three") << "the newest that there is";
}

}  // namespace
}  // namespace falsum::keep_previous_test
