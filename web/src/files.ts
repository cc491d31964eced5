// SPDX-License-Identifier: Apache-2.0
// Files below the server's --root: another pair or video is opened, and where files are saved is chosen.

import { api, type FolderEntry, type OpenRequest } from "./api";
import { checkbox, h } from "./dom";
import type { State } from "./state";

type Part = keyof OpenRequest;
const parts: [Part, string][] = [
  ["left", "Left picture, or video"],
  ["right", "Right picture"],
  ["truth", "True disparities"],
  ["truth-scale", "Scale of the truth"],
  ["frames", "Frames A:B"],
  ["calibration", "Calibration"],
  ["flow", "True flow"],
];
/** The field that a file goes to next. */
const follows: Partial<Record<Part, Part>> = { left: "right", right: "truth" };

/** Names with the numbered ones of two or more files as one: left_%04d.png. */
export function with_sequences(entries: FolderEntry[]): { name: string; folder: boolean; text: string }[] {
  const groups = new Map<string, FolderEntry[]>();
  for (const entry of entries) {
    const number = entry.folder ? null : /^(.*?)(\d+)(\D*)$/.exec(entry.name);
    const pattern = number && !entry.name.includes("%") ? `${number[1]}%0${number[2].length}d${number[3]}` : entry.name;
    groups.set(pattern, [...(groups.get(pattern) ?? []), entry]);
  }
  return [...groups].flatMap(([pattern, group]) => {
    const single = group.map(({ name, folder, bytes }) => ({
      name,
      folder,
      text: folder ? `${name}/` : `${name} (${Math.ceil(bytes / 1024).toLocaleString("en")} KiB)`,
    }));
    if (group.length < 2) return single;
    return [{ name: pattern, folder: false, text: `${pattern} (${group.length} files)` }, ...single];
  });
}

/** The page of a scene that was opened. */
async function open(request: OpenRequest): Promise<void> {
  const scene = await api.open(request);
  location.href = `/?scene=${encodeURIComponent(scene)}`;
}

export function files_panel(state: State): HTMLElement {
  let folder = "";
  let next: Part = "left";
  const inputs = new Map<Part, HTMLInputElement>();
  const refused = h("p", { class: "refused", role: "alert", id: "files-refused" });
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
      refused.textContent = "";
    } catch (error) {
      refused.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const place = h("output", { id: "files-folder" });
  const list = h("ul", { class: "files", "aria-label": "Files of the folder" });
  const path_of = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  const take = (name: string) => {
    const input = inputs.get(next);
    if (input) input.value = path_of(name);
    next = follows[next] ?? next;
    mark();
  };
  const go = (to: string) =>
    guarded(async () => {
      const found = await api.folder(to);
      folder = to;
      show_place();
      const entry = (text: string, press: () => void) =>
        h("li", {}, h("button", { type: "button", click: press }, text));
      const up = to === "" ? [] : [entry("..", () => void go(to.split("/").slice(0, -1).join("/")))];
      const all = with_sequences(found.entries).map((one) =>
        entry(one.text, () => (one.folder ? void go(path_of(one.name)) : take(one.name))),
      );
      list.replaceChildren(
        ...up,
        ...all,
        ...(found.more ? [h("li", {}, "There are more, which are not listed.")] : []),
      );
    });
  const below = checkbox("Save files here, instead of as the browser does", false, () => show_place());
  const show_place = () => {
    place.textContent = folder === "" ? "the root" : folder;
    state.save_folder = below.input.checked ? folder : undefined;
  };
  const mark = () => {
    for (const [part, input] of inputs) input.classList.toggle("next", part === next);
  };
  const fields = parts.map(([part, label]) => {
    const input = h("input", {
      type: "text",
      id: `open-${part}`,
      focus: () => {
        next = part;
        mark();
      },
    });
    inputs.set(part, input);
    return h("div", { class: "open-field" }, h("label", { for: `open-${part}` }, label), input);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    const request: OpenRequest = { left: inputs.get("left")?.value.trim() ?? "" };
    for (const [part, input] of inputs) if (input.value.trim() !== "") request[part] = input.value.trim();
    void guarded(() => open(request));
  };
  mark();
  void go("");
  return h(
    "section",
    { class: "files-panel", "aria-label": "Files" },
    h(
      "p",
      { class: "small" },
      "A click on a file puts its name into the field that is marked. Paths are below the root.",
    ),
    h(
      "form",
      { class: "open", "aria-label": "Open", submit },
      ...fields,
      h("button", { type: "submit", id: "open" }, "Open"),
    ),
    refused,
    h("div", { class: "tools" }, h("span", {}, "Folder: ", place), below.box),
    list,
  );
}
