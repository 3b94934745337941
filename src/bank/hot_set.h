// HotSet: the automata of one clause that forget at once, kept together: those that were included after the clause's
// last dense pass. Most feedback (Type Ib) touches only these, so it costs a few cache lines instead of a walk over the
// clause.
//
//   block:  | state 0 .. capacity-1 | id 0 .. capacity-1 |     capacity a multiple of kGrain
//             included | released | free
//
// The first included() automata are in the clause. The others are *released*: they left it since the last dense pass
// (state below 128), and go on forgetting one event at a time until the next. Forgetting draws by place, so the order
// is part of what the machine has learned. States come first: forgetting reads them 64 at a time, into the ids if need
// be, and never looks at an id. Ids take 16 bits in a machine of up to 65,536 literals, 32 otherwise. Memory: 3 or 5
// bytes an automaton, and 24.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "kernels/kernels.h"
#include "support/bits.h"

namespace falsum {

class HotSet {
 public:
  static constexpr std::size_t kGrain = 32;  // room comes in multiples of it
  // Forgetting reads and writes back whole 64 bytes from the first state on (kernels.h: HotStates). Room that is no
  // multiple of 64 makes it reach into the ids; even the smallest block must be large enough for that.
  static_assert(kGrain * (1 + sizeof(std::uint16_t)) >= 64);

  explicit HotSet(bool wide = false) : wide_(wide) {}
  HotSet(HotSet&& other) noexcept { swap(other); }
  HotSet& operator=(HotSet&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HotSet() { std::free(block_); }

  std::uint32_t size() const { return size_; }
  std::uint32_t included() const { return included_; }
  std::uint32_t id(std::size_t i) const { return ids(0, size_)[i]; }
  /// The ids of automata first .. last-1.
  IdList ids(std::uint32_t first, std::uint32_t last) const {
    return {block_ + capacity_ + first * id_bytes(), last - first, wide_};
  }
  std::uint8_t* states() { return block_; }
  const std::uint8_t* states() const { return block_; }
  /// The automaton with this id; size() when it is not here.
  std::uint32_t find(std::uint32_t id) const {
    std::uint32_t i = 0;
    while (i < size_ && this->id(i) != id) ++i;
    return i;
  }
  std::uint64_t bytes() const { return capacity_ * (id_bytes() + 1); }

  /// Makes room for `size` automata in all.
  void reserve(std::size_t size) {
    if (size > capacity_) resize(size);
  }
  /// While nothing is released.
  void push_included(std::uint32_t id, std::uint8_t state) {
    assert(size_ < capacity_ && included_ == size_);
    put(size_++, id, state);
    ++included_;
  }
  /// The same for all ids whose bit is on, `count` of them; makes room.
  void push_included(const std::uint64_t* bits, std::size_t words, std::size_t count, std::uint8_t state) {
    assert(included_ == size_);
    reserve(size_ + count + 1);  // one more than it takes, see below
    std::uint32_t size = size_;
    with_ids([&](auto* ids) {
      using Id = std::decay_t<decltype(*ids)>;
      for (std::size_t w = 0; w < words; ++w) {
        // Most words have none or one, and a processor cannot guess which: the first is written in any case.
        const std::uint64_t word = bits[w];
        ids[size] = static_cast<Id>(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
        size += word != 0;
        for_each_bit(word & (word - 1), 64 * w, [&](std::size_t id) { ids[size++] = static_cast<Id>(id); });
      }
    });
    assert(size == size_ + count);
    std::memset(states() + size_, state, size - size_);
    size_ = included_ = size;
  }
  void push_released(std::uint32_t id, std::uint8_t state) {
    assert(size_ < capacity_);
    put(size_++, id, state);
  }
  /// Moves automaton i, which is included, to the released ones; the last included one takes its place.
  void release(std::uint32_t i) {
    assert(i < included_);
    exchange(i, --included_);
  }
  /// Releases the automata whose bit is on.
  void release(const std::uint64_t* bits) {
    std::uint32_t included = included_;
    std::uint8_t* const states = this->states();
    with_ids([&](auto* ids) {
      // From the back, so that what takes a released automaton's place has been looked at already.
      for (std::size_t w = words_for(size_); w-- > 0;) {
        for (std::uint64_t left = bits[w]; left != 0;) {
          const std::size_t i = 64 * w + static_cast<std::size_t>(std::bit_width(left)) - 1;
          left &= ~(std::uint64_t{1} << (i % 64));
          assert(i < included);
          std::swap(ids[i], ids[--included]);
          std::swap(states[i], states[included]);
        }
      }
    });
    included_ = included;
  }
  /// Moves automaton i, which is released, to the included ones.
  void include(std::uint32_t i) {
    assert(i >= included_ && i < size_);
    exchange(i, included_++);
  }
  /// Forgets automaton i, which is released.
  void remove(std::uint32_t i) {
    assert(i >= included_ && i < size_);
    --size_;
    put(i, id(size_), states()[size_]);
  }
  void clear() { size_ = included_ = 0; }
  /// Gives back room that is no longer needed: a young clause holds half of all literals, an old one a few dozen. What
  /// comes and goes with every pass is kept.
  void trim() {
    if (size_ + size_ / 2 + 2 * kGrain <= capacity_) resize(size_);
  }

 private:
  /// Loops over several automata go through here: what they keep in locals need not be read again after every store.
  template <class Visit>
  void with_ids(Visit&& visit) {
    std::uint8_t* const ids = block_ + capacity_;
    wide_ ? visit(reinterpret_cast<std::uint32_t*>(ids)) : visit(reinterpret_cast<std::uint16_t*>(ids));
  }
  std::size_t id_bytes() const { return wide_ ? sizeof(std::uint32_t) : sizeof(std::uint16_t); }
  void put_id(std::uint32_t i, std::uint32_t id) {
    with_ids([&](auto* ids) { ids[i] = static_cast<std::decay_t<decltype(*ids)>>(id); });
  }
  void put(std::uint32_t i, std::uint32_t id, std::uint8_t state) {
    put_id(i, id);
    states()[i] = state;
  }
  void exchange(std::uint32_t i, std::uint32_t j) {
    const std::uint32_t id_i = id(i);
    put_id(i, id(j));
    put_id(j, id_i);
    std::swap(states()[i], states()[j]);
  }
  void swap(HotSet& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(included_, other.included_);
    std::swap(capacity_, other.capacity_);
    std::swap(wide_, other.wide_);
  }
  void resize(std::size_t size) {
    const std::size_t capacity = (size + kGrain - 1) / kGrain * kGrain;
    if (capacity == 0) {
      std::free(std::exchange(block_, nullptr));
    } else {
      auto* const block = static_cast<std::uint8_t*>(std::malloc(capacity * (id_bytes() + 1)));
      if (!block) throw std::bad_alloc();
      if (size_ > 0) {
        std::memcpy(block, block_, size_);
        std::memcpy(block + capacity, block_ + capacity_, size_ * id_bytes());
      }
      std::free(std::exchange(block_, block));
    }
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  std::uint8_t* block_ = nullptr;
  std::uint32_t size_ = 0, included_ = 0, capacity_ = 0;
  bool wide_ = false;
};

}  // namespace falsum
