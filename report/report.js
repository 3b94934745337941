
/* The page. Everything that comes from the data becomes text nodes: no HTML is made from it. */

/** @typedef {any} Data */

function h(/** @type {string} */ tag, /** @type {any} */ props = {}, /** @type {any[]} */ ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function s(/** @type {string} */ tag, /** @type {any} */ props, /** @type {any[]} */ ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

const number = (/** @type {number} */ x) => x.toLocaleString("en-US");
const percent = (/** @type {number} */ x, digits = 1) => (100 * x).toFixed(digits) + "%";
const signed = (/** @type {number} */ x) => (x > 0 ? "+" : x < 0 ? "−" : "") + number(Math.abs(x));
const plural = (/** @type {number} */ n, /** @type {string} */ one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;

async function inflate(/** @type {string} */ id) {
  const text = JSON.parse(/** @type {HTMLElement} */ (document.getElementById(id)).textContent || "");
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class ReportPage {
  constructor(/** @type {Data} */ data, /** @type {Numbers} */ numbers) {
    this.data = data;
    this.predictor = new Predictor({features: data.features, outputs: data.labels.length, fuzzy: data.fuzzy, clamp: data.clamp, patches: data.patches || null}, numbers);
    for (const row of data.rows) row.features = numbers.ascending([]);
    this.rules = this.predictor.rules.slice().sort((a, b) => b.cast - a.cast);
    this.cast = this.rules.reduce((sum, rule) => sum + rule.cast, 0);
    this.isImage = data.imageWidth > 0 && !data.patches;
    this.vocabulary = new Map(data.kind === "words" ? data.names.map((/** @type {string} */ w, /** @type {number} */ i) => [w, i]) : []);
    this.classSizes = data.confusion ? data.labels.map((/** @type {any} */ _, /** @type {number} */ o) => data.confusion.slice(o * data.labels.length, (o + 1) * data.labels.length).reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0)) : null;
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
    const all = this.conditions(clause);
    const shown = all.slice(0, this.isImage ? 12 : 40);
    const parts = shown.flatMap((/** @type {string} */ text, /** @type {number} */ i) => (i === 0 ? [text] : [h("span", {class: "and"}, "AND"), text]));
    if (all.length > shown.length) parts.push(h("span", {class: "and"}, `and ${all.length - shown.length} more`));
    return h("div", {class: "conditions"}, parts);
  }

  aboutElement(/** @type {number} */ output, /** @type {number} */ votes) {
    return `${votes < 0 ? "not " : ""}${this.data.labels[output]}`;
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
    const [score, value] = Object.entries(data.scores)[0];
    const n = data.rowsInData, isShare = score === "accuracy";
    /** @type {HTMLElement[]} */
    const cards = [];
    const card = (/** @type {string} */ name, /** @type {any} */ shown, first = false) => cards.push(h("div", {class: first ? "card first" : "card"}, h("div", {class: "value"}, shown), h("div", {class: "name"}, name)));
    if (isShare) {
      const z = 1.96, p = Number(value), middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
      const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
      card(`accuracy; 95% interval ${percent(middle - half)} to ${percent(middle + half)}`, percent(p, 2), true);
    } else {
      card("root mean squared error", Number(value).toPrecision(5), true);
    }
    card("rows of " + data.data, number(n));
    card(data.task === "regression" ? "output" : "classes", data.task === "regression" ? "a number" : number(data.labels.length));
    card(`rules, from ${number(data.clauses)} clauses`, number(this.rules.length));
    card("rules carry 90% of the votes", number(this.carry(this.rules, 0.9)));
    card("features", number(data.features));
    card("threshold T, specificity s", `${number(data.threshold / data.voteUnit)}, ${data.specificity}`);
    const long = this.rules.reduce((sum, rule) => sum + (this.predictor.clause(rule.clause).length > 20 ? rule.cast : 0), 0);
    return h("section", {id: "summary"},
      h("h1", {}, data.model),
      h("p", {class: "soft"}, `A Tsetlin machine${data.learnedFrom ? ` learned from ${data.learnedFrom}` : ""}${data.samples ? `: ${plural(data.samples, "sample")}, ${plural(data.epochs, "epoch")}, seed ${data.seed}, falsum ${data.version}` : ""}. Its rules vote; the answer is the sum.`),
      h("div", {class: "cards"}, cards),
      h("p", {class: "notice"}, `${percent(this.cast ? long / this.cast : 0)} of the votes come from rules of more than 20 conditions, which few people read. Rules say what went together in the data; they are not causes. Features that go together can stand in for each other, so a feature that no rule names may still matter.`),
      h("p", {class: "small soft"}, "Made by ", h("code", {}, `falsum report ${data.model} ${data.data} -o report.html`), ". Other scores: " + Object.entries(data.scores).map(([name, v]) => `${name} ${Number(v).toPrecision(4)}`).join(", ") + "."));
  }

  // ------------------------------------------------------------------------------------------------ quality

  quality() {
    const {data} = this;
    const section = h("section", {id: "quality"}, h("h2", {}, "How good"));
    if (!data.confusion) {
      section.append(data.task === "regression" ? this.scatter() : h("p", {}, Object.entries(data.scores).map(([name, v]) => `${name} ${percent(Number(v), 2)}`).join(", ")));
      return section;
    }
    section.append(h("p", {class: "soft"}, "A row for each true class, a column for each answer. Choose a cell to see its rows."));
    section.append(h("div", {class: "two"}, h("div", {}, this.confusion()), h("div", {}, this.reliability())));
    return section;
  }

  confusion() {
    const {labels, confusion} = this.data, n = labels.length;
    if (n > 30) return h("p", {}, `${n} classes are too many for a table.`);
    const at = (/** @type {number} */ t, /** @type {number} */ a) => confusion[t * n + a];
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
      return h("td", {class: "sum"}, all ? percent(at(a, a) / all, n > 6 ? 0 : 1) : "–");
    }), h("td", {}));
    return h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Confusion"}, h("table", {class: "confusion"}, h("thead", {}, head), h("tbody", {}, body, foot)));
  }

  reliability() {
    const {data} = this, width = 360, height = 300, left = 40, bottom = 34;
    const x = (/** @type {number} */ p) => left + p * (width - left - 26), y = (/** @type {number} */ p) => 10 + (1 - p) * (height - bottom - 10);
    const svg = s("svg", {viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": "Reliability: share of right answers by probability"});
    svg.style.maxWidth = "28rem";
    for (const p of [0, 0.25, 0.5, 0.75, 1]) {
      svg.append(s("line", {class: "grid", x1: x(0), x2: x(1), y1: y(p), y2: y(p)}), s("text", {x: left - 6, y: y(p) + 4, "text-anchor": "end"}, percent(p, 0)), s("text", {x: x(p), y: height - bottom + 18, "text-anchor": "middle"}, percent(p, 0)));
    }
    svg.append(s("line", {class: "grid", x1: x(0), x2: x(1), y1: y(0), y2: y(1), "stroke-dasharray": "4 4"}));
    /** @type {HTMLElement[]} */
    const captions = [];
    [["reliability", "by the law of learning", ""], ["calibrated", "calibrated", " second"]].forEach(([key, name, style]) => {
      const curve = data[key];
      if (!curve) return;
      svg.append(s("polyline", {class: "curve" + style, points: curve.bins.map((/** @type {number[]} */ b) => `${x(b[1])},${y(b[2] / b[0])}`).join(" ")}));
      for (const [rows, mean, right] of curve.bins) svg.append(s("circle", {class: "dot" + style, cx: x(mean), cy: y(right / rows), r: 2.5 + 3 * Math.sqrt(rows / data.rowsInData)}, s("title", {}, `${number(rows)} rows of probability ${percent(mean)}: ${percent(right / rows)} right`)));
      captions.push(h("span", {class: style ? "against" : "for"}, `${name}: calibration error ${percent(curve.error)}`));
    });
    return h("figure", {}, svg, h("figcaption", {}, "Share of right answers (up) by the probability of the answer (right); ", captions.flatMap((c, i) => (i ? ["; ", c] : [c])), "."));
  }

  scatter() {
    const {data} = this, [least, most] = data.range, width = 420, height = 320;
    const place = (/** @type {number} */ v) => (most > least ? Math.min(1, Math.max(0, (v - least) / (most - least))) : 0.5);
    const svg = s("svg", {viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": "Answers against true numbers"});
    svg.style.maxWidth = "32rem";
    const x = (/** @type {number} */ v) => 40 + place(v) * (width - 60), y = (/** @type {number} */ v) => 10 + (1 - place(v)) * (height - 50);
    svg.append(s("line", {class: "grid", x1: x(least), y1: y(least), x2: x(most), y2: y(most)}));
    for (const v of [least, most]) svg.append(s("text", {x: x(v), y: height - 20, "text-anchor": "middle"}, v.toPrecision(4)), s("text", {x: 34, y: y(v) + 4, "text-anchor": "end"}, v.toPrecision(4)));
    for (const row of data.rows) svg.append(s("circle", {class: "dot", cx: x(Number(row.truth)), cy: y(Number(row.answer)), r: 3, "fill-opacity": 0.6}));
    return h("figure", {}, svg, h("figcaption", {}, "Answers (up) against true numbers (right), for the rows in this page."));
  }

  // -------------------------------------------------------------------------------------------------- rules

  ruleElement(/** @type {any} */ rule, /** @type {number} */ votes, /** @type {number} */ most, /** @type {boolean} */ record) {
    const bar = h("div", {class: votes < 0 ? "bar no" : "bar"});
    bar.style.width = `${Math.max(2, (100 * (record ? rule.cast : Math.abs(votes))) / most)}%`;
    const {data} = this, rows = data.rowsInData;
    const numbers = [];
    if (record) {
      numbers.push(`${percent(rule.cast / this.cast, 2)} of votes`, `true of ${percent(rule.rows / rows)}`);
      if (data.task !== "regression" && rule.rows > 0) {
        const precision = rule.right / rule.rows;
        numbers.push(`right about ${percent(precision)}`);
        const own = this.classSizes ? this.classSizes[rule.output] / rows : 0, base = votes < 0 ? 1 - own : own;
        if (this.classSizes && base > 0) numbers.push(`lift ${(precision / base).toFixed(2)}`);
      }
    }
    const told = h("div", {}, this.conditionsElement(rule.clause), numbers.length ? h("div", {class: "numbers"}, numbers.join(" · ")) : null);
    return h("div", {class: "rule"}, h("div", {}, h("div", {class: "votes " + (votes < 0 ? "against" : "for")}, signed(votes)), bar, h("div", {class: "small soft"}, this.aboutElement(rule.output, votes))), this.isImage ? h("div", {class: "pictured"}, this.clausePicture(rule.clause), told) : told);
  }

  clausePicture(/** @type {number} */ clause) {
    const {imageWidth: width, imagePixels: pixels} = this.data;
    const weights = new Float64Array(pixels);
    for (const literal of this.predictor.clause(clause)) weights[(literal % this.predictor.features) % pixels] += literal < this.predictor.features ? 1 : -1;
    return this.heatMap(weights, width, 3, `A clause as a picture: ${this.predictor.clause(clause).length} pixels`);
  }

  heatMap(/** @type {ArrayLike<number>} */ weights, /** @type {number} */ width, /** @type {number} */ scale, /** @type {string} */ label) {
    const height = Math.ceil(weights.length / width);
    const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", {class: "picture", width, height, role: "img", "aria-label": label}));
    canvas.style.width = `${width * scale}px`;
    let most = 0;
    for (let i = 0; i < weights.length; ++i) most = Math.max(most, Math.abs(weights[i]));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const image = context.createImageData(width, height);
    for (let i = 0; i < weights.length; ++i) {
      const colour = weights[i] > 0 ? [46, 134, 214] : [205, 92, 30];
      image.data.set([...colour, most ? Math.round(255 * Math.sqrt(Math.abs(weights[i]) / most)) : 0], 4 * i);
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  classChooser(/** @type {string} */ name, all = true) {
    return h("select", {"aria-label": name}, all ? h("option", {value: -1}, "all") : null, this.data.labels.map((/** @type {string} */ label, /** @type {number} */ o) => h("option", {value: o}, label)));
  }

  rulesSection() {
    const list = h("div", {}), count = h("p", {class: "soft", role: "status"});
    const chooser = /** @type {HTMLSelectElement} */ (this.classChooser("Class of the rules")), search = /** @type {HTMLInputElement} */ (h("input", {type: "search", placeholder: "words of a condition"}));
    const kind = /** @type {HTMLSelectElement} */ (h("select", {}, h("option", {value: 0}, "for and against"), h("option", {value: 1}, "for"), h("option", {value: -1}, "against")));
    const more = h("button", {type: "button", class: "noprint"}, "Show more");
    let shown = 25;
    const update = () => {
      const output = Number(chooser.value), words = search.value.toLowerCase().split(/\s+/).filter((w) => w), polarity = Number(kind.value);
      const found = this.rules.filter((rule) => (output < 0 || rule.output === output) && rule.votes * polarity >= 0 && (words.length === 0 || this.matches(rule, words)));
      const most = found.length ? Math.max(1, found[0].cast) : 1;
      list.replaceChildren(...found.slice(0, shown).map((rule) => this.ruleElement(rule, rule.votes * this.most(rule.clause), most, true)));
      more.hidden = found.length <= shown;
      count.textContent = `${plural(found.length, "rule")}; ${number(this.carry(found, 0.9))} of them carry 90% of their votes. Those that cast most votes on the rows come first.`;
    };
    for (const control of [chooser, search, kind]) control.addEventListener("input", () => { shown = 25; update(); });
    more.addEventListener("click", () => { shown += 50; update(); });
    update();
    return h("section", {id: "rules"}, h("h2", {}, "Rules"), h("div", {class: "controls"}, h("label", {}, "About", chooser), h("label", {}, "Votes", kind), h("label", {}, "Search", search)), count, list, h("p", {}, more));
  }

  matches(/** @type {any} */ rule, /** @type {string[]} */ words) {
    const text = this.conditions(rule.clause).join(" AND ").toLowerCase();
    return words.every((word) => text.includes(word));
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
      const update = () => body.replaceChildren(data.columns ? this.columnPlots(Number(chooser.value)) : this.topFeatures(Number(chooser.value)));
      chooser.addEventListener("input", update);
      update();
      section.append(h("p", {class: "soft"}, data.columns ? "Votes of the rules that name a column, where they allow each value: for the class above the line, against it below." : "Votes cast by the rules that name a feature: present or absent, for the class or against it."), h("div", {class: "controls"}, h("label", {}, "Class", chooser)), body);
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
    return h("div", {class: "pictures"}, maps.map((/** @type {Float64Array} */ map, /** @type {number} */ o) => h("figure", {}, this.heatMap(map, data.imageWidth, 4, `Votes by pixel for ${data.labels[o]}`), h("figcaption", {}, data.labels[o]))));
  }

  columnPlots(/** @type {number} */ output) {
    const {data, predictor} = this, n = predictor.features;
    const mine = this.rules.filter((rule) => rule.output === output);
    const plots = data.columns.map((/** @type {any} */ column) => {
      const own = new Set(column.features);
      const sums = column.values.map(() => [0, 0]);
      for (const rule of mine) {
        const literals = predictor.clause(rule.clause).filter((literal) => own.has(literal % n));
        if (literals.length === 0) continue;
        column.values.forEach((/** @type {any} */ value, /** @type {number} */ v) => {
          if (literals.every((literal) => value.on.includes(literal % n) === literal < n)) sums[v][rule.votes > 0 ? 0 : 1] += rule.cast;
        });
      }
      return {column, sums};
    }).filter((/** @type {any} */ plot) => plot.column.values.length > 0);
    const most = Math.max(1, ...plots.flatMap((/** @type {any} */ p) => p.sums.flat()));
    return h("div", {class: "two"}, plots.slice(0, 60).map((/** @type {any} */ plot) => {
      const width = 360, step = width / plot.sums.length;
      const svg = s("svg", {viewBox: `0 0 ${width} 110`, width: "100%", role: "img", "aria-label": `Votes by value of ${plot.column.name}`});
      plot.sums.forEach((/** @type {number[]} */ [up, down], /** @type {number} */ v) => {
        const text = s("title", {}, `${plot.column.values[v].text}: ${number(up)} for, ${number(down)} against`);
        svg.append(s("g", {}, text, s("rect", {class: "step", x: v * step, width: Math.max(1, step - 2), y: 55 - (50 * up) / most, height: (50 * up) / most}), s("rect", {class: "step no", x: v * step, width: Math.max(1, step - 2), y: 55, height: (50 * down) / most})));
      });
      svg.append(s("line", {class: "grid", x1: 0, x2: width, y1: 55, y2: 55}));
      const values = plot.column.values;
      return h("figure", {}, h("h3", {}, plot.column.name), svg, h("figcaption", {}, values.length > 2 && values.length < 40 ? `${values[0].text}  …  ${values[values.length - 1].text}` : values.map((/** @type {any} */ v) => v.text).join(" · ")));
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
      return h("div", {}, h("h3", {}, title), top.map(([literal, sum]) => {
        const bar = h("div", {class: sign > 0 ? "bar" : "bar no"});
        bar.style.width = `${(100 * Math.abs(sum)) / most}%`;
        return h("div", {class: "rule short"}, h("div", {class: sign > 0 ? "for" : "against"}, signed(sum)), h("div", {}, (literal < n ? "" : "not ") + this.featureName(literal % n), bar));
      }));
    };
    return h("div", {class: "two"}, table("For " + this.data.labels[output], 1), table("Against " + this.data.labels[output], -1));
  }
}

// ------------------------------------------------------------------------------------------- rows and what if

class RowView extends ReportPage {
  rowsSection() {
    const {data} = this;
    this.filter = {truth: "", answer: "", wrong: false};
    this.chooser = /** @type {HTMLSelectElement} */ (h("select", {id: "row"}));
    this.status = h("p", {class: "soft small", role: "status"});
    this.wrong = /** @type {HTMLInputElement} */ (h("input", {type: "checkbox"}));
    this.wrong.addEventListener("input", () => { this.filter = {truth: "", answer: "", wrong: this.wrong.checked}; this.fillRows(); });
    this.chooser.addEventListener("input", () => this.choose(data.rows[Number(this.chooser.value)]));
    this.answer = h("div", {}); this.bars = h("div", {class: "bars"}); this.fired = h("div", {}); this.editor = h("div", {}); this.changes = h("div", {"aria-live": "polite"});
    const reset = h("button", {type: "button", onclick: () => this.choose(this.row)}, "Undo all changes");
    this.about = /** @type {HTMLSelectElement} */ (this.classChooser("Class of the true rules", false));
    this.about.addEventListener("input", () => this.showFired());
    const section = h("section", {id: "rows"}, h("h2", {}, "Rows and what if"),
      h("p", {class: "soft"}, "Choose a row to see the rules that are true of it: their votes add up to the votes of each class. Change it, and the votes follow."),
      h("div", {class: "controls"}, h("label", {}, "Row", this.chooser), data.confusion || data.task === "multilabel" ? h("label", {class: "line"}, this.wrong, "wrong answers only") : null, reset), this.status,
      h("div", {class: "two"}, h("div", {}, this.editor), h("div", {}, this.answer, this.bars, this.changes)),
      h("h3", {}, "The rules that are true of it"), h("div", {class: "controls"}, h("label", {}, "About", this.about)), this.fired);
    this.fillRows();
    return section;
  }

  showRows(/** @type {string} */ truth, /** @type {string} */ answer) {
    this.filter = {truth, answer, wrong: false};
    this.wrong.checked = false;
    this.fillRows();
    /** @type {HTMLElement} */ (document.getElementById("rows")).scrollIntoView();
    this.chooser.focus({preventScroll: true});
  }

  fillRows() {
    const {truth, answer, wrong} = this.filter, {rows} = this.data;
    const found = rows.map((/** @type {any} */ row, /** @type {number} */ i) => ({row, i})).filter((/** @type {any} */ {row}) => (!truth || (row.truth === truth && row.answer === answer)) && (!wrong || !row.right));
    this.chooser.replaceChildren(...found.map((/** @type {any} */ {row, i}) => h("option", {value: i}, `row ${row.row}: ${row.answer}${row.right ? "" : `, but is ${row.truth}`}`)));
    const where = truth ? ` of ${truth} answered ${answer}` : wrong ? " with wrong answers" : "";
    this.status.textContent = `${plural(found.length, "row")}${where} in this page, out of ${number(this.data.rowsInData)} in the data; up to half of them are wrong answers.`;
    if (found.length) this.choose(found[0].row);
  }

  choose(/** @type {any} */ row) {
    this.row = row;
    this.predictor.set(row.features);
    this.makeEditor();
    this.about.value = String(this.winner());
    this.show();
  }

  winner() {
    const {votes} = this.predictor;
    return votes.indexOf(Math.max(...votes));
  }

  answerText() {
    const {data} = this, {votes} = this.predictor;
    if (data.task === "classification") return data.labels[this.winner()];
    if (data.task === "multilabel") return data.labels.filter((/** @type {any} */ _, /** @type {number} */ o) => votes[o] > 0).join(";") || "(none)";
    const [least, most] = data.range, share = Math.min(1, Math.max(0, votes[0] / data.threshold));
    return (least + share * (most - least)).toPrecision(6);
  }

  show() {
    const {data} = this, {votes} = this.predictor, most = Math.max(1, ...votes.map(Math.abs)), winner = data.task === "classification" ? this.winner() : -1;
    const changed = this.isChanged();
    this.answer.replaceChildren(h("div", {class: "answer"}, this.answerText()), h("div", {class: this.row.right || changed ? "soft" : "wrong"}, changed ? `changed; row ${this.row.row} was answered ${this.row.answer}` : `row ${this.row.row}; the label is ${this.row.truth}`));
    this.bars.replaceChildren(...data.labels.flatMap((/** @type {string} */ label, /** @type {number} */ o) => {
      const bar = h("i", {class: votes[o] < 0 ? "no" : ""}), size = (50 * Math.abs(votes[o])) / most;
      bar.style.width = `${size}%`;
      bar.style.left = votes[o] < 0 ? `${50 - size}%` : "50%";
      return [h("div", {class: o === winner ? "label winner" : "label", title: label}, label), h("div", {class: "axis"}, bar), h("div", {class: "votes", "data-output": o, "data-votes": votes[o]}, signed(votes[o]))];
    }));
    this.showFired();
    this.showChanges();
  }

  isChanged() {
    const {isOn} = this.predictor;
    let on = 0;
    for (const bit of isOn) on += bit;
    return on !== this.row.features.length || this.row.features.some((/** @type {number} */ k) => !isOn[k]);
  }

  showFired() {
    const output = Number(this.about.value), shown = 15;
    const mine = this.predictor.trueRules().filter(({rule}) => rule.output === output).sort((a, b) => Math.abs(b.votes) - Math.abs(a.votes));
    const most = mine.length ? Math.abs(mine[0].votes) : 1, rest = mine.slice(shown);
    this.fired.replaceChildren(...mine.slice(0, shown).map(({rule, votes}) => {
      const element = this.ruleElement(rule, votes, most, false);
      element.dataset.fired = String(votes);
      return element;
    }));
    if (rest.length) {
      const sum = rest.reduce((a, {votes}) => a + votes, 0);
      this.fired.append(h("p", {"data-fired": sum}, `${signed(sum)} by ${plural(rest.length, "other rule")}`));
    }
    this.fired.append(h("p", {class: "soft"}, `Sum: ${signed(this.predictor.votes[output])} votes.`));
  }

  // ----------------------------------------------------------------------------------------------- editing

  makeEditor() {
    const {data} = this;
    if (data.kind === "words") this.editor.replaceChildren(...this.textEditor());
    else if (data.imageWidth > 0) this.editor.replaceChildren(...this.imageEditor());
    else this.editor.replaceChildren(this.valueEditor());
  }

  textEditor() {
    const {data} = this;
    const area = /** @type {HTMLTextAreaElement} */ (h("textarea", {id: "text"}));
    area.value = this.row.text !== undefined ? this.row.text : this.row.features.map((/** @type {number} */ k) => data.names[k]).join(" ");
    area.addEventListener("input", () => {
      this.predictor.set(wordFeatures(area.value, this.vocabulary, data.phrases));
      this.show();
    });
    return [h("label", {for: "text"}, "The text: type another"), area];
  }

  imageEditor() {
    const {data, predictor} = this, width = data.imageWidth, pixels = data.imagePixels, height = Math.ceil(pixels / width), levels = data.levels ? data.levels.length : 1;
    const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", {class: "picture draw", width, height, tabindex: 0, role: "img", "aria-label": "The image: draw with the pointer, or move with the arrow keys and press space"}));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const draw = () => {
      const ink = getComputedStyle(document.documentElement).getPropertyValue("--on").trim();
      context.clearRect(0, 0, width, height);
      for (let p = 0; p < pixels; ++p) {
        let on = 0;
        for (let l = 0; l < levels; ++l) on += predictor.isOn[l * pixels + p];
        context.globalAlpha = on / levels;
        context.fillStyle = ink;
        context.fillRect(p % width, Math.floor(p / width), 1, 1);
      }
      context.globalAlpha = 1;
      if (document.activeElement === canvas && at >= 0) { context.fillStyle = "#2e86d6"; context.globalAlpha = 0.6; context.fillRect(at % width, Math.floor(at / width), 1, 1); context.globalAlpha = 1; }
    };
    let painting = -1, at = -1;
    const paint = (/** @type {number} */ pixel, /** @type {number} */ to) => {
      for (let l = 0; l < levels; ++l) if (predictor.isOn[l * pixels + pixel] !== to) predictor.flip(l * pixels + pixel);
      draw();
      this.show();
    };
    const pixelAt = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      const x = Math.floor(((event.clientX - box.left) / box.width) * width), y = Math.floor(((event.clientY - box.top) / box.height) * height);
      return x >= 0 && x < width && y >= 0 && y * width + x < pixels ? y * width + x : -1;
    };
    canvas.addEventListener("pointerdown", (event) => { const p = pixelAt(event); if (p < 0) return; canvas.setPointerCapture(event.pointerId); painting = 1 - predictor.isOn[p]; paint(p, painting); });
    canvas.addEventListener("pointermove", (event) => { const p = pixelAt(event); if (painting >= 0 && p >= 0 && predictor.isOn[p] !== painting) paint(p, painting); });
    canvas.addEventListener("pointerup", () => { painting = -1; });
    canvas.addEventListener("keydown", (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width}[event.key];
      if (step !== undefined) { at = (((at < 0 ? Math.floor(pixels / 2) : at + step) % pixels) + pixels) % pixels; draw(); event.preventDefault(); }
      if (event.key === " " && at >= 0) { paint(at, 1 - predictor.isOn[at]); event.preventDefault(); }
    });
    const clear = h("button", {type: "button", onclick: () => { predictor.set([]); draw(); this.show(); }}, "Clear");
    draw();
    return [h("p", {class: "small soft"}, "Draw: press on ink to erase, elsewhere to draw."), canvas, h("p", {}, clear)];
  }

  valueEditor() {
    const {data, predictor} = this;
    const grid = h("div", {class: "edits"});
    if (!data.columns) {
      const count = Math.min(data.features, 400);
      for (let k = 0; k < count; ++k) {
        const box = /** @type {HTMLInputElement} */ (h("input", {type: "checkbox", "data-feature": k}));
        box.checked = predictor.isOn[k] === 1;
        box.addEventListener("input", () => { predictor.flip(k); this.show(); });
        grid.append(h("label", {}, this.data.patches ? `x${k}` : this.featureName(k), box));
      }
      return grid;
    }
    data.columns.forEach((/** @type {any} */ column, /** @type {number} */ c) => {
      if (column.values.length === 0) return;
      const now = column.features.filter((/** @type {number} */ k) => predictor.isOn[k]).join();
      const select = /** @type {HTMLSelectElement} */ (h("select", {"data-column": c}, column.values.map((/** @type {any} */ value, /** @type {number} */ v) => h("option", {value: v, selected: value.on.join() === now}, value.text))));
      if (!column.values.some((/** @type {any} */ value) => value.on.join() === now)) select.prepend(h("option", {value: -1, selected: true}, "missing, or a new value"));
      select.addEventListener("input", () => {
        const value = column.values[Number(select.value)], on = new Set(value ? value.on : this.row.features);
        for (const k of column.features) if ((predictor.isOn[k] === 1) !== on.has(k)) predictor.flip(k);
        this.show();
      });
      grid.append(h("label", {}, column.name, select));
    });
    return grid;
  }

  // --------------------------------------------------------------------------------- the smallest change

  /** Every single change: the features it flips, and its name. */
  steps() {
    const {data, predictor} = this, steps = [];
    if (data.columns) {
      for (const column of data.columns) {
        for (const value of column.values) {
          const on = new Set(value.on), flips = column.features.filter((/** @type {number} */ k) => (predictor.isOn[k] === 1) !== on.has(k));
          if (flips.length) steps.push({flips, text: value.text});
        }
      }
    } else if (!data.levels) {
      for (let k = 0; k < data.features; ++k) steps.push({flips: [k], text: (predictor.isOn[k] ? "not " : "") + this.featureName(k)});
    }
    return steps;
  }

  showChanges() {
    const {data, predictor} = this;
    if (data.task !== "classification" || data.patches || data.levels) {
      this.changes.replaceChildren();
      return;
    }
    const winner = this.winner(), found = [];
    for (const step of this.steps()) {
      for (const k of step.flips) predictor.flip(k);
      const other = this.winner();
      if (other !== winner) found.push({text: step.text, other, size: step.flips.length, lead: predictor.votes[other] - predictor.votes[winner]});
      for (const k of step.flips) predictor.flip(k);
    }
    found.sort((a, b) => a.size - b.size || b.lead - a.lead);
    this.changes.replaceChildren(h("h3", {}, "One change that would give another answer"),
      found.length === 0 ? h("p", {class: "soft"}, "There is none: every answer needs two changes or more to turn.") : h("ul", {}, found.slice(0, 6).map((one) => h("li", {}, `${one.text}: then ${data.labels[one.other]}`))),
      found.length > 6 ? h("p", {class: "soft small"}, `and ${plural(found.length - 6, "other")}`) : "");
  }
}

async function start() {
  const begun = performance.now();
  const data = JSON.parse(new TextDecoder().decode(await inflate("data")));
  const report = new RowView(data, new Numbers(await inflate("bytes")));
  document.title = `${data.model}: falsum report`;
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  main.replaceChildren(report.summary(), report.quality(), report.rulesSection(), report.features(), report.rowsSection());
  Object.assign(window, {falsumReport: report}); // for scripts and tests
  document.documentElement.dataset.ready = String(Math.round(performance.now() - begun));
}
start();
