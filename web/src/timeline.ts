// SPDX-License-Identifier: Apache-2.0
// The frames of a sequence: slider, steps, play at a rate, loop.

import { checkbox, h } from "./dom";
import type { State } from "./state";

/** Where nothing else is focused, the space key plays and stops. */
export function play_by_key(toggle: () => void): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target !== document.body) return;
    event.preventDefault();
    toggle();
  });
}

/** Nothing for a single pair. `load` brings the pictures of the frame that the state has. */
export function timeline(state: State, load: () => Promise<void>): HTMLElement {
  const { first_frame, frames } = state.scene;
  const last = first_frame + frames - 1;
  const slider = h("input", {
    type: "range",
    min: first_frame,
    max: last,
    value: state.frame,
    "aria-label": "Frame",
    input: () => void go(Number(slider.value)),
  });
  const number = h("output", { id: "frame" });
  const rate = h("input", { type: "number", min: 1, max: 60, value: 10, "aria-label": "Frames per second" });
  const loop = checkbox("Loop", true, () => undefined);
  let playing = false;
  const go = async (frame: number) => {
    const wanted = Math.min(last, Math.max(first_frame, frame));
    state.frame = wanted;
    show();
    try {
      await load();
      // Older ones that come late are dropped.
      if (state.frame === wanted) state.emit("frame", undefined);
    } catch (error) {
      playing = false;
      state.emit("refused", { field: "", message: error instanceof Error ? error.message : String(error) });
    }
  };
  const play = h("button", { type: "button", click: () => toggle() });
  const show = () => {
    slider.value = String(state.frame);
    number.textContent = `frame ${state.frame} of ${first_frame} .. ${last}`;
    play.textContent = playing ? "Pause" : "Play";
  };
  /** The next frame comes when its time has come and the one before is shown: frames that are late delay, none is left out. */
  const run = async () => {
    while (playing) {
      const due = performance.now() + 1000 / Math.max(1, Number(rate.value));
      const at_end = state.frame === last;
      if (at_end && !loop.input.checked) break;
      const shown = new Promise<void>((done) => {
        one_shot = done;
      });
      await go(at_end ? first_frame : state.frame + 1);
      await shown;
      await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
    }
    playing = false;
    show();
  };
  let one_shot: () => void = () => undefined;
  state.on("maps", () => one_shot());
  state.on("drawn", () => one_shot());
  state.go = (frame) => void go(frame);
  state.on("refused", ({ message }) => {
    if (message !== "") one_shot();
  });
  const toggle = () => {
    playing = !playing;
    show();
    if (playing) void run();
  };
  const step = (by: number, label: string) =>
    h("button", { type: "button", "aria-label": label, click: () => void go(state.frame + by) }, by < 0 ? "<" : ">");
  if (frames > 1) play_by_key(toggle);
  show();
  const box = h("div", { class: "timeline tools", role: "group", "aria-label": "Timeline" });
  box.append(play, step(-1, "One frame back"), step(1, "One frame on"), slider, number, rate, loop.box);
  box.hidden = frames < 2;
  return box;
}
