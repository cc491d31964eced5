// SPDX-License-Identifier: Apache-2.0
// Below the views: the pixel under the pointer, the scale of colours, the histogram of disparities.

import { checkbox, digits, h, svg } from "./dom";
import type { State } from "./state";
import { depth_of, disparity_at, filled, index_in } from "./views";

/** What is known of the pixel under the pointer. */
export function readout(state: State): HTMLElement {
  const text = h("output", { class: "readout", "aria-live": "polite" }, "Point at a pixel to read it.");
  let place: { x: number; y: number } | undefined;
  const read = () => {
    const { maps } = state;
    const at = place;
    // Maps of a part of the pixels are followed by all of them.
    if (!at || !maps || maps.every > 1) return;
    const index = index_in(maps, at.x, at.y);
    const disparity = disparity_at(maps, index);
    const parts = [`x ${at.x}, y ${at.y}`, `disparity ${digits(disparity, 4)} px`];
    const { geometry } = state.scene;
    if (geometry) parts.push(`depth ${digits(depth_of(disparity, geometry), 3)} m`);
    const truth = state.truth?.[at.y * state.width + at.x];
    if (truth !== undefined)
      parts.push(`truth ${digits(truth, 3)} px, error ${digits(Math.abs(disparity - truth), 3)} px`);
    if (maps.confidence) parts.push(`confidence ${maps.confidence[index]}`);
    text.textContent = parts.join("   ");
  };
  state.on("pointer", (at) => {
    place = at;
    read();
  });
  state.on("maps", read);
  return text;
}

/** The scale with its numbers; fixed or by the candidates. */
export function legend(state: State): HTMLElement {
  const bar = h("canvas", { width: 256, height: 1, role: "img", class: "bar" });
  const context = bar.getContext("2d");
  state.scene.scale.forEach(([r, g, b], x) => {
    if (!context) return;
    context.fillStyle = `rgb(${r} ${g} ${b})`;
    context.fillRect(x, 0, 1, 1);
  });
  const end = (label: string, which: 0 | 1) =>
    h("input", {
      type: "number",
      step: "any",
      "aria-label": `${label} disparity of the colours, px`,
      change: (event) => {
        const range: [number, number] = [...state.colours];
        const value = Number((event.target as HTMLInputElement).value);
        range[which] = value;
        if (Number.isFinite(value) && range[0] < range[1]) state.range = range;
        show();
        state.emit("view", undefined);
      },
    });
  const low = end("Lowest", 0);
  const high = end("Highest", 1);
  const fixed = checkbox("fixed", false, (on) => {
    state.range = on ? state.colours : undefined;
    show();
    state.emit("view", undefined);
  });
  const show = () => {
    const [from, to] = state.colours;
    low.value = String(from);
    high.value = String(to);
    fixed.input.checked = state.range !== undefined;
    bar.setAttribute("aria-label", `Colours from ${from} to ${to} px`);
  };
  state.on("settings", show);
  show();
  return h("div", { class: "legend" }, low, bar, high, h("span", {}, "px"), fixed.box);
}

const bins = 64;

/** Shares of the disparities, over the range of the colours. */
export function histogram(state: State): HTMLElement {
  const drawing = svg("svg", { viewBox: `0 0 ${bins} 24`, preserveAspectRatio: "none", role: "img" });
  const bars = Array.from({ length: bins }, (_, x) => svg("rect", { x, width: 0.9, y: 24, height: 0 }));
  drawing.append(...bars);
  const draw = () => {
    const { maps } = state;
    if (!maps) return;
    const [low, high] = state.colours;
    const counts = new Float64Array(bins);
    const factor = bins / ((high - low) * 16);
    const step = Math.max(1, Math.floor(maps.disparity.length / 200_000));
    let valid = 0;
    let taken = 0;
    for (let i = 0; i < maps.disparity.length; i += step, taken++) {
      const value = maps.disparity[i];
      if (value === maps.invalid || maps.mask?.[i] === filled) continue;
      valid++;
      counts[Math.min(bins - 1, Math.max(0, Math.floor((value - low * 16) * factor)))]++;
    }
    const most = Math.max(1, ...counts);
    bars.forEach((bar, x) => {
      bar.setAttribute("y", String(24 - (24 * counts[x]) / most));
      bar.setAttribute("height", String((24 * counts[x]) / most));
    });
    const peak = low + ((counts.indexOf(most) + 0.5) * (high - low)) / bins;
    drawing.setAttribute(
      "aria-label",
      `Histogram of disparities: ${digits((100 * valid) / taken, 1)} % have one, most near ${digits(peak, 1)} px`,
    );
  };
  state.on("maps", draw);
  state.on("view", draw);
  return h("div", { class: "histogram" }, drawing);
}
