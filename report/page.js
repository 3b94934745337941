/* The page about the model: summary, quality, rules, features. What is shown of one row is in rows.js. */

/** @typedef {any} Data */

class ReportPage {
  constructor(/** @type {Data} */ data, /** @type {Numbers} */ numbers) {
    this.data = data;
    this.predictor = new Predictor({features: data.features, outputs: data.labels.length, fuzzy: data.fuzzy, clamp: data.clamp, patches: data.patches || null}, numbers);
    for (const row of data.rows) row.features = numbers.ascending([]);
    this.rules = this.predictor.rules.slice().sort((a, b) => b.cast - a.cast);
    this.cast = this.rules.reduce((sum, rule) => sum + rule.cast, 0);
    this.isImage = data.imageWidth > 0 && !data.patches;
    this.vocabulary = new Map(data.kind === "words" ? data.names.map((/** @type {string} */ w, /** @type {number} */ i) => [w, i]) : []);
    /** @type {number[] | null} rows of each class */
    this.classSizes = data.confusion ? data.labels.map(() => 0) : null;
    for (const [truth, , rows] of data.confusion || []) this.classSizes[truth] += rows;
    /** @type {string[]} what a search finds, by clause; made when it is first needed */
    this.texts = [];
    /** @type {any} the row that is shown */
    this.row = null;
  }

  /** The rows of a cell: where rows are shown. */
  showRows(/** @type {string} */ _truth, /** @type {string} */ _answer) {}

  featureName(/** @type {number} */ k) {
    const {data} = this;
    if (data.patches) return data.patches.names[k];
    if (data.kind === "levels" || this.isImage) {
      const pixel = k % data.imagePixels, width = data.imageWidth;
      const name = width > 0 ? `pixel ${Math.floor(pixel / width)},${pixel % width}` : `pixel ${pixel}`;
      return data.levels ? `${name} > ${data.levels[Math.floor(k / data.imagePixels)]}` : name;
    }
    return data.names ? data.names[k] : `x${k}`;
  }

  /** The conditions of a clause, as the library words them. */
  conditions(/** @type {number} */ clause) {
    if (this.data.conditions) return this.data.conditions[clause];
    const n = this.predictor.features;
    return Array.from(this.predictor.clause(clause), (literal) => {
      if (literal < n) return this.featureName(literal);
      const name = this.featureName(literal - n);
      return this.data.levels ? name.replace(" > ", " <= ") : "not " + name;
    });
  }

  conditionsElement(/** @type {number} */ clause) {
    const all = this.conditions(clause), chips = (/** @type {string[]} */ some) => some.map((text) => h("li", {}, text));
    if (this.isImage || this.data.patches) {
      return h("details", {}, h("summary", {}, plural(all.length, "condition")), h("ul", {class: "conditions"}, chips(all)));
    }
    const most = 24;
    if (all.length <= most) return h("ul", {class: "conditions"}, chips(all));
    const list = h("ul", {class: "conditions"}, chips(all.slice(0, most)));
    const rest = h("button", {type: "button", class: "more", onclick: () => list.replaceChildren(...chips(all))}, `and ${number(all.length - most)} more`);
    list.append(h("li", {class: "plain"}, rest));
    return list;
  }

  aboutText(/** @type {number} */ output, /** @type {number} */ votes) {
    return `${votes < 0 ? "against" : "for"} ${this.data.labels[output]}`;
  }

  /** How many rules, from the first, cast this share of the votes. */
  carry(/** @type {any[]} */ rules, /** @type {number} */ share) {
    const all = rules.reduce((sum, rule) => sum + rule.cast, 0);
    let cast = 0, count = 0;
    while (count < rules.length && cast < share * all) cast += rules[count++].cast;
    return count;
  }

  // ------------------------------------------------------------------------------------------------ summary

  summary() {
    const {data} = this;
    const learned = data.samples ? `, ${plural(data.samples, "sample")}, ${plural(data.epochs, "epoch")}` : "";
    return h("section", {id: "summary"},
      h("h1", {}, data.model),
      h("p", {class: "lead"}, `A Tsetlin machine${data.learnedFrom ? ` learned from ${data.learnedFrom}` : ""}${learned}. Its rules vote; the answer is the sum.`),
      h("div", {class: "cards"}, this.scoreCard(), this.numberCards()),
      h("div", {class: "two"}, this.findings(), this.facts()));
  }

  scoreCard() {
    const {data} = this, [[score, given]] = Object.entries(data.scores), value = Number(given), n = data.rowsInData;
    if (score !== "accuracy") return h("div", {class: "card first"}, h("div", {class: "value"}, value.toPrecision(5)), h("div", {class: "name"}, "root mean squared error"));
    const z = 1.96, middle = (value + (z * z) / (2 * n)) / (1 + (z * z) / n);  // Wilson's interval
    const half = (z * Math.sqrt((value * (1 - value)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
    const scale = h("div", {class: "scale", "aria-hidden": "true"}, h("i", {}), h("b", {}));
    /** @type {HTMLElement} */ (scale.children[0]).style.width = percent(value, 2);
    Object.assign(/** @type {HTMLElement} */ (scale.children[1]).style, {left: percent(middle - half, 2), width: percent(2 * half, 2)});
    return h("div", {class: "card first"}, h("div", {class: "value"}, percent(value, 2)), scale, h("div", {class: "name"}, `accuracy; 95% interval ${percent(middle - half)} to ${percent(middle + half)}`));
  }

  numberCards() {
    const {data} = this;
    const card = (/** @type {any} */ shown, /** @type {string} */ name) => h("div", {class: "card"}, h("div", {class: "value"}, shown), h("div", {class: "name"}, name));
    return [
      card(number(data.rowsInData), "rows of " + data.data),
      card(data.task === "regression" ? "a number" : number(data.labels.length), data.task === "regression" ? "answer" : data.task === "multilabel" ? "labels" : "classes"),
      card(number(this.rules.length), `rules, from ${plural(data.clauses, "clause")} over ${plural(data.features, "feature")}`),
      card(number(this.carry(this.rules, 0.9)), "rules carry 90% of the votes"),
    ];
  }

  /** What stands out, in sentences. */
  findings() {
    const {data} = this, found = [];
    let least = 0;
    const ten = this.rules.slice(0, 10).reduce((sum, rule) => sum + rule.cast, 0);
    if (data.confusion) {
      /** @type {number[] | undefined} */
      let worst;
      const right = data.labels.map(() => 0);
      for (const cell of data.confusion) {
        if (cell[0] === cell[1]) right[cell[0]] = cell[2];
        else if (!worst || cell[2] > worst[2]) worst = cell;
      }
      if (worst) {
        const [truth, answer] = [data.labels[worst[0]], data.labels[worst[1]]];
        found.push(["The most common mistake: ", h("button", {type: "button", class: "link", onclick: () => this.showRows(truth, answer)}, `${plural(worst[2], "row")} of ${truth} answered ${answer}`), "."]);
        const recall = (/** @type {number} */ o) => (this.classSizes[o] ? right[o] / this.classSizes[o] : 1);
        for (let o = 1; o < right.length; ++o) if (recall(o) < recall(least)) least = o;
        found.push([`Hardest to find: ${data.labels[least]}, in ${percent(recall(least))} of its rows.`]);
      } else {
        found.push([`All ${number(data.rowsInData)} rows are answered right.`]);
      }
      const half = (data.calibrated || data.reliability).surest.find((/** @type {number[]} */ point) => point[0] >= data.rowsInData / 2);
      if (half) found.push([`It is right about ${percent(half[1] / half[0])} of the half of the rows of which it is surest.`]);
    }
    if (this.rules.length > 10) found.push([`The first ten rules cast ${percent(this.cast ? ten / this.cast : 0)} of the votes.`]);
    const long = this.rules.reduce((sum, rule) => sum + (this.predictor.clause(rule.clause).length > 20 ? rule.cast : 0), 0);
    if (long > 0) found.push([`Rules of more than 20 conditions, which few people read, cast ${percent(long / this.cast)} of the votes.`]);
    return h("div", {class: "panel"}, h("h2", {}, "At a glance"), h("ul", {class: "findings"}, found.map((sentence) => h("li", {}, sentence))),
      h("p", {class: "small soft"}, "Rules say what went together in the data; they are not causes. Features that go together can stand in for each other, so a feature that no rule names may still matter."));
  }

  facts() {
    const {data} = this, rows = [];
    if (data.learnedFrom) rows.push(["learned from", data.learnedFrom]);
    if (data.samples) rows.push(["samples, epochs", `${number(data.samples)}, ${number(data.epochs)}`]);
    rows.push(["threshold T", number(data.threshold)], ["specificity s", data.specificityTo > 0 ? `${data.specificity} to ${data.specificityTo}` : String(data.specificity)]);
    if (data.snapshots > 1) rows.push(["snapshots", number(data.snapshots)]);
    if (data.fuzzy) rows.push(["votes of a fuzzy clause", number(data.fuzzy)]);
    rows.push(["tested on", data.data]);
    for (const [name, value] of Object.entries(data.scores).slice(1)) rows.push([name.replace("_", " "), Number(value).toPrecision(4)]);
    if (data.samples) rows.push(["seed, falsum", `${data.seed}, ${data.version}`]);
    return h("div", {class: "panel"}, h("h2", {}, "How it was made"), h("dl", {class: "facts"}, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      h("p", {class: "small soft"}, "This page: ", h("code", {}, `falsum report ${data.model} ${data.data} -o report.html`)));
  }

  // ------------------------------------------------------------------------------------------------ quality

  quality() {
    const {data} = this;
    const section = h("section", {id: "quality"}, h("h2", {}, "How good"));
    if (!data.confusion) {
      section.append(data.task === "regression" ? scatterChart(data.rows, data.range) : h("p", {}, Object.entries(data.scores).map(([name, v]) => `${name.replace("_", " ")} ${percent(Number(v), 2)}`).join(", ")));
      return section;
    }
    const curves = [{...data.reliability, name: "by the law of learning", style: ""}];
    if (data.calibrated) curves.push({...data.calibrated, name: "calibrated", style: " second"});
    section.append(h("p", {class: "soft"}, "A row for each true class, a column for each answer. Choose a cell to see its rows."), h("div", {class: "panel"}, this.confusion()),
      h("div", {class: "two"}, reliabilityChart(curves, data.rowsInData), surenessChart((data.calibrated || data.reliability).surest, data.rowsInData)));
    return section;
  }

  confusion() {
    const {labels} = this.data, n = labels.length;
    if (n > 30) return h("p", {}, `${n} classes are too many for a table.`);
    const cells = new Map(this.data.confusion.map((/** @type {number[]} */ [t, a, rows]) => [t * n + a, rows]));
    const at = (/** @type {number} */ t, /** @type {number} */ a) => cells.get(t * n + a) || 0;
    const head = h("tr", {}, h("th", {class: "left", scope: "col"}, "true \\ answer"), labels.map((/** @type {string} */ l) => h("th", {scope: "col"}, l)), h("th", {scope: "col"}, "recall"));
    const body = labels.map((/** @type {string} */ label, /** @type {number} */ t) => h("tr", {}, h("th", {class: "left", scope: "row"}, label),
      labels.map((/** @type {string} */ answer, /** @type {number} */ a) => {
        const count = at(t, a);
        if (count === 0) return h("td", {class: "none"}, "·");
        const cell = h("button", {type: "button", "aria-label": `${number(count)} rows of ${label} answered ${answer}`, onclick: () => this.showRows(label, answer)}, number(count));
        const share = count / this.classSizes[t];
        cell.style.background = `color-mix(in srgb, var(${t === a ? "--accent" : "--against"}) ${Math.round(6 + 34 * Math.sqrt(share))}%, transparent)`;
        return h("td", {}, cell);
      }), h("td", {class: "sum"}, this.classSizes[t] ? percent(at(t, t) / this.classSizes[t]) : "–")));
    const foot = h("tr", {}, h("th", {class: "left", scope: "row"}, "precision"), labels.map((/** @type {any} */ _, /** @type {number} */ a) => {
      const all = labels.reduce((/** @type {number} */ sum, /** @type {any} */ __, /** @type {number} */ t) => sum + at(t, a), 0);
      return h("td", {class: "sum"}, all ? percent(at(a, a) / all) : "–");
    }), h("td", {}));
    return h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion"}, h("table", {class: "confusion"}, h("thead", {}, head), h("tbody", {}, body, foot)));
  }

  // -------------------------------------------------------------------------------------------------- rules

  /** The share of the rows that a rule is true of, about which it is right. */
  precision(/** @type {any} */ rule) {
    return this.data.task !== "regression" && rule.rows > 0 ? rule.right / rule.rows : NaN;
  }

  /** Its precision, divided by that of a rule that is true of every row. */
  lift(/** @type {any} */ rule) {
    const own = this.classSizes ? this.classSizes[rule.output] / this.data.rowsInData : NaN;
    return this.precision(rule) / (rule.votes < 0 ? 1 - own : own);
  }

  /** What a rule did on all rows, in words. */
  recordText(/** @type {any} */ rule) {
    const words = [`${percent(rule.cast / this.cast, 2)} of votes`, `true of ${percent(rule.rows / this.data.rowsInData)}`];
    const precision = this.precision(rule), lift = this.lift(rule);
    if (precision >= 0) words.push(`right about ${percent(precision)}`);
    if (Number.isFinite(lift)) words.push(`lift ${lift.toFixed(2)}`);
    return words.join(" · ");
  }

  /** `share`: of the longest bar. `record`: what it did on all rows is told. `ink`: the picture that is behind its own. */
  ruleElement(/** @type {any} */ rule, /** @type {number} */ votes, /** @type {number} */ share, /** @type {boolean} */ record, /** @type {ArrayLike<number> | null} */ ink = null) {
    const told = h("div", {class: "told"}, h("div", {}, h("span", {class: "votes " + (votes < 0 ? "against" : "for")}, signed(votes)), h("span", {class: "about"}, this.aboutText(rule.output, votes))),
      shareBar(share, votes < 0), record ? h("div", {class: "numbers"}, this.recordText(rule)) : null, this.conditionsElement(rule.clause));
    return h("div", {class: "rule"}, this.isImage ? this.clausePicture(rule.clause, ink) : null, told);
  }

  clausePicture(/** @type {number} */ clause, /** @type {ArrayLike<number> | null} */ ink) {
    const {imageWidth: width, imagePixels: pixels} = this.data, n = this.predictor.features;
    const weights = new Float64Array(pixels);
    for (const literal of this.predictor.clause(clause)) weights[(literal % n) % pixels] += literal < n ? 1 : -1;
    return heatMap(weights, width, Math.max(1, Math.round(84 / width)), `A rule as a picture: ${this.predictor.clause(clause).length} conditions`, ink);
  }

  classChooser(/** @type {string} */ name, all = true) {
    return h("select", {"aria-label": name}, all ? h("option", {value: -1}, "all") : null, this.data.labels.map((/** @type {string} */ label, /** @type {number} */ o) => h("option", {value: o}, label)));
  }

  rulesSection() {
    const list = h("div", {class: this.isImage ? "rules gallery" : "rules"}), count = h("p", {class: "soft", role: "status"}), chart = h("div", {});
    const chooser = /** @type {HTMLSelectElement} */ (this.classChooser("Class of the rules")), search = /** @type {HTMLInputElement} */ (h("input", {type: "search", placeholder: "words of a condition"}));
    const kind = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", {value: 0}, "for and against"), h("option", {value: 1}, "for"), h("option", {value: -1}, "against")));
    const order = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", {value: "cast"}, "votes cast"), this.classSizes ? [h("option", {value: "lift"}, "lift"), h("option", {value: "precision"}, "right most often")] : null));
    const more = h("button", {type: "button", class: "noprint"}, "Show more");
    const few = 24;
    let shown = few;
    const update = () => {
      const output = Number(chooser.value), words = search.value.toLowerCase().split(/\s+/).filter((w) => w), polarity = Number(kind.value);
      const found = this.rules.filter((rule) => (output < 0 || rule.output === output) && rule.votes * polarity >= 0 && (words.length === 0 || this.matches(rule, words)));
      const most = found.length ? Math.max(1, found[0].cast) : 1;
      const carried = this.carry(found, 0.9), cast = found.map((rule) => rule.cast);
      if (order.value !== "cast") {  // of rules that are true of a row in a hundred
        const key = (/** @type {any} */ rule) => (100 * rule.rows < this.data.rowsInData ? -1 : order.value === "lift" ? this.lift(rule) : this.precision(rule));
        const keys = new Map(found.map((rule) => [rule, key(rule)]));
        found.sort((a, b) => keys.get(b) - keys.get(a) || b.cast - a.cast);
      }
      list.replaceChildren(...found.slice(0, shown).map((rule) => this.ruleElement(rule, rule.votes * this.most(rule.clause), rule.cast / most, true)));
      more.hidden = found.length <= shown;
      count.textContent = `${plural(found.length, "rule")}; ${number(carried)} of them carry 90% of their votes.`;
      chart.replaceChildren(found.length > 10 ? carryChart(cast) : "");
    };
    for (const control of [chooser, search, kind, order]) control.addEventListener("input", () => { shown = few; update(); });
    more.addEventListener("click", () => { shown += 2 * few; update(); });
    update();
    const pictures = this.isImage ? h("p", {class: "soft small"}, "In a picture of a rule blue pixels must be on and orange ones off.") : null;
    return h("section", {id: "rules"}, h("h2", {}, "Rules"), h("div", {class: "controls"}, h("label", {}, "About", chooser), h("label", {}, "Votes", kind), h("label", {}, "Most first by", order), h("label", {}, "Search", search)), count, pictures, list, h("p", {}, more), chart);
  }

  matches(/** @type {any} */ {clause}, /** @type {string[]} */ words) {
    this.texts[clause] ??= this.conditions(clause).join(" AND ").toLowerCase();
    return words.every((word) => this.texts[clause].includes(word));
  }

  /** The most votes of a clause of weight 1. */
  most(/** @type {number} */ clause) {
    const {fuzzy, clamp} = this.data, length = this.predictor.clause(clause).length;
    return fuzzy === 0 ? 1 : clamp && length > 0 && length < fuzzy ? length : fuzzy;
  }

  // ------------------------------------------------------------------------------------------------ features

  features() {
    const section = h("section", {id: "features"}, h("h2", {}, "Features"));
    const {data} = this;
    if (data.patches) {
      section.append(h("p", {class: "soft"}, "Clauses look at patches of the image: their conditions are in the list of rules."));
    } else if (this.isImage) {
      section.append(h("p", {class: "soft"}, "For each class the votes of the rules that name a pixel: blue where ink speaks for the class, orange where ink speaks against it."), this.pixelMaps());
    } else {
      const chooser = /** @type {HTMLSelectElement} */ (this.classChooser("Class of the features", false)), body = h("div", {});
      const update = () => body.replaceChildren(data.columns ? h("p", {class: "soft small"}, "Votes for and against ", h("b", {}, data.labels[Number(chooser.value)])) : "", data.columns ? this.columnPlots(Number(chooser.value)) : this.topFeatures(Number(chooser.value)));
      chooser.addEventListener("input", update);
      update();
      section.append(h("p", {class: "soft"}, data.columns ? "Votes of the rules that name a column, where they allow each value: for the class above the line, against it below. Columns with most votes come first." : "Votes cast by the rules that name a feature: present or absent, for the class or against it."), h("div", {class: "controls"}, h("label", {}, "Class", chooser)), body);
    }
    return section;
  }

  pixelMaps() {
    const {data, predictor} = this, maps = data.labels.map(() => new Float64Array(data.imagePixels));
    for (const rule of this.rules) {
      for (const literal of predictor.clause(rule.clause)) {
        const sign = literal < predictor.features ? 1 : -1;
        maps[rule.output][(literal % predictor.features) % data.imagePixels] += sign * Math.sign(rule.votes) * rule.cast;
      }
    }
    const scale = Math.max(1, Math.round(140 / data.imageWidth));
    return h("div", {class: "pictures"}, maps.map((/** @type {Float64Array} */ map, /** @type {number} */ o) => h("figure", {}, heatMap(map, data.imageWidth, scale, `Votes by pixel for ${data.labels[o]}`), h("figcaption", {}, data.labels[o]))));
  }

  columnPlots(/** @type {number} */ output) {
    const {data, predictor} = this, n = predictor.features, most60 = 60;
    const mine = this.rules.filter((rule) => rule.output === output);
    const plots = data.columns.filter((/** @type {any} */ column) => column.values.length > 0).map((/** @type {any} */ column) => {
      const own = new Set(column.features);
      /** @type {number[][]} */
      const sums = column.values.map(() => [0, 0]);
      for (const rule of mine) {
        const literals = predictor.clause(rule.clause).filter((literal) => own.has(literal % n));
        if (literals.length === 0) continue;
        column.values.forEach((/** @type {any} */ value, /** @type {number} */ v) => {
          if (literals.every((literal) => value.on.includes(literal % n) === literal < n)) sums[v][rule.votes > 0 ? 0 : 1] += rule.cast;
        });
      }
      return {column, sums, all: sums.flat().reduce((a, b) => a + b, 0)};
    }).sort((/** @type {any} */ a, /** @type {any} */ b) => b.all - a.all);
    const most = Math.max(1, ...plots.flatMap((/** @type {any} */ p) => p.sums.flat()));
    return h("div", {class: "plots"}, plots.slice(0, most60).map((/** @type {any} */ plot) => {
      const width = 360, step = width / plot.sums.length;
      const svg = s("svg", {viewBox: `0 0 ${width} 110`, width: "100%", role: "img", "aria-label": `Votes by value of ${plot.column.name}`});
      plot.sums.forEach((/** @type {number[]} */ [up, down], /** @type {number} */ v) => {
        const text = s("title", {}, `${plot.column.values[v].text}: ${number(up)} for, ${number(down)} against`);
        svg.append(s("g", {}, text, s("rect", {class: "hit", x: v * step, width: step, y: 0, height: 110}), s("rect", {class: "step", x: v * step, width: Math.max(1, step - 2), y: 55 - (50 * up) / most, height: (50 * up) / most}), s("rect", {class: "step no", x: v * step, width: Math.max(1, step - 2), y: 55, height: (50 * down) / most})));
      });
      svg.append(s("line", {class: "grid", x1: 0, x2: width, y1: 55, y2: 55}));
      const values = plot.column.values, few = values.length <= 3;
      return h("figure", {class: "panel"}, h("h3", {}, plot.column.name), svg, h("figcaption", {class: "ends"}, (few ? values : [values[0], values[values.length - 1]]).map((/** @type {any} */ v) => h("span", {}, v.text))));
    }));
  }

  topFeatures(/** @type {number} */ output) {
    const n = this.predictor.features, sums = new Map();
    for (const rule of this.rules) {
      if (rule.output !== output) continue;
      for (const literal of this.predictor.clause(rule.clause)) sums.set(literal, (sums.get(literal) || 0) + Math.sign(rule.votes) * rule.cast);
    }
    const table = (/** @type {string} */ title, /** @type {number} */ sign) => {
      const top = [...sums].filter(([, sum]) => sum * sign > 0).sort((a, b) => sign * (b[1] - a[1])).slice(0, 20);
      const most = top.length ? Math.abs(top[0][1]) : 1;
      return h("div", {class: "panel"}, h("h3", {}, title), top.map(([literal, sum]) => h("div", {class: "named"},
        h("span", {}, (literal < n ? "" : "not ") + this.featureName(literal % n)), h("span", {class: sign > 0 ? "for" : "against"}, signed(sum)), shareBar(Math.abs(sum) / most, sign < 0))));
    };
    return h("div", {class: "two"}, table("For " + this.data.labels[output], 1), table("Against " + this.data.labels[output], -1));
  }
}
