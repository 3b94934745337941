// Machine: the public interface of the Trainer.
#include "falsum/machine.h"

#include "learn/trainer.h"

namespace falsum {

struct Machine::State {
  Trainer trainer;
};

LearnCounters& LearnCounters::operator+=(const LearnCounters& other) {
  type_1a += other.type_1a;
  type_1b += other.type_1b;
  type_2 += other.type_2;
  flips += other.flips;
  evaluations += other.evaluations;
  words_compared += other.words_compared;
  entries_visited += other.entries_visited;
  columns_joined += other.columns_joined;
  return *this;
}

Machine::Machine(const Options& options, std::size_t features, std::size_t outputs, const Part& part)
    : state_(new State{Trainer(options, features, outputs, part)}) {}
Machine::Machine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

EpochReport Machine::learn_epoch(const Rows& rows, const Targets& targets, const Progress& progress) {
  return learn(rows, targets, 1, {.progress = progress});
}

EpochReport Machine::learn(const Rows& rows, const Targets& targets, std::uint64_t epochs, const Callbacks& callbacks) {
  Trainer& trainer = state_->trainer;
  BitMatrix packed;  // with a byte per feature every epoch would read eight times as much
  if (rows.form() == Rows::Form::kBytes) {
    packed = BitMatrix(rows.rows(), rows.columns());
    if (rows.rows() > 0) trainer.kernels().pack(rows.bytes(), packed.row(0).data());
  }
  const Rows learned = rows.form() == Rows::Form::kBytes ? Rows(packed) : rows;
  EpochReport report;
  for (std::uint64_t done = 0; done < epochs && report.complete; ++done) {
    report = trainer.learn_epoch(learned, targets, callbacks.progress);
    if (callbacks.after_epoch && !callbacks.after_epoch(report)) break;
  }
  return report;
}

void Machine::abandon_epoch() { state_->trainer.abandon_epoch(); }

std::size_t Machine::features() const { return state_->trainer.features(); }
std::size_t Machine::outputs() const { return state_->trainer.outputs(); }
const Part& Machine::part() const { return state_->trainer.part(); }
void Machine::set_collective(Collective* collective) { state_->trainer.set_collective(collective); }
const Options& Machine::options() const { return state_->trainer.options(); }
std::uint64_t Machine::epoch() const { return state_->trainer.epoch(); }
Engine Machine::engine() const { return state_->trainer.engine(); }
std::string Machine::kernels() const { return state_->trainer.kernels().name; }
unsigned Machine::threads() const { return state_->trainer.threads(); }

std::uint64_t Machine::automata_bytes() const { return state_->trainer.automata_bytes(); }
std::uint64_t Machine::engine_bytes() const { return state_->trainer.engine_bytes(); }

bool Machine::draws_changed() const { return state_->trainer.draws_changed(); }
const std::optional<DataDigest>& Machine::data() const { return state_->trainer.data(); }
void Machine::set_data(const DataDigest& data) { state_->trainer.set_data(data); }
const std::optional<NumberRange>& Machine::range() const { return state_->trainer.range(); }
void Machine::set_range(const NumberRange& range) { state_->trainer.set_range(range); }

Model Machine::model() const { return state_->trainer.model(); }
std::string Machine::checkpoint() const { return state_->trainer.checkpoint(); }
void Machine::checkpoint(const std::function<void(std::string_view)>& sink) const { state_->trainer.checkpoint(sink); }
Machine Machine::from_checkpoint(std::string_view bytes, const Options& run, const std::string& what) {
  return Machine(std::unique_ptr<State>(new State{Trainer::from_checkpoint(bytes, run, what)}));
}
Machine Machine::join(std::span<const std::string_view> checkpoints, const Options& run, const Part& part) {
  return Machine(std::unique_ptr<State>(new State{Trainer::join(checkpoints, run, part)}));
}

}  // namespace falsum
