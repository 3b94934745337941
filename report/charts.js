/* The charts: SVG with axes, each a figure with a caption in words. */

/** A square with axes from 0 to 1; `x` and `y` place a point in it, `xText` and `yText` word what stands there. */
function axes(/** @type {string} */ label, /** @type {string} */ across, /** @type {string} */ up, xText = (/** @type {number} */ p) => percent(p, 0), yText = xText) {
  const width = 400, height = 310, left = 62, bottom = 44, top = 10, right = 16;
  const x = (/** @type {number} */ p) => left + p * (width - left - right), y = (/** @type {number} */ p) => top + (1 - p) * (height - bottom - top);
  const svg = s("svg", {viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label});
  for (const p of [0, 0.25, 0.5, 0.75, 1]) {
    svg.append(s("line", {class: "grid", x1: x(0), x2: x(1), y1: y(p), y2: y(p)}), s("text", {x: left - 8, y: y(p) + 4, "text-anchor": "end"}, yText(p)), s("text", {x: x(p), y: height - bottom + 17, "text-anchor": "middle"}, xText(p)));
  }
  svg.append(s("text", {class: "axis", x: x(0.5), y: height - 6, "text-anchor": "middle"}, across), s("text", {class: "axis", x: -y(0.5), y: 12, "text-anchor": "middle", transform: "rotate(-90)"}, up));
  return {svg, x, y};
}

function figure(/** @type {string} */ title, /** @type {Element} */ svg, /** @type {any[]} */ ...caption) {
  return h("figure", {class: "chart"}, h("h3", {}, title), svg, h("figcaption", {}, caption));
}

/** Curves of bins [rows, mean probability, right rows], a name and a style for each. */
function reliabilityChart(/** @type {{name: string, style: string, bins: number[][], error: number}[]} */ curves, /** @type {number} */ rows) {
  const {svg, x, y} = axes("Reliability: share of right answers by probability", "probability of the answer", "right answers");
  svg.append(s("line", {class: "grid ideal", x1: x(0), x2: x(1), y1: y(0), y2: y(1)}));
  for (const curve of curves) {
    svg.append(s("polyline", {class: "curve" + curve.style, points: curve.bins.map((b) => `${x(b[1])},${y(b[2] / b[0])}`).join(" ")}));
    for (const [count, mean, right] of curve.bins) {
      const dot = s("circle", {class: "dot" + curve.style, cx: x(mean), cy: y(right / count), r: 2.5 + 4 * Math.sqrt(count / rows)});
      dot.append(s("title", {}, `${plural(count, "row")} of probability ${percent(mean)}: ${percent(right / count)} right`));
      svg.append(dot);
    }
  }
  return figure("Can its probabilities be believed?", svg, "On the dashed line they can. Larger dots are more rows. ", curves.flatMap((curve, i) => [i ? "; " : "", h("span", {class: curve.style ? "against" : "for"}, `${curve.name}: off by ${percent(curve.error)} on average`)]), ".");
}

/** How many of the surest answers are right: points [rows answered, of these right, the least probability]. */
function surenessChart(/** @type {number[][]} */ surest, /** @type {number} */ rows) {
  const points = surest.map(([answered, right, sure]) => [answered / rows, right / answered, sure]);
  const least = Math.min(1, ...points.map((p) => p[1])), floor = least > 0.9 ? 0.9 : least > 0.75 ? 0.75 : least > 0.5 ? 0.5 : 0;
  const upText = (/** @type {number} */ p) => percent(floor + (1 - floor) * p, floor > 0.5 ? 1 : 0);
  const {svg, x, y} = axes("Right answers by the share of rows that is answered", "rows answered, the surest first", "right answers", undefined, upText);
  const place = (/** @type {number} */ share) => y((share - floor) / (1 - floor));
  svg.append(s("polyline", {class: "curve", points: points.map((p) => `${x(p[0])},${place(p[1])}`).join(" ")}));
  for (const [answered, right, sure] of points) {
    const dot = s("circle", {class: "dot", cx: x(answered), cy: place(right), r: 3.5});
    dot.append(s("title", {}, `the surest ${percent(answered)} of the rows, of a probability of ${percent(sure)} or more: ${percent(right, 2)} right`));
    svg.append(dot);
  }
  return figure("What if it answers only when it is sure?", svg, "From right to left it leaves out more of the rows of which it is least sure.");
}

/** Answers against true numbers. */
function scatterChart(/** @type {any[]} */ rows, /** @type {number[]} */ [least, most]) {
  const place = (/** @type {number} */ v) => (most > least ? Math.min(1, Math.max(0, (v - least) / (most - least))) : 0.5);
  const text = (/** @type {number} */ p) => String(Number((least + p * (most - least)).toPrecision(3)));
  const {svg, x, y} = axes("Answers against true numbers", "true number", "answer", text);
  svg.append(s("line", {class: "grid ideal", x1: x(0), y1: y(0), x2: x(1), y2: y(1)}));
  for (const row of rows) svg.append(s("circle", {class: "dot", cx: x(place(Number(row.truth))), cy: y(place(Number(row.answer))), r: 3, "fill-opacity": 0.55}));
  return figure("Answers beside the truth", svg, "The rows in this page; on the dashed line the answer is right.");
}

/** The share of the votes that the first rules cast: `cast` by rule, most first. */
function carryChart(/** @type {number[]} */ cast) {
  const all = cast.reduce((a, b) => a + b, 0), {svg, x, y} = axes("Share of the votes by share of the rules", "rules, those that cast most votes first", "votes");
  const points = [`${x(0)},${y(0)}`];
  let sum = 0;
  cast.forEach((votes, i) => {
    sum += votes;
    if ((i + 1) % Math.ceil(cast.length / 200) === 0 || i + 1 === cast.length) points.push(`${x((i + 1) / cast.length)},${y(all ? sum / all : 0)}`);
  });
  svg.append(s("polyline", {class: "curve", points: points.join(" ")}), s("line", {class: "grid ideal", x1: x(0), x2: x(1), y1: y(0.9), y2: y(0.9)}));
  return figure("How many rules say most of it?", svg, "The dashed line is 90% of the votes.");
}
