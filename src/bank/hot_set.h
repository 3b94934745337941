// HotSet: the automata of one clause that forget at once, stored together: those that were included when the clause's
// last dense pass ended, or later. Most feedback (Type Ib) touches only these, so it costs a few cache lines instead of
// a pass over the clause.
//
//   block:  | state 0 .. capacity-1 | id 0 .. capacity-1 |     capacity a multiple of kGrain
//             included | released | free
//
// The first included() automata are in the clause. The others are *released*: they have left it since the last dense
// pass (state below 128), and still forget one event at a time until the next pass. Forgetting draws by position, so
// the order is part of the learned state. States come first: forgetting reads them 64 at a time, past their end into
// the ids if necessary, and never uses an id. Ids take 16 bits in a machine of up to 65,536 literals, 32 otherwise.
// Memory: 24 bytes, and 3 or 5 bytes per automaton.
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
  static constexpr std::size_t kGrain = 32;  // capacity is a multiple of it
  // Forgetting reads and writes back whole 64 bytes from the first state on (kernels.h: HotStates). If the capacity is
  // not a multiple of 64, it reaches into the ids; even the smallest block must be large enough for that.
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
  /// The position of the automaton with this id; size() if it is not in the set.
  std::uint32_t find(std::uint32_t id) const {
    std::uint32_t i = 0;
    while (i < size_ && this->id(i) != id) ++i;
    return i;
  }
  // Only hints. Most sets have a few lines; the hardware fetches the rest of a long one.
  /// What forgetting touches: the states, and the ids of the automata that were included last, which leave first.
  void prefetch_states() const {
    if (capacity_ == 0) return;
    __builtin_prefetch(block_, 1);
    __builtin_prefetch(block_ + 63, 1);
    if (size_ > 64) __builtin_prefetch(block_ + 127, 1);
    __builtin_prefetch(block_ + capacity_ + included_ * id_bytes(), 1);
  }
  void prefetch_ids() const {
    if (capacity_ > 0) __builtin_prefetch(block_ + capacity_);
  }
  std::uint64_t bytes() const { return capacity_ * (id_bytes() + 1); }

  /// Makes room for a total of `size` automata.
  void reserve(std::size_t size) {
    if (size > capacity_) resize(size);
  }
  /// Only while no automaton is released.
  void push_included(std::uint32_t id, std::uint8_t state) {
    assert(size_ < capacity_ && included_ == size_);
    put(size_++, id, state);
    ++included_;
  }
  /// The same for all ids of a dense pass's list; makes room.
  void push_included(const RisenWord* list, const Risen& risen, std::uint8_t state) {
    assert(included_ == size_);
    reserve(size_ + risen.literals);
    std::uint32_t size = size_;
    with_ids([&](auto* ids) {
      using Id = std::decay_t<decltype(*ids)>;
      for (std::size_t i = 0; i < risen.words; ++i) {
        for_each_bit(list[i].bits, 64 * list[i].word, [&](std::size_t id) { ids[size++] = static_cast<Id>(id); });
      }
    });
    assert(size == size_ + risen.literals);
    std::memset(states() + size_, state, size - size_);
    size_ = included_ = size;
  }
  void push_released(std::uint32_t id, std::uint8_t state) {
    assert(size_ < capacity_);
    put(size_++, id, state);
  }
  /// Moves automaton i, which is included, to the released automata; the last included automaton takes its position.
  void release(std::uint32_t i) {
    assert(i < included_);
    exchange(i, --included_);
  }
  /// Releases these automata. Of several words the last must come first.
  void release(const LostWord& lost) {
    std::uint32_t included = included_;
    std::uint8_t* const states = this->states();
    with_ids([&](auto* ids) {
      // From the back, so that the automaton that takes a freed position has been processed already.
      for (std::uint64_t left = lost.bits; left != 0;) {
        const std::size_t i = 64 * std::size_t{lost.word} + static_cast<std::size_t>(std::bit_width(left)) - 1;
        left &= ~(std::uint64_t{1} << (i % 64));
        assert(i < included);
        std::swap(ids[i], ids[--included]);
        std::swap(states[i], states[included]);
      }
    });
    included_ = included;
  }
  /// After a dense pass no automaton is released. new_state(i, id, state) is asked for each that was: below 128 it is
  /// removed, else it returns to the included ones.
  template <class NewState>
  void end_released(const NewState& new_state) {
    std::uint32_t size = size_;
    std::uint8_t* const states = this->states();
    with_ids([&](auto* ids) {
      for (std::uint32_t i = size_; i-- > included_;) {
        states[i] = new_state(i, ids[i], states[i]);
        if (states[i] >= 128) continue;
        --size;
        ids[i] = ids[size];
        states[i] = states[size];
      }
    });
    size_ = included_ = size;
  }
  /// Moves automaton i, which is released, to the included automata.
  void include(std::uint32_t i) {
    assert(i >= included_ && i < size_);
    exchange(i, included_++);
  }
  /// Removes automaton i, which is released.
  void remove(std::uint32_t i) {
    assert(i >= included_ && i < size_);
    --size_;
    put(i, id(size_), states()[size_]);
  }
  /// Removes the automata that `is_removed(id)` says; the others keep their order.
  template <class IsRemoved>
  void remove_if(const IsRemoved& is_removed) {
    std::uint32_t to = 0, left = 0;
    std::uint8_t* const states = this->states();
    with_ids([&](auto* ids) {
      for (std::uint32_t i = 0; i < size_; ++i) {
        if (is_removed(std::uint32_t{ids[i]})) continue;
        left += i < included_;
        ids[to] = ids[i];
        states[to++] = states[i];
      }
    });
    size_ = to;
    included_ = left;
  }
  void clear() { size_ = included_ = 0; }
  /// Frees memory that is no longer needed: a young clause holds half of all literals, an old one a few dozen. Keeps
  /// the room that every pass needs again.
  void trim() {
    if (size_ + size_ / 2 + 2 * kGrain <= capacity_) resize(size_);
  }

 private:
  /// Loops over several automata use this: their local copies need not be reloaded after every store.
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
