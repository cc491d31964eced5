// SPDX-License-Identifier: Apache-2.0
// A live source: its newest frame is shown as soon as the one before is drawn; what comes meanwhile is counted.

import { api } from "./api";
import { h } from "./dom";
import type { State } from "./state";
import { play_by_key } from "./timeline";

const ends: Record<string, string> = { source: "the source ended", lost: "the source was lost for good" };

/** In the place of the timeline. `load` brings the pictures of the frame that the state has. */
export function live_bar(state: State, load: () => Promise<void>): HTMLElement {
  const status = h("output", { id: "live" });
  let playing = true;
  let running = false;
  let last = -1; // the frame that was shown last
  let skipped = 0;
  let drawn: () => void = () => undefined;
  state.on("maps", () => drawn());
  state.on("drawn", () => drawn());
  state.on("refused", ({ message }) => {
    if (message !== "") drawn();
  });
  const step = async () => {
    const now = await api.live(last);
    if (!playing) return true;
    if (now.frame < last) location.reload(); // the server has begun anew
    const told = [`frame ${now.frame}`, `${now.dropped} dropped before the server`, `${skipped} not shown`];
    if (now.damaged > 0) told.push(`${now.damaged} damaged`);
    if (now.reconnects > 0) told.push(`lost and found again ${now.reconnects} times`);
    if (now.failure !== "") told.push(now.failure);
    else if (ends[now.end]) told.push(ends[now.end]);
    status.textContent = told.join(", ");
    if (now.frame <= last) return now.failure === "" && ends[now.end] === undefined;
    if (last >= 0) skipped += now.frame - last - 1;
    last = now.frame;
    const before = state.frame;
    state.frame = now.frame;
    const shown = new Promise<void>((done) => {
      drawn = done;
    });
    try {
      await load();
    } catch (error) {
      state.frame = before;
      throw error;
    }
    state.emit("frame", undefined);
    await shown;
    return true;
  };
  const toggle = () => {
    playing = !playing;
    button.textContent = playing ? "Pause" : "Go on";
    if (playing) void run();
    else status.textContent = `paused at frame ${state.frame}: settings are tried on it`;
  };
  const run = async () => {
    if (running) return;
    running = true;
    while (playing) {
      try {
        if (!(await step())) playing = false;
      } catch (error) {
        // A frame that is gone is followed by a newer one; a server that is gone is told.
        status.textContent = error instanceof Error ? error.message : String(error);
        await new Promise((done) => setTimeout(done, 500));
      }
    }
    running = false;
    button.textContent = "Go on";
  };
  const button = h("button", { type: "button", id: "pause", click: toggle }, "Pause");
  play_by_key(toggle);
  void run();
  return h("div", { class: "timeline tools", role: "group", "aria-label": "Live source" }, button, status);
}
