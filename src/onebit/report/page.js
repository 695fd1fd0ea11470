const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const tip = document.getElementById("tip");
const choices = { hidden: new Set(), metric: root.dataset.metric, x: "log", y: "log" };
const figures = [...document.querySelectorAll("figure")];
const drawn = new Map();

/** Draws every panel, at a given width or as wide as its frame. */
function redraw(width = null) {
  hideTip();
  const widths = figures.map((figure) => width ?? Math.floor(figure.clientWidth));
  figures.forEach((figure, at) => {
    const panel = data[figure.dataset.kind][figure.dataset.panel];
    drawn.set(figure, drawPanel(figure, panel, viewOf(panel, data.arms, choices), Math.max(widths[at], 240)));
  });
}

/** The points nearest to a horizontal place: for each line at most one, none that is farther off than another's. */
function pointsAt(plot, place) {
  const near = plot.view.lines.flatMap((line) => {
    const points = drawable(line, plot.view);
    if (!points.length) return [];
    const away = (at) => Math.abs(plot.x(line.x[at]) - place);
    const at = points.reduce((best, next) => (away(next) < away(best) ? next : best));
    return [{ line, at, x: line.x[at], rate: line.mean[at], away: away(at) }];
  });
  const closest = near.reduce((best, next) => (next.away < best.away ? next : best), near[0]);
  return near.filter((point) => point.x === closest.x);
}

/** Shows the values at a place of a panel: the guide, the dots and the tip. */
function showValues(plot, place, height, most = 10) {
  const points = pointsAt(plot, place);
  if (!points.length) return hideTip();
  const distance = (point) => Math.abs(plot.y(point.rate) - height);
  const nearest = points.reduce((best, next) => (distance(next) < distance(best) ? next : best));
  const shown = [...points].sort((a, b) => distance(a) - distance(b)).slice(0, most);
  shown.sort((a, b) => b.rate - a.rate);
  clearGuides();
  const at = plot.x(nearest.x);
  plot.guide.append(svg("line", { x1: at, x2: at, y1: plot.box.top, y2: plot.box.bottom }));
  plot.guide.append(...shown.map((point) => dot(point.line, at, plot.y(point.rate), point === nearest ? 5 : 3.5)));
  fillTip(plot.view, nearest, shown);
}

function fillTip(view, nearest, shown) {
  const title = view.overRounds ? `${nearest.x.toLocaleString("en")} rounds` : `${view.label} = ${short(nearest.x)}`;
  const rows = shown.map((point) => {
    const { line, at } = point;
    const band = line.low ? `${percent(line.low[at]).slice(0, -2)} to ${percent(line.high[at])}` : "";
    const swatch = svg("svg", { class: `swatch ${line.arm.colour}`, width: 22, height: 10 });
    swatch.append(svg("line", { x1: 1, x2: 21, y1: 5, y2: 5, "stroke-dasharray": line.arm.dash }));
    const row = element("tr", point === nearest ? "nearest" : "");
    row.append(element("td", "", swatch, line.arm.name), element("td", "number", percent(point.rate)), element("td", "number soft", band));
    return row;
  });
  tip.replaceChildren(element("p", "", title), element("table", "", ...rows));
  tip.hidden = false;
}

function element(tag, name, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

/** Puts the tip beside the pointer, above a finger, and inside the window. */
function placeTip(left, top, touch) {
  const { width, height } = tip.getBoundingClientRect();
  const gap = touch ? 28 : 16;
  let x = touch ? left - width / 2 : left + gap;
  let y = touch ? top - height - gap : top + gap;
  if (!touch && x + width > innerWidth - 8) x = left - width - gap;
  if (!touch && y + height > innerHeight - 8) y = top - height - gap;
  if (touch && y < 8) y = top + gap;
  tip.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  tip.style.top = `${Math.max(8, y)}px`;
}

function clearGuides() {
  for (const plot of drawn.values()) plot.guide.replaceChildren();
}

function hideTip() {
  clearGuides();
  tip.hidden = true;
}

/** The pointer's place in the panel's own pixels. */
function onPointer(figure, event) {
  const plot = drawn.get(figure);
  const frame = plot.drawing.getBoundingClientRect();
  const zoom = plot.width / frame.width;
  const [place, height] = [(event.clientX - frame.left) * zoom, (event.clientY - frame.top) * zoom];
  const { box } = plot;
  const inside = place > box.left - 12 && place < box.right + 12 && height > 0 && height < box.bottom + 12;
  if (!inside) return hideTip();
  showValues(plot, place, height);
  placeTip(event.clientX, event.clientY, event.pointerType === "touch");
}

/** The arrow keys go from point to point. */
function onKey(figure, event) {
  const plot = drawn.get(figure);
  if (event.key === "Escape") return hideTip();
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  event.preventDefault();
  const stops = [...new Set(plot.view.lines.flatMap((line) => drawable(line, plot.view).map((at) => line.x[at])))];
  if (!stops.length) return;
  stops.sort((a, b) => a - b);
  const before = tip.hidden ? stops.length : stops.indexOf(plot.stop);
  const after = before + (event.key === "ArrowLeft" ? -1 : 1);
  plot.stop = stops[Math.max(0, Math.min(after, stops.length - 1))];
  showValues(plot, plot.x(plot.stop), plot.box.bottom);
  const frame = plot.drawing.getBoundingClientRect();
  placeTip(frame.left + (plot.x(plot.stop) * frame.width) / plot.width, frame.top + 20, false);
}

function toggleArm(button) {
  const shown = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(shown));
  choices.hidden[shown ? "delete" : "add"](Number(button.dataset.arm));
  redraw();
}

/** Sorts a table by a column: upwards, and downwards when pressed again. What is missing comes last. */
function sortBy(table, head) {
  const downwards = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", downwards ? "descending" : "ascending");
  const key = (row) => row.cells[head.cellIndex].dataset.sort;
  const number = head.classList.contains("number");
  const compare = (a, b) => (number ? Number(a) - Number(b) : a.localeCompare(b, "en", { numeric: true }));
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (!left || !right) return Number(!left) - Number(!right);
    return downwards ? compare(right, left) : compare(left, right);
  });
  table.tBodies[0].append(...rows);
}

for (const figure of figures) {
  for (const kind of ["pointermove", "pointerdown"]) figure.addEventListener(kind, (event) => onPointer(figure, event));
  figure.addEventListener("pointerleave", (event) => event.pointerType === "touch" || hideTip());
  figure.addEventListener("focusout", hideTip);
  figure.addEventListener("keydown", (event) => onKey(figure, event));
}
for (const button of document.querySelectorAll(".legend button")) {
  button.addEventListener("click", () => toggleArm(button));
}
for (const input of document.querySelectorAll(".switch input")) {
  input.addEventListener("change", () => {
    choices[input.name] = input.value;
    root.dataset.metric = choices.metric;
    redraw();
  });
}
for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    head.querySelector("button").addEventListener("click", () => sortBy(table, head));
  }
}
document.addEventListener("pointerdown", (event) => event.target.closest("figure") || hideTip());
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  redraw(340);
});
addEventListener("afterprint", () => redraw());
let seen = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== seen) redraw();
  seen = innerWidth;
});
redraw();
