// The part of the JavaScript export that is the same for every model.
#pragma once

#include <string_view>

namespace falsum {

inline constexpr std::string_view kJavascript = R"js(
  const F = MODEL.features, LITERALS = MODEL.clause_features, OUTPUTS = MODEL.outputs;

  // The clauses, from their bytes: literals of clause c are LITERAL[START[c]] .. LITERAL[START[c + 1] - 1], the one that
  // is false most often first; its votes likewise.
  const START = [0], LITERAL = [], MOST = [], VOTES_START = [0], VOTES_OUTPUT = [], VOTES = [], BASE = [];
  (() => {
    const bytes = Uint8Array.from(atob(MODEL.clauses), (c) => c.charCodeAt(0));
    let at = 0;
    const varint = () => {
      let value = 0, scale = 1, byte;
      do {
        byte = bytes[at++];
        value += (byte & 127) * scale;
        scale *= 128;
      } while (byte > 127);
      return value;
    };
    const zigzag = () => {
      const value = varint();
      return value % 2 ? -(value + 1) / 2 : value / 2;
    };
    for (let o = 0; o < OUTPUTS; ++o) BASE.push(zigzag());
    while (at < bytes.length) {
      MOST.push(MODEL.fuzzy ? varint() : 1);
      let end = varint();
      end += at;
      LITERAL.push(varint());
      for (let next = 0; at < end;) {
        const literal = next + varint();
        LITERAL.push(literal);
        next = literal + 1;
      }
      START.push(LITERAL.length);
      end = varint();
      end += at;
      while (at < end) {
        VOTES_OUTPUT.push(varint());
        VOTES.push(zigzag());
      }
      VOTES_START.push(VOTES.length);
    }
  })();
  const CLAUSES = MOST.length;
  const LITERALS_OF = Int32Array.from(LITERAL), START_OF = Int32Array.from(START);

  // What clause c counts for when x are the features that it sees: 0 if it is false.
  const count = (c, x) => {
    let left = MOST[c];
    for (let i = START_OF[c]; i < START_OF[c + 1]; ++i) {
      const literal = LITERALS_OF[i];
      if ((literal < LITERALS ? x[literal] === 0 : x[literal - LITERALS] !== 0) && --left === 0) return 0;
    }
    return left;
  };

  // Features of the patch at position (row, column): where it lies, then its bits.
  const patchOf = (x, row, column) => {
    const p = MODEL.patches, patch = new Uint8Array(LITERALS);
    let k = 0;
    for (let t = 0; t < p.down - 1; ++t) patch[k++] = row > t ? 1 : 0;
    for (let t = 0; t < p.across - 1; ++t) patch[k++] = column > t ? 1 : 0;
    for (let r = 0; r < p.rows; ++r) {
      let from = ((row * p.row_stride + r) * p.image_columns + column * p.column_stride) * p.channels;
      for (let i = 0; i < p.columns * p.channels; ++i) patch[k++] = x[from++];
    }
    return patch;
  };

  // Calls visit(clause, what it counts for, patch or -1) for every true clause.
  const eachTrue = (x, visit) => {
    if (!MODEL.patches) {
      for (let c = 0; c < CLAUSES; ++c) {
        const counts = count(c, x);
        if (counts > 0) visit(c, counts, -1);
      }
      return;
    }
    const found = new Uint8Array(CLAUSES);
    for (let row = 0, p = 0; row < MODEL.patches.down; ++row) {
      for (let column = 0; column < MODEL.patches.across; ++column, ++p) {
        const patch = patchOf(x, row, column);
        for (let c = 0; c < CLAUSES; ++c) {
          if (found[c] || count(c, patch) === 0) continue;
          found[c] = 1;
          visit(c, 1, p);
        }
      }
    }
  };

  const features = (x) => {
    if (x.length !== F) throw new Error(`a row has ${F} features, got ${x.length}`);
    return x instanceof Uint8Array ? x : Uint8Array.from(x, (bit) => (bit ? 1 : 0));
  };

  /** Votes of each output for F features, each 0 or 1. */
  const votes = (x) => {
    const sums = Int32Array.from(BASE);
    eachTrue(features(x), (c, counts) => {
      for (let i = VOTES_START[c]; i < VOTES_START[c + 1]; ++i) sums[VOTES_OUTPUT[i]] += counts * VOTES[i];
    });
    return sums;
  };

  /** The clauses that are true: their literals, votes for outputs, and the patch where they are true (or -1). */
  const explain = (x) => {
    const list = [];
    eachTrue(features(x), (c, counts, patch) => {
      const given = [];
      for (let i = VOTES_START[c]; i < VOTES_START[c + 1]; ++i) given.push([VOTES_OUTPUT[i], counts * VOTES[i]]);
      list.push({ clause: c, literals: LITERAL.slice(START[c], START[c + 1]), votes: given, patch });
    });
    return list;
  };

  const isMissing = (value) => value === null || value === undefined || value === "" || Number.isNaN(value);

  const columnBits = (column, value, x, first) => {
    let k = first;
    const missing = isMissing(value);
    if (column.kind === "category") {
      for (const category of column.categories) {
        const same = typeof value === "number" ? Number(category) === value && category.trim() !== "" : String(value) === category;
        x[k++] = !missing && same ? 1 : 0;
      }
    } else {
      const number = missing ? NaN : Number(value);
      if (!missing && Number.isNaN(number)) throw new Error(`column ${column.name}: expected a number, got ${value}`);
      if (column.kind === "boolean") {
        if (!missing && number !== 0 && number !== 1) throw new Error(`column ${column.name}: expected 0 or 1, got ${value}`);
        x[k++] = number === 1 ? 1 : 0;
      } else {
        for (const threshold of column.thresholds) x[k++] = number >= threshold ? 1 : 0;
      }
    }
    if (column.missing) x[k++] = missing ? 1 : 0;
    return k;
  };

  let vocabulary = null;
  const wordBits = (text, x) => {
    const words = MODEL.booleanizer;
    if (!vocabulary) vocabulary = new Map(words.vocabulary.map((word, k) => [word, k]));
    const found = text.replace(/[A-Z]/g, (c) => c.toLowerCase()).split(/[ \t\n\v\f\r!"#$%&()*+,\-.\/:;<=>?@[\\\]^_`{|}~]+/);
    const list = found.filter((word) => word !== "");
    for (let i = 0; i < list.length; ++i) {
      let phrase = "";
      for (let n = 0; n < words.phrases && i + n < list.length; ++n) {
        phrase = n === 0 ? list[i] : `${phrase} ${list[i + n]}`;
        const k = vocabulary.get(phrase);
        if (k !== undefined) x[k] = 1;
      }
    }
  };

  /**
   * Raw values to features. Tables: an array of values in the order of the columns, or an object by their names; null,
   * "" and NaN are missing; dates are days, dates with a time are seconds since 1970, times are seconds. Grey images:
   * an array of pixels. Texts: a string. Bits: an array of them.
   */
  const bits = (row) => {
    const how = MODEL.booleanizer, x = new Uint8Array(F);
    if (!how || how.kind === "bits") return features(Array.isArray(row) || ArrayBuffer.isView(row) ? row : columns().map((name) => row[name]));
    if (how.kind === "words") {
      wordBits(String(row), x);
    } else if (how.kind === "levels") {
      if (row.length !== how.pixels) throw new Error(`an image has ${how.pixels} pixels, got ${row.length}`);
      let k = 0;
      for (const threshold of how.thresholds) {
        for (let i = 0; i < how.pixels; ++i) x[k++] = row[i] > threshold ? 1 : 0;
      }
    } else {
      const values = Array.isArray(row) ? row : columns().map((name) => row[name]);
      if (values.length !== how.columns.length) throw new Error(`a row has ${how.columns.length} values, got ${values.length}`);
      let k = 0;
      how.columns.forEach((column, c) => { k = columnBits(column, values[c], x, k); });
    }
    return x;
  };

  /** Names of the columns of a table, or of the bits. */
  const columns = () => {
    const how = MODEL.booleanizer;
    if (how && how.kind === "columns") return how.columns.map((column, c) => column.name || `x${c}`);
    if (how && how.kind === "bits" && how.names) return how.names;
    return Array.from({ length: F }, (_, k) => `x${k}`);
  };

  /** What votes mean: a label, an array of labels, or a number. Ties go to the first class. */
  const answer = (sums) => {
    const label = (o) => (MODEL.labels.length ? MODEL.labels[o] : o);
    if (MODEL.task === "regression") {
      const [least, most] = MODEL.range, within = Math.min(Math.max(sums[0], 0), MODEL.target);
      return least + (most - least) * within / MODEL.target;
    }
    if (MODEL.task === "multilabel") return Array.from(sums.keys()).filter((o) => sums[o] > 0).map(label);
    let best = 0;
    for (let o = 1; o < OUTPUTS; ++o) if (sums[o] > sums[best]) best = o;
    return label(best);
  };

  /** Raw values to an answer and its votes. */
  const predict = (row) => {
    const sums = votes(bits(row));
    return { answer: answer(sums), votes: sums };
  };

  /** The name of a literal: "age >= 41.5", "not smoker". */
  const literalName = (literal) => MODEL.names[literal];

  /** Compares the votes of the test rows with those that falsum gave them. */
  const check = () => {
    const result = { votes: 0, differ: 0 }, test = MODEL.test_vectors;
    const compare = (found, wanted) => wanted.forEach((votes_wanted, o) => {
      ++result.votes;
      if (found[o] !== votes_wanted) ++result.differ;
    });
    test.rows.forEach((row, r) => {
      const x = new Uint8Array(F);
      for (const k of row) x[k] = 1;
      compare(votes(x), test.votes[r]);
    });
    const words = MODEL.booleanizer && MODEL.booleanizer.kind === "words";
    (test.raw || []).forEach((row, r) => compare(predict(words ? row[0] : row).votes, test.raw_votes[r]));
    return result;
  };
)js";

}  // namespace falsum
