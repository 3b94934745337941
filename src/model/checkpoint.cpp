// Checkpoints: a Trainer's state as a container. Derived data (the index) are not in it; they are rebuilt.
#include <fmt/format.h>

#include "falsum/error.h"
#include "learn/trainer.h"
#include "model/container.h"
#include "model/sections.h"
#include "support/bytes.h"

namespace falsum {

std::string Trainer::checkpoint() const {
  // Room for all banks even if nothing can be packed: what is not used is never touched, and growing would copy.
  std::size_t banks = 0;
  for (const ClassLearner& learner : classes_) banks += learner.bank().bytes();
  ContainerWriter container(FileKind::kCheckpoint, banks);
  container.section("MACH", write_machine_section(options_, {features_, classes_.size()}));
  ByteWriter progress;
  progress.u64(epoch_);
  progress.u64(position_);
  progress.u64(stopped_rows_);
  for (const ClassLearner& learner : classes_) progress.u64(learner.uses());
  container.section("PROG", progress.bytes());
  ByteWriter truths;
  truths_.write(truths);
  container.section(kTruthsTag, truths.bytes());
  for (const ClassLearner& learner : classes_) {
    ByteWriter bank;
    bank.reserve(learner.bank().bytes());
    learner.bank().write(bank);
    container.section("BANK", pack(bank.bytes(), 1));
  }
  return container.finish();
}

Trainer Trainer::from_checkpoint(std::string_view bytes, const Options& run, const std::string& what) {
  const Container container(bytes, FileKind::kCheckpoint, {"MACH", "PROG", "BANK", kTruthsTag}, what);
  Shape shape;
  Options options = read_machine_section(container, shape);
  options.epochs = run.epochs;
  options.engine = run.engine;
  options.threads = run.threads;
  options.kernels = run.kernels;
  options.max_memory = run.max_memory;
  const std::vector<std::string_view> banks = container.sections("BANK");
  ByteReader progress(container.section("PROG"), what);
  if (banks.size() != shape.classes) progress.fail("it has another number of banks than classes");

  // A clause takes its states, a byte for what it owes, and at most 6 bytes a released literal. A bank that could not
  // be that large is found before the machine is made.
  const auto clauses = static_cast<std::uint64_t>(options.clauses);
  const std::uint64_t least = clauses * (2 * shape.features + 2), most = clauses * (2 * shape.features * 7 + 16);
  for (const std::string_view bank : banks) {
    if (unpacked_size(bank, most, what) < least) progress.fail("a bank is smaller than its clauses");
  }

  Trainer trainer(options, shape.features, shape.classes);
  trainer.epoch_ = progress.u64();
  trainer.position_ = progress.u64();
  trainer.stopped_rows_ = progress.u64();
  if (trainer.position_ > trainer.stopped_rows_) progress.fail("its position is past the end of its data");
  for (ClassLearner& learner : trainer.classes_) learner.set_uses(progress.u64());
  progress.expect_end();
  for (const std::string_view section : container.sections(kTruthsTag)) {  // none in older files
    ByteReader truths(section, what);
    trainer.truths_.read(truths);
    truths.expect_end();
  }
  for (std::size_t c = 0; c < banks.size(); ++c) {
    const std::string plain = unpack(banks[c], most, what);
    ByteReader reader(plain, what);
    trainer.classes_[c].bank().read(reader);
    reader.expect_end();
  }
  trainer.use_engine();
  return trainer;
}

}  // namespace falsum
