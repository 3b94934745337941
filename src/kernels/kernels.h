// Kernels: the loops that touch every automaton or every clause, once per instruction set.
//
//   {dense,sliced,windows,pack,bytes}_body.h   the algorithm, written once over a vector type
//   scalar.cpp, {avx2,avx512,neon}_body.h      that type for one instruction set (avx_body.h: shared by two of them)
//   {table_draws,x86_aes}_body.h               random draws without and with instructions for AES
//   avx2_vaes.cpp, ...                         a set: an instruction set and its draws
//   dispatch.h    which sets exist here; chosen once per machine or predictor, never per clause
//
// All sets draw the same random bits and give the same results (tests run every one). The AVX files
// hold no standard containers and call no shared inline functions: code built with -mavx2 must not leak into the
// baseline through weak symbols (tests/repository checks it).
#pragma once

#include <cstddef>
#include <cstdint>

#include "falsum/byte_rows.h"
#include "support/random.h"

/// The vectors of neon.cpp read words as bytes, so only little-endian AArch64 has it.
#if defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FALSUM_NEON 1
#else
#define FALSUM_NEON 0
#endif

namespace falsum {

/// How many decrements a byte draw u stands for: `always` plus one for every value above u. Values descend.
/// Bank and Forgetting (bank/forgetting.h) fill these in; see there for their distribution.
struct Decrements {
  std::uint32_t always = 0;
  std::uint32_t size = 0;
  std::uint8_t value[256];

  std::uint32_t count(std::uint8_t draw) const {
    std::uint32_t n = always;
    for (std::uint32_t k = 0; k < size; ++k) n += draw < value[k];
    return n;
  }
  /// For a list of a single event, which decrements once or not at all: it does for draws below this.
  std::uint32_t limit() const { return always > 0 ? 256 : size > 0 ? value[0] : 0; }
};

enum class DenseKind : std::uint8_t {
  kSettle,         // apply the pending decrements, nothing else
  kTypeIaBoosted,  // Type Ia, boosted: true literals +1, false ones may go down once more
  kTypeIa,         // Type Ia, not boosted: true literals +1 with probability (s-1)/s
  kTypeII,         // Type II: false literals +1 (all of them are excluded, since the clause is true)
};

/// The literals of one 64-literal word that a dense pass included.
struct RisenWord {
  std::size_t word;
  std::uint64_t bits;  // never 0
};
/// How much a dense pass wrote to its list: words, and literals in them.
struct Risen {
  std::size_t words, literals;
};

/// One pass over all automata of a clause that are not hot: lanes of 128 and above stay there.
struct DensePass {
  DenseKind kind;
  std::uint8_t* states;             // words * 64 bytes, 64-aligned
  const std::uint8_t* next;         // the row that is worked on after this one, or this one: only a hint
  std::size_t words;                // 64-literal blocks
  const std::uint64_t* truths;      // of the example (not read by kSettle)
  const std::uint64_t* falsehoods;  //
  RisenWord* risen;                 // out: lanes that reached 128; room for words + 1
  DrawKey key;                      // draw8 by literal: pending decrements
  DrawKey reward_key;               // draw8 by literal: whether it is rewarded (kTypeIa)
  std::uint8_t lowest;
  const Decrements* owed;          // pending decrements of an automaton
  const Decrements* owed_and_one;  // the same with one more event, if its literal is false (reward kinds)
  const Decrements* one;           // of a single event (reward kinds)
};

/// The hot automata of a clause in a Type Ib event.
struct HotStates {
  std::uint8_t* states;  // the bytes after them, up to a multiple of 64, are read and written back
  std::size_t size;
  DrawKey key;         // draw8 by position: which automata forget
  std::uint32_t once;  // those with a draw below this, 0 .. 256 (Forgetting::once)
};
/// Some of 64 neighbouring hot automata of a clause that went from 128 to 127.
struct LostWord {
  std::uint32_t clause, word;  // number of the clause in the list, and of the 64 automata in it
  std::uint64_t bits;          // never 0
};

/// Ids of literals: 16 bits each in a machine of up to 65,536 literals, 32 otherwise.
struct IdList {
  const void* ids;
  std::uint32_t size;
  bool wide;

  std::uint32_t operator[](std::size_t i) const {
    return wide ? static_cast<const std::uint32_t*>(ids)[i] : static_cast<const std::uint16_t*>(ids)[i];
  }
};

/// Words of a column when looking ahead: 256 uses.
constexpr std::size_t kLookaheadWords = 4;

/// Clauses of one length in a row: `clauses` lists of `length` ids each, a multiple of four.
struct SlicedRun {
  std::uint32_t length, clauses;
};

/// Feedback on all automata of a fuzzy clause. States are stored so that the highest is 255.
enum class FuzzyKind : std::uint8_t {
  kLearn,        // Type Ia: true literals +1, then false literals that are excluded -1
  kForget,       // Type Ia of a clause that is long enough: false literals that are excluded -1
  kIncludeMore,  // Type II: false literals that are excluded +1
};
struct FuzzyPass {
  FuzzyKind kind;
  std::uint8_t* states;      // of the features, then of their negations: 64 * words bytes each
  std::uint64_t* included;   // the same as bits: words each
  const std::uint64_t* row;  // the features that are true
  std::size_t words;
  std::uint64_t last;          // the features in the last word
  std::uint8_t lowest, limit;  // included from `limit` on
  RisenWord* flips;            // out: literals that joined or left, room for 2 * words
};

/// The literals of a fuzzy clause as columns: of features that must be true, and of features that must be false. Both
/// counts are multiples of 8, filled up with columns of ones and of zeros.
struct FuzzyIds {
  const std::uint32_t *positive, *negated;
  std::uint32_t positives, negations;
};

/// A clause of patches for any_window (evaluate/windows.h): the positions that its position literals leave, first and
/// last, and for its other literals the distance from the word of a position to that of the literal.
struct WindowClause {
  std::uint32_t top, bottom, left, right;
  std::uint32_t size;  // of the offsets
  const std::uint32_t* offsets;
};

/// A clause of patches for window_rows: as above, but a literal is a row of pixels (on or off) shifted right, from the
/// row of a position to that of the pixel.
struct ShiftedRow {
  std::uint32_t word, shift;
};
struct RowsClause {
  std::uint32_t top, bottom, left, right;
  std::uint32_t size;
  const ShiftedRow* literals;
};

/// Clauses of patches for lane_windows. A row of positions is a lane of 32 bits, and so is a row of pixels that is
/// shifted by the column of a literal. A run has the first kFirstOffsets offsets of each of its clauses (all, if these
/// are fewer), then the others of each. `rows` is more than 8 * (vectors of its run - 1) and at most 8 more than that.
struct LaneClause {
  std::uint32_t columns;    // of its rectangle, as bits
  std::uint16_t top, rows;  // of its rectangle
};
constexpr std::uint32_t kFirstOffsets = 8;
/// Clauses that follow each other: each has `length` offsets, a multiple of four.
struct LaneRun {
  std::uint32_t clauses, length, vectors;
};
constexpr std::uint32_t kMostLaneVectors = 4;

/// Four neighbouring features at a time: a row of bytes for each of their 16 values (predict/fuzzy_tables_engine.cpp).
struct NibbleTable {
  const std::uint8_t* table;  // row 256 * word + 16 * nibble + value
  const std::uint8_t *base, *most;
  std::size_t stride;  // of a row; a multiple of 64
  std::size_t words;   // of a sample
};

/// A clause as tests of bytes of a row (predict/byte_engine.cpp). A test is a place, the number of a byte, and a mask:
/// the bits of this mask must be off in the byte, or on where kRowBytes was added to the place. The first kHeadTests
/// tests of kHeadClauses clauses lie together; a test whose mask is 0 never fails.
constexpr std::uint32_t kRowBytes = 128, kHeadTests = 4, kHeadClauses = 16, kTailTests = 64;
struct ByteHeads {
  std::uint8_t place[kHeadTests * kHeadClauses], mask[kHeadTests * kHeadClauses];
};

/// Steps of counters that are bit planes, a bit for each clause: plane p of line l (512 clauses) is 8 words at
/// counters + 8 * (l * planes + p).
struct CounterSteps {
  const std::uint64_t *up, *down;  // the counters that grow by one, and those that shrink by one; none does both
  std::uint64_t* counters;
  std::uint64_t* turned;        // out: the counters that left 0 or reached it
  std::uint64_t* turned_words;  // out: bit w is on when word w of `turned` is not 0
  std::size_t lines;
  std::uint32_t planes;
};

/// How many counters are 0, and how many are 1.
struct LowCounters {
  std::size_t zeros, ones;
};

struct Kernels {
  const char* name;
  Risen (*dense_pass)(const DensePass& pass);
  /// Type Ib on up to 64 clauses: state i goes down one, not below `lowest`, when draw8(key, i) < once. Lists the
  /// automata that leave, ascending, and returns the length of the list; it has room for all words and one more.
  std::size_t (*forget)(const HotStates* clauses, std::size_t count, std::uint8_t lowest, LostWord* lost);
  /// Bit j of out is on when draw16(key, 64 * first + j) < threshold (0 .. 65536), for j in 0 .. words * 64 - 1.
  void (*select)(DrawKey key, std::uint32_t threshold, std::size_t first, std::size_t words, std::uint64_t* out);
  /// draw8 of each of these ids.
  void (*draw)(DrawKey key, const IdList& ids, std::uint8_t* out);
  /// Bit j of out is on when flags[j] has its top bit off, for j in 0 .. words * 64 - 1.
  void (*unflagged)(const std::uint8_t* flags, std::size_t words, std::uint64_t* out);
  /// Bit j of out is bit `bit` of columns[j], for j in 0 .. words * 64 - 1.
  void (*gather_bits)(const std::uint64_t* columns, unsigned bit, std::size_t words, std::uint64_t* out);
  /// States go up one, not above `highest`.
  void (*strengthen)(std::uint8_t* states, std::size_t size, std::uint8_t highest);
  /// Clears the bits of `uses` where one of these literals is false. Column l is kLookaheadWords words, as is `uses`.
  void (*conjunction)(const std::uint64_t* columns, const IdList& ids, std::uint64_t* uses);
  /// The number of bits that are on.
  std::size_t (*count)(const std::uint64_t* words, std::size_t size);
  // For 512 samples at once, a bit each. Column l is 8 words at columns + 8 * l. A number for every sample is in planes
  // of 8 words, plane p worth 2^p.

  /// Adds to the counters how many of the clauses in `runs` are true.
  void (*sliced_votes)(const std::uint64_t* columns, const SlicedRun* runs, std::size_t run_count, const IdList& ids,
                       std::uint32_t planes, std::uint64_t* counters);
  /// The outputs of the clauses in `runs`, 8 words each.
  void (*sliced_outputs)(const std::uint64_t* columns, const SlicedRun* runs, std::size_t run_count, const IdList& ids,
                         std::uint64_t* outputs);
  /// Adds weights of the outputs that are true to the counters. `members` lists the outputs whose weight has binary
  /// digit 0, then those with digit 1, ...: counts[d] of them. `carries` is working memory for as many outputs as are
  /// listed.
  void (*sliced_sum)(const std::uint64_t* outputs, const std::uint8_t* members, const std::uint16_t* counts,
                     std::uint32_t digits, std::uint32_t planes, std::uint64_t* counters, std::uint64_t* carries);
  /// plus - minus + 2^planes - 1, which is never negative, in planes + 1 planes.
  void (*sliced_difference)(const std::uint64_t* plus, const std::uint64_t* minus, std::uint32_t planes,
                            std::uint64_t* out);
  /// Where the value is larger than the best, it becomes the best, and `number` its number.
  void (*sliced_most)(const std::uint64_t* value, std::uint32_t planes, std::uint32_t number,
                      std::uint32_t number_planes, std::uint64_t* best, std::uint64_t* numbers);
  /// Transposes eight matrices of 64 x 64 bits in place, side by side: word 8 r + m is row r of matrix m, afterwards
  /// column r.
  void (*transpose)(std::uint64_t* squares);
  /// Up to 512 packed rows as columns of 8 words, a bit per row: column k is feature k, column features + k its
  /// negation. Rows past `count` are all false.
  void (*slice)(const std::uint64_t* rows, std::size_t words_per_row, std::size_t count, std::size_t features,
                std::uint64_t* columns);
  /// The same without the negations.
  void (*slice_features)(const std::uint64_t* rows, std::size_t words_per_row, std::size_t count, std::size_t features,
                         std::uint64_t* columns);
  std::size_t position_words;  // 4 or 8: those that any_position takes in the least time per example
  /// For which of 64 examples the clause is true at one of its positions, among those in `want`. Position (y, x) has
  /// the word at table + y * row_step + x; eight words are read at a time, so seven more than the last must be
  /// readable.
  std::uint64_t (*any_window)(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause,
                              std::uint64_t want);
  /// The same for 64 * words examples, so many words for a position: position (y, x) is at
  /// table + words * (y * row_step + x), and an offset counts as many words. Writes `words` words, which are 4 or
  /// position_words. Where the table is at a multiple of 64 bytes, loads of position_words cross no line.
  void (*any_position)(const std::uint64_t* table, std::size_t row_step, const WindowClause& clause, std::size_t words,
                       std::uint64_t* out);
  /// Writes the numbers of the clauses that are true for one example, ascending, and returns how many there are. `out`
  /// has room for one more than there are clauses. A clause is true if a bit of its rectangle is left of the lanes at
  /// all its offsets; 8 lanes are read for each vector.
  std::size_t (*lane_windows)(const std::uint32_t* lanes, const LaneRun* runs, std::size_t run_count,
                              const LaneClause* clauses, const std::uint16_t* offsets, std::uint32_t* out);
  /// For one example whose rows of pixels are a word each: the positions where the clause is true, a word for each row
  /// of its rectangle, which is not empty. Returns the OR of these words. Up to 7 words after the last row are read and
  /// written.
  std::uint64_t (*window_rows)(const std::uint64_t* pixels, const RowsClause& clause, std::uint64_t* out);
  /// Adds worth times the number in the bit planes (8 words each, plane p worth 2^p) to the sums of 512 samples.
  void (*tally)(const std::uint64_t* planes, std::uint32_t plane_count, std::int32_t worth, std::int32_t* sums);
  /// words |= each of the rows (bitwise OR); all of them are 8 * lines words.
  void (*bitwise_or)(const std::uint64_t* const* rows, std::size_t count, std::size_t lines, std::uint64_t* words);
  void (*step_counters)(const CounterSteps& steps);
  /// Lists the counters, of at least two planes, that are 0 and those that are 1, ascending. Both lists have room for
  /// one more than there are.
  LowCounters (*low_counters)(const std::uint64_t* counters, std::uint32_t planes, std::size_t lines,
                              std::uint32_t* zeros, std::uint32_t* ones);
  // Fuzzy clauses.

  /// Returns how many words of flips it wrote.
  std::size_t (*fuzzy_pass)(const FuzzyPass& pass);
  /// The false literals of each clause. Of a clause there are `words` words of features, then of negations.
  void (*fuzzy_misses)(const std::uint64_t* row, const std::uint64_t* included, std::size_t words, std::size_t clauses,
                       std::uint32_t* misses);
  /// start + the false literals of a clause in 512 samples, in `planes` planes (at least 4); where that is too much,
  /// one more plane is on.
  void (*fuzzy_count)(const std::uint64_t* columns, const FuzzyIds& ids, std::uint64_t start, std::uint32_t planes,
                      std::uint64_t* counters);
  /// A literal joins (or leaves) a clause: adds its falsehood to the counters, or takes it away. `column` is that of
  /// its feature.
  void (*fuzzy_flip)(const std::uint64_t* column, bool negated, bool joins, std::uint32_t planes,
                     std::uint64_t* counters);
  /// Adds the votes of a clause to the sums, or takes them away: 2^value_planes - counter where this is positive. Sums
  /// are two's complement. Writes the samples that the clause has votes for to `truths`.
  void (*fuzzy_vote)(const std::uint64_t* counters, std::uint32_t planes, std::uint32_t value_planes, bool add,
                     std::uint32_t sum_planes, std::uint64_t* sums, std::uint64_t* truths);
  /// The samples whose sum is below the threshold and whose label is on, and those above minus the threshold whose
  /// label is off.
  void (*fuzzy_active)(const std::uint64_t* sums, std::uint32_t sum_planes, std::uint64_t threshold,
                       const std::uint64_t* labels, std::uint64_t* active);
  /// values = most - (base + the rows of the table for the nibbles of a sample that are not 0), where this is positive,
  /// else 0; sums are modulo 256. `rows` is working memory for 16 * words + 16 numbers. Returns how many rows it added.
  std::size_t (*nibble_votes)(const NibbleTable& table, const std::uint64_t* sample, std::uint32_t* rows,
                              std::uint8_t* values);
  /// Adds up numbers of a byte: sums[i] is the sum of values[step * s + i] for s < count, at most 256, and i < 16.
  void (*sum_slots)(const std::uint8_t* values, std::size_t step, std::size_t count, std::uint16_t* sums);
  /// Packs rows of bytes into rows of bits, each in as many words as needed: on where the byte is not 0. Returns the
  /// largest byte, so that the caller knows whether all bytes were 0 or 1.
  std::uint8_t (*pack)(const ByteRowsView& rows, std::uint64_t* out);
  /// Whether byte_heads and byte_tails are vectors.
  bool bytes_are_fast;
  /// Lists the clauses whose first tests pass, ascending, and returns how many there are; there is room for
  /// kHeadClauses more.
  std::size_t (*byte_heads)(const std::uint8_t* row, const ByteHeads* heads, std::size_t count, std::uint32_t* clauses);
  /// Keeps those of these clauses whose other tests pass, and returns how many there are. The tests of clause c are at
  /// starts[c] up to starts[c + 1]: places of up to kTailTests tests, then their masks, and so on; 128 bytes after the
  /// last can be read.
  std::size_t (*byte_tails)(const std::uint8_t* row, const std::uint8_t* tests, const std::uint32_t* starts,
                            std::uint32_t* clauses, std::size_t count);
  /// The sum of the values whose bit is on, of 64 values for each word; it must be a 32-bit number.
  std::int32_t (*sum_where)(const std::int32_t* values, const std::uint64_t* bits, std::size_t words);
};

}  // namespace falsum
