// SPDX-License-Identifier: Apache-2.0
// What can be copied and saved: the command line of the same result, the settings file, the view as a picture.

import { api, Refusal } from "./api";
import { h } from "./dom";
import { type Adjustable, asked } from "./emitter";
import type { State } from "./state";

/** "map.png", "map-2.png", ...: files below the root are not replaced. */
function numbered(name: string, number: number): string {
  return number === 1 ? name : name.replace(/(\.[^.]*)$/, `-${number}$1`);
}

const most_tries = 100;

async function save_below(folder: string, name: string, content: Blob): Promise<string> {
  for (let number = 1; ; number++) {
    const path = [folder, numbered(name, number)].filter((part) => part !== "").join("/");
    try {
      await api.save(path, content);
      return `Saved ${path} below the root.`;
    } catch (error) {
      const taken = error instanceof Refusal && error.field === "taken";
      if (!taken || number === most_tries) return error instanceof Error ? error.message : String(error);
    }
  }
}

/** Saves a file of the page's own making: as the browser does it, or below the root where that was chosen. */
export async function save(state: State, name: string, content: Blob): Promise<void> {
  if (state.save_folder !== undefined) {
    state.emit("saved", await save_below(state.save_folder, name, content));
    return;
  }
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser does not allow it";
  }
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
}

export interface Exported {
  /** Begins the ids and the names of files. */
  part: string;
  command(): string;
  /** The view. */
  canvas(): HTMLCanvasElement;
  /** Of the file of the view, without its ending. */
  name(): string;
}

/** The panel. It listens to nothing but the settings: whoever has a new command line calls `show`. */
export function exports(state: State, subject: Adjustable, what: Exported): { box: HTMLElement; show: () => void } {
  const prefix = what.part === "" ? "" : `${what.part}-`;
  const command = h("code", { class: "command", id: `${prefix}command` });
  const settings = () => `${JSON.stringify({ settings: asked(subject, subject.match).settings }, undefined, 2)}\n`;
  const saved = h("p", { class: "small", role: "status" });
  state.on("saved", (text) => {
    saved.textContent = text;
  });
  const button = (text: string, click: (button: HTMLButtonElement) => void) => {
    const node = h("button", { type: "button", click: () => click(node) }, text);
    return node;
  };
  const save_settings = () =>
    void save(state, `${prefix}settings.json`, new Blob([settings()], { type: "application/json" }));
  const save_view = () =>
    what.canvas().toBlob((blob) => {
      if (blob) void save(state, `${what.name().replaceAll(" ", "-")}.png`, blob);
    });
  const box = h(
    "section",
    { "aria-label": "The same elsewhere" },
    h("h2", {}, "The same elsewhere"),
    h("pre", { tabindex: 0, "aria-label": `Command line of the same ${what.part || "result"}` }, command),
    h(
      "div",
      { class: "tools" },
      button("Copy command line", (node) => void copy(command.textContent ?? "", node)),
      button("Copy settings (JSON)", (node) => void copy(settings(), node)),
      button("Save settings (JSON)", save_settings),
      button("Save view (PNG)", save_view),
    ),
    saved,
  );
  return {
    box,
    show: () => {
      command.textContent = what.command();
    },
  };
}
