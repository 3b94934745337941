/* One row at a time: the rules that are true of it, an editor that changes it, and what would change its answer. */

class RowView extends ReportPage {
  rowsSection() {
    const {data} = this;
    this.filter = {truth: "", answer: "", wrong: false};
    this.chooser = /** @type {HTMLSelectElement} */ (h("select", {id: "row"}));
    this.strip = h("div", {class: "strip noprint", "aria-hidden": "true"});  // the same choice for the pointer
    this.status = h("p", {class: "soft small", role: "status"});
    this.wrong = /** @type {HTMLInputElement} */ (h("input", {type: "checkbox"}));
    this.wrong.addEventListener("input", () => { this.filter = {truth: "", answer: "", wrong: this.wrong.checked}; this.fillRows(); });
    this.chooser.addEventListener("input", () => this.choose(data.rows[Number(this.chooser.value)]));
    this.answer = h("div", {}); this.bars = h("div", {class: "bars"}); this.editor = h("div", {}); this.why = h("div", {});
    this.changes = h("div", {"aria-live": "polite"});
    this.fired = h("div", {class: this.isImage ? "rules gallery" : "rules"}); this.sum = h("div", {});
    const step = (/** @type {string} */ name, /** @type {number} */ by) => h("button", {type: "button", onclick: () => this.stepRow(by)}, name);
    const reset = h("button", {type: "button", onclick: () => this.choose(this.row)}, "Undo all changes");
    this.about = /** @type {HTMLSelectElement} */ (this.classChooser("Class of the true rules", false));
    this.about.addEventListener("input", () => this.showFired());
    const section = h("section", {id: "rows"}, h("h2", {}, "Rows and what if"),
      h("p", {class: "soft"}, "Choose a row to see the rules that are true of it: their votes add up to the votes of each class. Change it, and the votes follow."),
      h("div", {class: "controls"}, h("label", {}, "Row", this.chooser), h("div", {class: "pair"}, step("Previous", -1), step("Next", 1)), data.confusion || data.task === "multilabel" ? h("label", {class: "line"}, this.wrong, "wrong answers only") : null, reset), this.status, this.isImage ? this.strip : null,
      h("div", {class: "two"}, h("div", {class: "panel"}, this.editor), h("div", {class: "panel"}, this.answer, this.bars, this.changes)),
      h("h3", {}, "The rules that are true of it"), h("div", {class: "controls"}, h("label", {}, "About", this.about)), this.why, this.fired, this.sum);
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
    const {truth, answer, wrong} = this.filter, {rows} = this.data, thumbnails = 60;
    const found = rows.map((/** @type {any} */ row, /** @type {number} */ i) => ({row, i})).filter((/** @type {any} */ {row}) => (!truth || (row.truth === truth && row.answer === answer)) && (!wrong || !row.right));
    this.chooser.replaceChildren(...found.map((/** @type {any} */ {row, i}) => h("option", {value: i}, `row ${row.row}: ${row.answer}${row.right ? "" : `, but is ${row.truth}`}`)));
    if (this.isImage) this.strip.replaceChildren(...found.slice(0, thumbnails).map((/** @type {any} */ {row, i}) => this.thumbnail(row, i)));
    const where = truth ? ` of ${truth} answered ${answer}` : wrong ? " with wrong answers" : "";
    this.status.textContent = `${plural(found.length, "row")}${where} in this page, out of ${number(this.data.rowsInData)} in the data${this.data.task === "regression" ? "" : "; up to half of them are wrong answers"}.`;
    if (found.length) this.choose(found[0].row);
  }

  thumbnail(/** @type {any} */ row, /** @type {number} */ i) {
    const {imageWidth: width, imagePixels: pixels, levels} = this.data, height = Math.ceil(pixels / width);
    const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", {width, height}));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), image = context.createImageData(width, height);
    for (const k of row.features) image.data[4 * (k % pixels) + 3] += 255 / (levels ? levels.length : 1);
    for (let p = 0; p < pixels; ++p) image.data.fill(128, 4 * p, 4 * p + 3);
    context.putImageData(image, 0, 0);
    return h("button", {type: "button", tabindex: -1, class: row.right ? "" : "bad", "data-row": i, onclick: () => { this.chooser.value = String(i); this.choose(row); }}, canvas);
  }

  stepRow(/** @type {number} */ by) {
    const {options, selectedIndex} = this.chooser;
    if (options.length === 0) return;
    this.chooser.selectedIndex = (selectedIndex + by + options.length) % options.length;
    this.choose(this.data.rows[Number(this.chooser.value)]);
  }

  choose(/** @type {any} */ row) {
    this.row = row;
    this.predictor.set(row.features);
    this.makeEditor();
    this.about.value = String(this.winner());
    const shown = String(this.data.rows.indexOf(row));
    for (const child of this.strip.children) child.classList.toggle("on", /** @type {HTMLElement} */ (child).dataset.row === shown);
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
    const [least, most] = data.range, share = Math.min(1, Math.max(0, votes[0] / data.scale));
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
    const output = Number(this.about.value), shown = 12;
    const mine = this.predictor.trueRules().filter(({rule}) => rule.output === output).sort((a, b) => Math.abs(b.votes) - Math.abs(a.votes) || b.rule.cast - a.rule.cast);
    const most = mine.length ? Math.abs(mine[0].votes) : 1, rest = mine.slice(shown), ink = this.isImage ? this.ink() : null;
    this.fired.replaceChildren(...mine.slice(0, shown).map(({rule, votes}) => {
      const element = this.ruleElement(rule, votes, Math.abs(votes) / most, false, ink);
      element.dataset.fired = String(votes);
      return element;
    }));
    const sum = rest.reduce((all, {votes}) => all + votes, 0);
    this.sum.replaceChildren(rest.length ? h("p", {"data-fired": sum}, `${signed(sum)} by ${plural(rest.length, "other rule")}`) : "",
      h("p", {class: "total"}, `Sum: ${signed(this.predictor.votes[output])} votes for ${this.data.labels[output]}`));
    this.showWhy(output, mine);
  }

  /** Where the true rules look: pixels of the image, words of the text. */
  showWhy(/** @type {number} */ output, /** @type {{rule: any, votes: number}[]} */ mine) {
    const {data, predictor} = this, n = predictor.features, label = data.labels[output];
    if (this.isImage) {
      const weights = new Float64Array(data.imagePixels);
      for (const {rule, votes} of mine) for (const literal of predictor.clause(rule.clause)) weights[(literal % n) % data.imagePixels] += votes;
      const map = heatMap(weights, data.imageWidth, Math.max(1, Math.round(168 / data.imageWidth)), `Votes by pixel of the rules that are true of it, for ${label}`, this.ink());
      this.why.replaceChildren(h("figure", {class: "why"}, map, h("figcaption", {}, `Where these rules look: pixels that rules for ${label} name are blue, those of rules against it orange. Below, a rule has blue pixels that must be on and orange ones that must be off.`)));
    } else if (data.kind === "words") {
      const sums = new Map();
      for (const {rule, votes} of mine) for (const literal of predictor.clause(rule.clause)) if (literal < n) sums.set(literal, (sums.get(literal) || 0) + votes);
      const text = /** @type {HTMLTextAreaElement} */ (document.getElementById("text") || this.editor.querySelector("textarea")).value;
      this.why.replaceChildren(h("p", {class: "soft small"}, `Words that these rules name: blue for ${label}, orange against it.`), h("div", {class: "review", tabindex: 0, role: "region", "aria-label": "The text with its words marked"}, this.marked(text, sums)));
    }
  }

  /** A text whose words are marked by the votes of the features that they are. */
  marked(/** @type {string} */ text, /** @type {Map<number, number>} */ sums) {
    const {words, found} = wordsOf(text, this.vocabulary, this.data.phrases), votes = new Array(words.length).fill(0);
    for (const {feature, first, last} of found) for (let i = first; i <= last; ++i) votes[i] += sums.get(feature) || 0;
    /** @type {(string | HTMLElement)[]} */
    const parts = [];
    let at = 0;
    words.forEach(({word, start}, i) => {
      if (votes[i] === 0) return;
      const end = start + word.length;
      parts.push(text.slice(at, start), h("mark", {class: votes[i] > 0 ? "yes" : "no", title: `${signed(votes[i])} votes`}, text.slice(start, end)));
      at = end;
    });
    return [...parts, text.slice(at)];
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

  /** How much of each pixel is drawn, from 0 to 1. */
  ink() {
    const {imagePixels: pixels, levels: thresholds} = this.data, levels = thresholds ? thresholds.length : 1;
    return Float64Array.from({length: pixels}, (_, p) => {
      let on = 0;
      for (let l = 0; l < levels; ++l) on += this.predictor.isOn[l * pixels + p];
      return on / levels;
    });
  }

  imageEditor() {
    const {data, predictor} = this, width = data.imageWidth, pixels = data.imagePixels, height = Math.ceil(pixels / width), levels = data.levels ? data.levels.length : 1;
    const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", {class: "picture draw", width, height, tabindex: 0, role: "img", "aria-label": "The image: draw with the pointer, or move with the arrow keys and press space"}));
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const draw = () => {
      const colour = getComputedStyle(document.documentElement).getPropertyValue("--on").trim();
      context.clearRect(0, 0, width, height);
      context.fillStyle = colour;
      this.ink().forEach((on, p) => {
        context.globalAlpha = on;
        context.fillRect(p % width, Math.floor(p / width), 1, 1);
      });
      context.globalAlpha = 1;
      if (document.activeElement === canvas && at >= 0) { context.fillStyle = "#2e86d6"; context.globalAlpha = 0.6; context.fillRect(at % width, Math.floor(at / width), 1, 1); context.globalAlpha = 1; }
    };
    let painting = -1, last = -1, at = -1;
    const paint = (/** @type {number[]} */ some, /** @type {number} */ to) => {
      for (const pixel of some) {
        for (let l = 0; l < levels; ++l) if (predictor.isOn[l * pixels + pixel] !== to) predictor.flip(l * pixels + pixel);
      }
      draw();
      this.show();
    };
    // The pen is as thick as handwriting is: two pixels of a digit.
    const thick = width >= 16 ? 2 : 1;
    const stroke = (/** @type {number} */ from, /** @type {number} */ to) => {
      const found = new Set(), [x0, y0, x1, y1] = [from % width, Math.floor(from / width), to % width, Math.floor(to / width)];
      const steps = Math.max(1, Math.abs(x1 - x0), Math.abs(y1 - y0));
      for (let i = 0; i <= steps; ++i) {
        const x = Math.round(x0 + ((x1 - x0) * i) / steps), y = Math.round(y0 + ((y1 - y0) * i) / steps);
        for (let b = 0; b < thick * thick; ++b) {
          const [px, py] = [x + (b % thick), y + Math.floor(b / thick)];
          if (px < width && py * width + px < pixels) found.add(py * width + px);
        }
      }
      return [...found];
    };
    const pixelAt = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      const x = Math.floor(((event.clientX - box.left) / box.width) * width), y = Math.floor(((event.clientY - box.top) / box.height) * height);
      return x >= 0 && x < width && y >= 0 && y * width + x < pixels ? y * width + x : -1;
    };
    canvas.addEventListener("pointerdown", (event) => {
      const p = pixelAt(event);
      if (p < 0) return;
      canvas.setPointerCapture(event.pointerId);
      painting = 1 - predictor.isOn[p];
      paint(stroke(p, p), painting);
      last = p;
    });
    canvas.addEventListener("pointermove", (event) => {
      const p = pixelAt(event);
      if (painting < 0 || p < 0 || p === last) return;
      paint(stroke(last, p), painting);
      last = p;
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { painting = -1; });
    canvas.addEventListener("keydown", (event) => {
      const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width}[event.key];
      if (step !== undefined) { at = (((at < 0 ? Math.floor(pixels / 2) : at + step) % pixels) + pixels) % pixels; draw(); event.preventDefault(); }
      if (event.key === " " && at >= 0) { paint([at], 1 - predictor.isOn[at]); event.preventDefault(); }
    });
    canvas.addEventListener("blur", draw);
    const clear = h("button", {type: "button", onclick: () => { predictor.set([]); draw(); this.show(); }}, "Clear and draw your own");
    draw();
    return [h("p", {class: "small soft"}, "Draw: press on ink to erase, elsewhere to draw."), canvas, h("p", {class: "noprint"}, clear)];
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
        grid.append(h("label", {class: "line"}, box, this.data.patches ? `x${k}` : this.featureName(k)));
      }
      if (count < data.features) grid.append(h("p", {class: "small soft"}, `The first ${count} of ${number(data.features)} features.`));
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
    const add = (/** @type {number[]} */ features, /** @type {(k: number) => boolean} */ isWanted, /** @type {string} */ text) => {
      const flips = features.filter((k) => (predictor.isOn[k] === 1) !== isWanted(k));
      if (flips.length) steps.push({flips, text});
    };
    if (data.columns) {
      for (const column of data.columns) for (const value of column.values) add(column.features, (k) => value.on.includes(k), value.text);
    } else if (data.levels) {
      for (let p = 0; p < data.imagePixels; ++p) {
        const features = data.levels.map((/** @type {any} */ _, /** @type {number} */ l) => l * data.imagePixels + p), name = this.featureName(p).split(" > ")[0];
        for (let on = 0; on <= features.length; ++on) {
          const text = on === 0 ? `${name} <= ${data.levels[0]}` : on === features.length ? `${name} > ${data.levels[on - 1]}` : `${data.levels[on - 1]} < ${name} <= ${data.levels[on]}`;
          add(features, (k) => k < on * data.imagePixels, text);
        }
      }
    } else {
      const [on, off] = data.kind === "words" ? ["without ", "with "] : ["not ", ""];
      for (let k = 0; k < data.features; ++k) steps.push({flips: [k], text: (predictor.isOn[k] ? on : off) + this.featureName(k)});
    }
    return steps;
  }

  showChanges() {
    const {data, predictor} = this;
    if (data.task !== "classification" || data.patches) {
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

/** Marks the link of the section that is read. */
function followSections() {
  const links = Array.from(document.querySelectorAll("nav a"));
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links) link.setAttribute("aria-current", String(link.getAttribute("href") === "#" + entry.target.id));
    }
  }, {rootMargin: "-20% 0px -75% 0px"});
  for (const section of document.querySelectorAll("main section")) seen.observe(section);
}

async function start() {
  const data = JSON.parse(new TextDecoder().decode(await inflate("data")));
  const report = new RowView(data, new Numbers(await inflate("bytes")));
  document.title = `${data.model}: falsum report`;
  const main = /** @type {HTMLElement} */ (document.getElementById("main"));
  main.replaceChildren(report.summary(), report.quality(), report.rulesSection(), report.features(), report.rowsSection());
  followSections();
  Object.assign(window, {falsumReport: report}); // for scripts and tests
  document.documentElement.dataset.ready = String(Math.round(performance.now())); // ms since the page was opened
}
start();
