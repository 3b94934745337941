#include "data/data_files.h"
#include "support/file.h"

namespace falsum {
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

}  // namespace
}  // namespace falsum
