// The parts of the C export that are the same for every model; @ stands for its name, % for the same in capitals.
#pragma once

#include <string_view>

namespace falsum {

inline constexpr std::string_view kCHeader = R"c(
/* Where tables live. On AVR they stay in flash. */
#ifndef FALSUM_TABLE
#if defined(__AVR__)
#include <avr/pgmspace.h>
#define FALSUM_TABLE PROGMEM
#define FALSUM_BYTE(place) pgm_read_byte(place)
#else
#define FALSUM_TABLE
#define FALSUM_BYTE(place) (*(place))
#endif
#endif

/* Votes of each output. Feature k is bit k % 8 of bits[k / 8]. No libc, no memory, no floating point. */
void @_votes(const uint8_t bits[%_BYTES], int32_t votes[%_OUTPUTS]);
)c";

inline constexpr std::string_view kCNumber = R"c(
/* A number: seven bits a byte, the lowest first. */
static uint32_t number(const uint8_t **at) {
  uint32_t value = 0;
  uint8_t shift = 0, byte;
  do {
    byte = FALSUM_BYTE(*at);
    ++*at;
    value |= (uint32_t)(byte & 127u) << shift;
    shift = (uint8_t)(shift + 7u);
  } while (byte & 128u);
  return value;
}

/* 0, -1, 1, -2, ... */
static int32_t signed_number(const uint8_t **at) {
  const uint32_t value = number(at);
  return (value & 1u) ? -(int32_t)(value >> 1) - 1 : (int32_t)(value >> 1);
}
)c";

/// Follows a function `is_true(bits, feature)`, or with patches `is_true(bits, feature, row, column)`.
inline constexpr std::string_view kCCount = R"c(
/* What a clause counts for: `most` less its false literals, 0 if there are as many. The first literal stands by itself,
   the others ascend. */
static int32_t count(const uint8_t *bits, const uint8_t *at, const uint8_t *end, int32_t most WHERE_DECLARED) {
  uint32_t literal = number(&at), next = 0;
  for (;;) {
    const int holds = literal < %_LITERALS / 2 ? is_true(bits, literal WHERE) : !is_true(bits, literal - %_LITERALS / 2 WHERE);
    if (!holds && --most == 0) return 0;
    if (at == end) return most;
    literal = next + number(&at);
    next = literal + 1;
  }
}

void @_votes(const uint8_t bits[%_BYTES], int32_t votes[%_OUTPUTS]) {
  const uint8_t *at = @_clauses, *end;
  uint32_t clause, o;
  for (o = 0; o < %_OUTPUTS; ++o) votes[o] = signed_number(&at);
  for (clause = 0; clause < %_CLAUSES; ++clause) {
    const int32_t most = %_FUZZY ? (int32_t)number(&at) : 1;
    int32_t counts;
    uint32_t size = number(&at);
    const uint8_t *literals = at;
    at += size;
    counts = COUNT;
    size = number(&at);
    end = at + size;
    if (counts == 0) at = end;
    while (at != end) {
      o = number(&at);
      votes[o] += counts * signed_number(&at);
    }
  }
}
)c";

inline constexpr std::string_view kCClass = R"c(
uint32_t @_class(const int32_t votes[%_OUTPUTS]) {
  uint32_t best = 0, o;
  for (o = 1; o < %_OUTPUTS; ++o) {
    if (votes[o] > votes[best]) best = o;
  }
  return best;
}
)c";

inline constexpr std::string_view kCTest = R"c(
/* How many votes differ from those that falsum gave; counts all of them too. */
uint32_t @_test(uint32_t *all) {
  static uint8_t bits[%_BYTES];
  static int32_t votes[%_OUTPUTS];
  const uint8_t *row = @_rows, *expected = @_expected;
  uint32_t differ = 0, r, i;
  *all = 0;
  for (r = 0; r < TEST_ROWS; ++r) {
    for (i = 0; i < %_BYTES; ++i, ++row) bits[i] = FALSUM_BYTE(row);
    @_votes(bits, votes);
    for (i = 0; i < %_OUTPUTS; ++i, ++*all) differ += votes[i] != signed_number(&expected);
  }
  return differ;
}
)c";

inline constexpr std::string_view kCMain = R"c(
#ifndef FALSUM_NO_MAIN
#include <stdio.h>
int main(void) {
  uint32_t all, differ = @_test(&all);
#ifdef %_RAW
  differ += @_test_raw(&all);
#endif
  printf("%lu of %lu votes differ\n", (unsigned long)differ, (unsigned long)all);
  return differ != 0;
}
#endif
)c";

}  // namespace falsum
