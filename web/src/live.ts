// SPDX-License-Identifier: Apache-2.0
// A live source: its newest frame is shown as soon as the one before is drawn; what comes meanwhile is counted.

import { api } from "./api";
import { h } from "./dom";
import type { State } from "./state";

const ends: Record<string, string> = { source: "the source ended", lost: "the source was lost for good" };

/** In the place of the timeline. `load` brings the pictures of the frame that the state has. */
export function live_bar(state: State, load: () => Promise<void>): HTMLElement {
  const status = h("output", { id: "live" });
  let playing = true;
  let skipped = 0;
  let drawn: () => void = () => undefined;
  state.on("maps", () => drawn());
  state.on("drawn", () => drawn());
  state.on("refused", ({ message }) => {
    if (message !== "") drawn();
  });
  const step = async () => {
    const now = await api.live(state.frame);
    const told = [`frame ${now.frame}`, `${now.dropped} dropped before the server`, `${skipped} not shown`];
    if (now.damaged > 0) told.push(`${now.damaged} damaged`);
    if (now.reconnects > 0) told.push(`lost and found again ${now.reconnects} times`);
    if (now.failure !== "") told.push(now.failure);
    else if (ends[now.end]) told.push(ends[now.end]);
    status.textContent = told.join(", ");
    if (now.frame <= state.frame) return now.failure === "" && ends[now.end] === undefined;
    skipped += now.frame - state.frame - 1;
    state.frame = now.frame;
    const shown = new Promise<void>((done) => {
      drawn = done;
    });
    await load();
    state.emit("frame", undefined);
    await shown;
    return true;
  };
  const run = async () => {
    while (playing) {
      try {
        if (!(await step())) playing = false;
      } catch {
        // The parts of the page tell of what is refused; a frame that is gone is followed by a newer one.
        await new Promise((done) => setTimeout(done, 500));
      }
    }
    button.textContent = "Go on";
  };
  const button = h(
    "button",
    {
      type: "button",
      id: "pause",
      click: () => {
        playing = !playing;
        button.textContent = playing ? "Pause" : "Go on";
        if (playing) void run();
      },
    },
    "Pause",
  );
  void run();
  return h("div", { class: "timeline tools", role: "group", "aria-label": "Live source" }, button, status);
}
