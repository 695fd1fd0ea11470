/** A function from values to pixels, on a linear or a log axis. */
function makeScale([low, high], [start, end], log) {
  const bend = log ? Math.log : (value) => value;
  const [from, to] = [bend(low), bend(high)];
  return (value) => start + ((bend(value) - from) / (to - from)) * (end - start);
}

/** Round numbers between two others, about so many. */
function linearTicks(low, high, count) {
  const rough = (high - low) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * size >= rough) * size;
  const ticks = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) ticks.push(at * step);
  return ticks;
}

/** Round numbers for a log axis, as many as fit: some of each decade, else whole decades, else as on a linear axis. */
function logTicks(low, high, most) {
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  const decades = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  for (const parts of [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]]) {
    const ticks = decades.flatMap((decade) => parts.map((part) => part * 10 ** decade));
    const inside = ticks.filter((tick) => tick >= low && tick <= high);
    if (inside.length <= most) return inside.length > 2 ? inside : linearTicks(low, high, 4);
  }
  return thinned(decades.map((decade) => 10 ** decade).filter((tick) => tick >= low && tick <= high), most);
}

/** Every second, third, ... value, so that at most so many are left. */
function thinned(values, most) {
  const step = Math.ceil(values.length / most);
  return values.filter((_, at) => at % step === 0);
}

/** A number with so many digits, and no zeros behind. */
function short(value, digits = 4) {
  return String(Number(value.toPrecision(digits)));
}

/** 1000 as 1k, a million as 1M. */
function shortRounds(rounds) {
  for (const [size, letter] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (rounds >= size) return short(rounds / size) + letter;
  }
  return short(rounds);
}

/** A rate in percent, with more digits the smaller it is. */
function percent(rate) {
  if (rate === 0) return "0 %";
  const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(100 * rate)), 2), 6);
  return `${(100 * rate).toFixed(decimals)} %`;
}

/** Values that are no closer than the gap once scaled, from the lowest. */
function spaced(values, scale, gap) {
  const kept = [];
  for (const value of values) {
    if (!kept.length || scale(value) - scale(kept.at(-1)) >= gap) kept.push(value);
  }
  return kept;
}

/** Places moved as little as possible so that no two are closer than the gap; then up, if the last is too low. */
function apart(places, gap, lowest) {
  const order = places.map((_, at) => at).sort((a, b) => places[a] - places[b]);
  const blocks = [];
  order.forEach((at, rank) => {
    blocks.push({ total: places[at] - rank * gap, count: 1 });
    while (blocks.length > 1 && level(blocks.at(-2)) > level(blocks.at(-1))) {
      const last = blocks.pop();
      blocks.at(-1).total += last.total;
      blocks.at(-1).count += last.count;
    }
  });
  const levels = blocks.flatMap((block) => Array(block.count).fill(level(block)));
  const moved = [];
  order.forEach((at, rank) => {
    moved[at] = Math.min(levels[rank] + rank * gap, lowest - (order.length - 1 - rank) * gap);
  });
  return moved;
}

function level(block) {
  return block.total / block.count;
}
