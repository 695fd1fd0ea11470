/** An SVG element with these attributes and children. */
function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** What a panel shows under these choices: its lines, the limits of its axes and whether they are log axes. */
function viewOf(panel, arms, choices) {
  const lines = panel.lines
    .filter((line) => !choices.hidden.has(line.arm))
    .map((line) => {
      const [mean, low = null, high = null] = line[choices.metric];
      return { ...line, arm: arms[line.arm], at: line.arm, mean, low, high };
    });
  const overRounds = panel.log === undefined;
  const logX = overRounds ? choices.x === "log" : panel.log;
  const logY = choices.y === "log";
  const domain = overRounds ? roundsDomain(panel, logX) : valuesDomain(panel);
  const settled = overRounds && !logX ? domain[1] / 10 : domain[0];
  return { lines, logX, logY, overRounds, domain, range: errorRange(lines, settled, logY, overRounds ? 1.15 : 1.3), powers: panel.powers, label: panel.label };
}

/** From the tenth round on a log axis, from 0 on a linear one, to the last. */
function roundsDomain(panel, log) {
  const last = Math.max(...panel.lines.map((line) => line.x.at(-1)));
  return [log ? (last >= 1000 ? 10 : 1) : 0, Math.max(last, 2)];
}

function valuesDomain(panel) {
  const values = panel.lines.flatMap((line) => line.x);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low < high ? [low, high] : panel.log ? [low / 2, low * 2] : [low - 1, low + 1];
}

/** Limits around all means from where the lines have settled, and around the last band, with some room. */
function errorRange(lines, settled, log, room) {
  const seen = lines.flatMap((line) => {
    const means = line.mean.filter((_, at) => line.x[at] >= settled);
    return line.low ? [...means, line.low.at(-1), line.high.at(-1)] : means;
  });
  if (!log) return [0, Math.max(1e-6, ...seen) * 1.06];
  const positive = seen.filter((rate) => rate > 0);
  if (!positive.length) return [0.01, 1];
  return [Math.min(...positive) / room, Math.min(1.05, Math.max(...positive) * 1.15)];
}

/** Draws a panel; returns what the pointer needs to read it. */
function drawPanel(figure, panel, view, width) {
  const height = Math.round(Math.min(Math.max(width * 0.6, 230), 360));
  const names = endLabels(view, width, height);
  const box = { left: 52, right: width - names.room, top: 10, bottom: height - 40 };
  const x = makeScale(view.domain, [box.left + (view.overRounds ? 0 : 12), box.right - (view.overRounds ? 0 : 12)], view.logX);
  const y = makeScale(view.range, [box.bottom, box.top], view.logY);
  const clip = `clip-${figure.dataset.kind}-${figure.dataset.panel}`;
  const inside = svg("g", { "clip-path": `url(#${clip})` });
  for (const line of view.lines) inside.append(...lineMarks(line, view, x, y));
  const guide = svg("g", { class: "guide" });
  const frame = { x: box.left, y: box.top - 6, width: box.right - box.left, height: box.bottom - box.top + 7 };
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: 0, "aria-label": describe(panel, view) },
    svg("clipPath", { id: clip }, svg("rect", frame)),
    axes(panel, view, box, x, y),
    inside,
    ...chosenMarks(view, x, y),
    ...names.draw(box, y),
    guide,
  );
  const before = figure.querySelector("svg");
  if (before) before.replaceWith(drawing);
  else figure.append(drawing);
  return { view, x, y, box, guide, drawing, width };
}

function describe(panel, view) {
  const ends = view.lines.map((line) => `${line.arm.name} ${percent(line.mean.at(-1))}`);
  return `${panel.title}: error against ${panel.label}; ${view.overRounds ? `at the end ${ends.join(", ")}` : "a search"}`;
}

/** The grid, the ticks and what they say. */
function axes(panel, view, box, x, y) {
  const group = svg("g", { class: "axes" });
  const tall = Math.floor((box.bottom - box.top) / 34);
  for (const tick of view.logY ? logTicks(...view.range, tall) : linearTicks(...view.range, tall - 1)) {
    const at = y(tick);
    group.append(svg("line", { x1: box.left, x2: box.right, y1: at, y2: at }));
    group.append(svg("text", { x: box.left - 8, y: at + 4, "text-anchor": "end" }, `${short(100 * tick, 3)} %`));
  }
  for (const [tick, ...texts] of ticksAlong(view, box, x)) {
    const at = x(tick);
    group.append(svg("line", { x1: at, x2: at, y1: box.top, y2: box.bottom }));
    group.append(svg("text", { x: at, y: box.bottom + 17, "text-anchor": "middle" }, ...texts));
  }
  const middle = (box.left + box.right) / 2;
  group.append(svg("line", { class: "base", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
  group.append(svg("text", { class: "label", x: middle, y: box.bottom + 34, "text-anchor": "middle" }, panel.label));
  return group;
}

/** The ticks of the lower axis: values, and the texts below them. */
function ticksAlong(view, box, x) {
  const wide = Math.floor((box.right - box.left) / 46);
  if (view.overRounds) {
    const ticks = view.logX ? decadesOf(view.domain, wide) : linearTicks(...view.domain, Math.min(wide, 6));
    return ticks.map((tick) => [tick, shortRounds(tick)]);
  }
  const values = [...new Set(view.lines.flatMap((line) => line.x))].sort((a, b) => a - b);
  if (view.powers && view.logX) return spaced(values, x, 34).map((tick) => [tick, "2", raised(Math.log2(tick))]);
  if (values.every((value) => short(value).length < 6)) return spaced(values, x, 40).map((tick) => [tick, short(tick)]);
  const ticks = view.logX ? logTicks(...view.domain, wide) : linearTicks(...view.domain, Math.min(wide, 6));
  return ticks.map((tick) => [tick, short(tick)]);
}

function raised(exponent) {
  return svg("tspan", { class: "raised", dy: -5 }, String(exponent).replace("-", "−"));
}

function decadesOf([low, high], most) {
  const decades = [];
  for (let tick = low; tick <= high * 1.001; tick *= 10) decades.push(tick);
  return decades.length > 1 ? thinned(decades, most) : logTicks(low, high, most);
}

/** The points of a line that can be drawn: on a log axis it begins at the first mistake. */
function drawable(line, view) {
  return line.x.map((_, at) => at).filter((at) => line.x[at] >= view.domain[0] && (!view.logY || line.mean[at] > 0));
}

function lineMarks(line, view, x, y) {
  const points = drawable(line, view);
  if (!points.length) return [];
  const place = (at, rate) => `${x(line.x[at]).toFixed(1)},${y(rate).toFixed(1)}`;
  const mean = `M${points.map((at) => place(at, line.mean[at])).join("L")}`;
  const about = { "data-arm": line.at, class: `line ${line.arm.colour}` };
  const marks = [svg("path", { ...about, d: mean, "stroke-dasharray": line.arm.dash })];
  if (line.low) {
    const floor = view.logY ? view.range[0] / 2 : 0;
    const upper = points.map((at) => place(at, line.high[at]));
    const lower = points.map((at) => place(at, Math.max(line.low[at], floor))).reverse();
    const band = { "data-arm": line.at, class: `band ${line.arm.colour}`, d: `M${[...upper, ...lower].join("L")}Z` };
    marks.unshift(svg("path", band));
  }
  if (!view.overRounds) {
    for (const at of points) marks.push(dot(line, x(line.x[at]), y(line.mean[at]), 2.5));
  }
  return marks;
}

function dot(line, cx, cy, r) {
  return svg("circle", { class: `dot ${line.arm.colour}`, "data-arm": line.at, cx, cy, r });
}

/** A ring around the value that was chosen. */
function chosenMarks(view, x, y) {
  const chosen = view.lines.filter((line) => line.chosen !== undefined && (!view.logY || line.mean[line.chosen] > 0));
  return chosen.map((line) => {
    const at = { cx: x(line.x[line.chosen]), cy: y(line.mean[line.chosen]), r: 6.5 };
    return svg("circle", { class: `ring ${line.arm.colour}`, "data-arm": line.at, ...at });
  });
}

/** Names and last errors beside the ends of the lines, where there is room for them. */
function endLabels(view, width, height) {
  const texts = view.lines.map((line) => `${line.arm.name}  ${percent(line.mean.at(-1))}`);
  const room = 16 + 6.7 * Math.max(0, ...texts.map((text) => text.length));
  const tooMany = view.lines.length * 16 > height - 50;
  if (!view.overRounds || width < 480 || room > 0.36 * width || tooMany) return { room: 14, draw: () => [] };
  const draw = (box, y) => {
    const ends = view.lines.map((line) => y(Math.max(line.mean.at(-1), view.range[0])));
    const places = apart(ends, 16, box.bottom - 4);
    return view.lines.map((line, at) => {
      const place = { class: `end ${line.arm.colour}`, "data-arm": line.at, x: box.right + 10, y: places[at] + 4 };
      return svg("text", place, texts[at]);
    });
  };
  return { room, draw };
}
