/* Elements, numbers in words, and heat maps. Everything that comes from the data becomes text nodes: no HTML is made
   from it. */

/** An HTML element; properties that begin with "on" are listeners. */
function h(/** @type {string} */ tag, /** @type {any} */ props = {}, /** @type {any[]} */ ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG element. */
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

/** A bar of a share of the width, from 0 to 1. */
function shareBar(/** @type {number} */ share, /** @type {boolean} */ against) {
  const bar = h("div", {class: against ? "bar no" : "bar"});
  bar.style.width = `${Math.max(1, 100 * share)}%`;
  return bar;
}

/** Weights by pixel: blue above 0, orange below. `ink`: what of each pixel is drawn, from 0 to 1; shown in grey behind. */
function heatMap(/** @type {ArrayLike<number>} */ weights, /** @type {number} */ width, /** @type {number} */ scale, /** @type {string} */ label, /** @type {ArrayLike<number> | null} */ ink = null) {
  const height = Math.ceil(weights.length / width);
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", {class: "picture", width, height, role: "img", "aria-label": label}));
  canvas.style.width = `${width * scale}px`;
  let most = 0;
  for (let i = 0; i < weights.length; ++i) most = Math.max(most, Math.abs(weights[i]));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  for (let i = 0; i < weights.length; ++i) {
    const strength = most ? Math.sqrt(Math.abs(weights[i]) / most) : 0, grey = ink ? 0.45 * ink[i] * (1 - strength) : 0;
    const colour = weights[i] > 0 ? [46, 134, 214] : [214, 96, 32], all = strength + grey;
    for (let c = 0; c < 3; ++c) image.data[4 * i + c] = all ? (colour[c] * strength + 128 * grey) / all : 0;
    image.data[4 * i + 3] = Math.round(255 * Math.min(1, all));
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** An embedded part of the document: JSON text of base64 of raw deflate. */
async function inflate(/** @type {string} */ id) {
  const text = JSON.parse(/** @type {HTMLElement} */ (document.getElementById(id)).textContent || "");
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
