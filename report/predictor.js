// @ts-check
"use strict";

/**
 * The clauses of a model and their votes on one row, kept up to date when a feature changes: a clause knows how many of
 * its literals are false, and the lists of clauses by literal say whose count a change moves.
 */
class Predictor {
  /** @param {{features: number, outputs: number, fuzzy: number, clamp: boolean, patches: any}} shape
   *  @param {Numbers} numbers the packed clauses */
  constructor(shape, numbers) {
    this.shape = shape;
    const patches = shape.patches;
    if (patches) {
      this.down = Math.floor((patches.imageRows - patches.rows) / patches.rowStride) + 1;
      this.across = Math.floor((patches.imageColumns - patches.columns) / patches.columnStride) + 1;
    }
    /** features of a clause: of a patch, if there are patches */
    this.features = patches ? this.down + this.across - 2 + patches.rows * patches.columns * patches.channels : shape.features;
    const clauses = numbers.next();
    this.starts = new Uint32Array(clauses + 1);
    this.literals = new Uint32Array(numbers.bytes.length); // a literal takes a byte or more
    let included = 0;
    for (let c = 0; c < clauses; ++c) {
      let literal = 0;
      for (let left = numbers.next(); left > 0; --left) this.literals[included++] = literal += numbers.next();
      this.starts[c + 1] = included;
    }
    this.literals = this.literals.slice(0, included);
    this.clauses = clauses;
    /** @type {{output: number, clause: number, votes: number, rows: number, right: number, cast: number}[]} */
    this.rules = [];
    for (let output = 0; output < shape.outputs; ++output) {
      let clause = 0;
      for (let left = numbers.next(); left > 0; --left) {
        clause += numbers.next();
        const size = numbers.next();
        const votes = size % 2 === 1 ? -(size - 1) / 2 : size / 2;
        this.rules.push({output, clause, votes, rows: numbers.next(), right: numbers.next(), cast: numbers.next()});
      }
    }
    this.votersOf = startsOf(clauses, this.rules.map((rule) => rule.clause));
    this.listOf = patches ? null : this.makeLists();
    this.misses = new Uint32Array(clauses);
    this.isOn = new Uint8Array(shape.features);
    this.votes = new Array(shape.outputs).fill(0);
    this.values = new Uint32Array(clauses);
  }

  clause(/** @type {number} */ c) {
    return this.literals.subarray(this.starts[c], this.starts[c + 1]);
  }

  makeLists() {
    const of = new Uint32Array(this.literals.length);
    for (let c = 0; c < this.clauses; ++c) of.fill(c, this.starts[c], this.starts[c + 1]);
    const lists = startsOf(2 * this.features, this.literals);
    for (let i = 0; i < lists.items.length; ++i) lists.items[i] = of[lists.items[i]];
    return lists;
  }

  /** What a clause adds to an output of weight 1. */
  value(/** @type {number} */ c) {
    const length = this.starts[c + 1] - this.starts[c];
    const fuzzy = this.shape.fuzzy;
    if (fuzzy === 0) return length > 0 && this.misses[c] === 0 ? 1 : 0;
    const most = this.shape.clamp && length > 0 && length < fuzzy ? length : fuzzy;
    return Math.max(0, most - this.misses[c]);
  }

  /** @param {Iterable<number>} features those that are true */
  set(features) {
    this.isOn.fill(0);
    for (const feature of features) this.isOn[feature] = 1;
    this.recount();
  }

  recount() {
    this.misses.fill(0);
    if (this.shape.patches) {
      this.countPatches();
    } else {
      for (let c = 0; c < this.clauses; ++c) {
        let misses = 0;
        for (let i = this.starts[c]; i < this.starts[c + 1]; ++i) misses += this.holds(this.literals[i]) ? 0 : 1;
        this.misses[c] = misses;
      }
    }
    this.votes.fill(0);
    for (let c = 0; c < this.clauses; ++c) {
      this.values[c] = this.value(c);
      this.give(c, this.values[c]);
    }
  }

  holds(/** @type {number} */ literal) {
    return literal < this.features ? this.isOn[literal] === 1 : this.isOn[literal - this.features] === 0;
  }

  give(/** @type {number} */ c, /** @type {number} */ times) {
    if (times === 0) return;
    const {starts, items} = this.votersOf;
    for (let i = starts[c]; i < starts[c + 1]; ++i) {
      const rule = this.rules[items[i]];
      this.votes[rule.output] += times * rule.votes;
    }
  }

  /** Turns a feature on or off. */
  flip(/** @type {number} */ feature) {
    this.isOn[feature] = 1 - this.isOn[feature];
    if (!this.listOf) {
      this.recount();
      return;
    }
    const nowTrue = this.isOn[feature] ? feature : feature + this.features;
    const nowFalse = this.isOn[feature] ? feature + this.features : feature;
    this.walk(nowTrue, -1);
    this.walk(nowFalse, 1);
  }

  walk(/** @type {number} */ literal, /** @type {number} */ change) {
    const {starts, items} = /** @type {{starts: Uint32Array, items: Uint32Array}} */ (this.listOf);
    for (let i = starts[literal]; i < starts[literal + 1]; ++i) {
      const c = items[i];
      this.misses[c] += change;
      const value = this.value(c);
      if (value === this.values[c]) continue;
      this.give(c, value - this.values[c]);
      this.values[c] = value;
    }
  }

  /** A clause of patches is true if it is true of one patch: then it misses nothing. */
  countPatches() {
    const p = this.shape.patches;
    const above = this.down - 1, positions = this.down + this.across - 2;
    const patch = new Uint8Array(this.features);
    this.misses.fill(1);
    for (let y = 0; y < this.down; ++y) {
      for (let x = 0; x < this.across; ++x) {
        for (let t = 0; t < above; ++t) patch[t] = y > t ? 1 : 0;
        for (let t = above; t < positions; ++t) patch[t] = x > t - above ? 1 : 0;
        const width = p.columns * p.channels;
        for (let row = 0; row < p.rows; ++row) {
          const from = ((y * p.rowStride + row) * p.imageColumns + x * p.columnStride) * p.channels;
          patch.set(this.isOn.subarray(from, from + width), positions + row * width);
        }
        for (let c = 0; c < this.clauses; ++c) {
          if (this.misses[c] === 0) continue;
          let holds = true;
          for (let i = this.starts[c]; holds && i < this.starts[c + 1]; ++i) {
            const literal = this.literals[i];
            holds = literal < this.features ? patch[literal] === 1 : patch[literal - this.features] === 0;
          }
          if (holds) this.misses[c] = 0;
        }
      }
    }
  }

  /** The rules that vote on this row, with the votes they give. */
  trueRules() {
    const found = [];
    for (const rule of this.rules) {
      const votes = rule.votes * this.values[rule.clause];
      if (votes !== 0) found.push({rule, votes});
    }
    return found;
  }
}

/** Lists of positions by key: starts of each list, and the lists. */
function startsOf(/** @type {number} */ keys, /** @type {ArrayLike<number>} */ keyOf) {
  const starts = new Uint32Array(keys + 1), items = new Uint32Array(keyOf.length);
  for (let i = 0; i < keyOf.length; ++i) ++starts[keyOf[i] + 1];
  for (let k = 0; k < keys; ++k) starts[k + 1] += starts[k];
  const next = starts.slice();
  for (let i = 0; i < keyOf.length; ++i) items[next[keyOf[i]]++] = i;
  return {starts, items};
}

/** Packed numbers, read from first to last. */
class Numbers {
  constructor(/** @type {Uint8Array} */ bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  next() {
    let value = 0, unit = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
    }
  }
  ascending(/** @type {number[]} */ into) {
    let value = 0;
    for (let left = this.next(); left > 0; --left) into.push(value += this.next());
    return into;
  }
}

/** The words of a text, by their places in it, and the features that they and phrases of them are: as the booleanizer finds them. */
function wordsOf(/** @type {string} */ text, /** @type {Map<string, number>} */ vocabulary, /** @type {number} */ phrases) {
  const lower = text.replace(/[A-Z]/g, (c) => c.toLowerCase());
  const words = Array.from(lower.matchAll(/[^\t-\r !"#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~]+/g), (match) => ({word: match[0], start: match.index || 0}));
  /** @type {{feature: number, first: number, last: number}[]} */
  const found = [];
  for (let last = 0; last < words.length; ++last) {
    for (let first = last; first >= 0 && last - first < phrases; --first) {
      const feature = vocabulary.get(words.slice(first, last + 1).map(({word}) => word).join(" "));
      if (feature !== undefined) found.push({feature, first, last});
    }
  }
  return {words, found};
}

function wordFeatures(/** @type {string} */ text, /** @type {Map<string, number>} */ vocabulary, /** @type {number} */ phrases) {
  return new Set(wordsOf(text, vocabulary, phrases).found.map(({feature}) => feature));
}
