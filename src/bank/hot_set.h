// HotSet: the automata of one clause that forget at once, kept together: those that were included after the clause's
// last dense pass. Most feedback (Type Ib) touches only these, so it costs a few cache lines instead of a walk over the
// clause.
//
//   block:  | id 0 .. capacity-1 | state 0 .. capacity-1 |     capacity a multiple of 16
//             included | released | free
//
// The first included() automata are in the clause. The others are *released*: they left it since the last dense pass
// (state below 128), and go on forgetting one event at a time until the next. Within its part the order of an automaton
// means nothing. Memory: 5 bytes an automaton, and 24.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace falsum {

class HotSet {
 public:
  HotSet() = default;
  HotSet(HotSet&& other) noexcept { swap(other); }
  HotSet& operator=(HotSet&& other) noexcept {
    swap(other);
    return *this;
  }
  ~HotSet() { std::free(ids_); }

  std::uint32_t size() const { return size_; }
  std::uint32_t included() const { return included_; }
  std::uint32_t* ids() { return ids_; }
  const std::uint32_t* ids() const { return ids_; }
  std::uint8_t* states() { return reinterpret_cast<std::uint8_t*>(ids_ + capacity_); }
  const std::uint8_t* states() const { return reinterpret_cast<const std::uint8_t*>(ids_ + capacity_); }
  std::uint64_t bytes() const { return capacity_ * kBytes; }

  /// Makes room for `size` automata in all.
  void reserve(std::size_t size) {
    if (size > capacity_) resize(size);
  }
  void push_included(std::uint32_t id, std::uint8_t state) {
    assert(size_ < capacity_);
    put(size_++, id, state);
    include(size_ - 1);
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
  /// Moves automaton i, which is released, to the included ones.
  void include(std::uint32_t i) {
    assert(i >= included_ && i < size_);
    exchange(i, included_++);
  }
  /// Forgets automaton i, which is released.
  void remove(std::uint32_t i) {
    assert(i >= included_ && i < size_);
    --size_;
    put(i, ids_[size_], states()[size_]);
  }
  void clear() { size_ = included_ = 0; }
  /// Gives back room that is no longer needed: a young clause holds half of all literals, an old one a few dozen.
  void trim() {
    if (size_ + 32u < capacity_) resize(size_);
  }

 private:
  static constexpr std::size_t kBytes = sizeof(std::uint32_t) + sizeof(std::uint8_t);

  void put(std::uint32_t i, std::uint32_t id, std::uint8_t state) {
    ids_[i] = id;
    states()[i] = state;
  }
  void exchange(std::uint32_t i, std::uint32_t j) {
    std::swap(ids_[i], ids_[j]);
    std::swap(states()[i], states()[j]);
  }
  void swap(HotSet& other) noexcept {
    std::swap(ids_, other.ids_);
    std::swap(size_, other.size_);
    std::swap(included_, other.included_);
    std::swap(capacity_, other.capacity_);
  }
  void resize(std::size_t size) {
    const std::size_t capacity = (size + 16) / 16 * 16;
    auto* ids = static_cast<std::uint32_t*>(std::malloc(capacity * kBytes));
    if (!ids) throw std::bad_alloc();
    if (size_ > 0) {
      std::memcpy(ids, ids_, size_ * sizeof(std::uint32_t));
      std::memcpy(ids + capacity, states(), size_);
    }
    std::free(ids_);
    ids_ = ids;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  std::uint32_t* ids_ = nullptr;
  std::uint32_t size_ = 0, included_ = 0, capacity_ = 0;
};

}  // namespace falsum
