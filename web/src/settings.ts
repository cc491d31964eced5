// SPDX-License-Identifier: Apache-2.0
// The panel of settings: a control for each field of the library's own table, with presets and reset.

import type { Field, Setting } from "./api";
import { h } from "./dom";
import type { Adjustable } from "./emitter";

interface Control {
  row: HTMLElement;
  /** Shows a value that was set elsewhere. */
  show(value: Setting): void;
  refuse(message: string): void;
  /** What the last change of it gave. */
  tell(text: string): void;
}

/** The largest value that a slider reaches: what the pictures allow, and no further than is of use. */
function slider_most(field: Field, state: Adjustable): number {
  const useful: Record<string, number> = {
    "min-disparity": 256,
    window: 31,
    p1: 500,
    p2: 2000,
    "p2-slope": 4096,
    uniqueness: 100,
    texture: 5000,
    "left-right": 16,
    "speckle-size": 2000,
    "speckle-range": 256,
    "fill-window": 63,
  };
  const bounds: Record<string, number> = {
    "picture-width": state.width,
    "picture-size": Math.min(state.width, state.height),
  };
  return Math.min(field.most, bounds[field.bound] ?? field.most, useful[field.name] ?? 512);
}

/** Numbers that the slider stops at, in order: a special one first. */
function slider_values(field: Field, state: Adjustable): number[] {
  const least = Math.max(field.least, field.name === "min-disparity" ? -256 : field.least);
  const values = new Set<number>();
  if (field.special) values.add(field.special.value);
  for (let value = least; value <= slider_most(field, state); value += field.step) values.add(value);
  for (const value of field.also) values.add(value);
  return [...values].sort((a, b) => a - b);
}

function number_of(field: Field, value: Setting): number {
  if (field.special && value === field.special.meaning) return field.special.value;
  return typeof value === "number" ? value : Number.parseInt(String(value), 10);
}

/** A slider over the values that make sense, beside a text for all that are allowed. */
function number_control(
  field: Field,
  state: Adjustable,
  id: string,
  set: (value: Setting) => void,
): { nodes: Node[]; show: (value: Setting) => void } {
  const values = slider_values(field, state);
  const slider = h("input", {
    type: "range",
    min: 0,
    max: values.length - 1,
    "aria-label": `${field.name}, slider`,
    input: () => {
      const value = values[Number(slider.value)];
      set(field.kind === "size" && value === field.special?.value ? field.special.meaning : value);
    },
  });
  const text = h("input", {
    type: "text",
    id,
    inputmode: field.kind === "size" ? "text" : "numeric",
    "aria-describedby": `${id}-help`,
    change: () => set(text.value.trim()),
  });
  const show = (value: Setting) => {
    text.value = String(value);
    const number = number_of(field, value);
    const nearest = values.reduce(
      (best, one, i) => (Math.abs(one - number) < Math.abs(values[best] - number) ? i : best),
      0,
    );
    slider.value = String(nearest);
    const meaning = field.special?.value === number ? field.special.meaning : `${value} ${field.unit}`;
    slider.setAttribute("aria-valuetext", meaning);
  };
  return { nodes: [slider, text], show };
}

function control_of(field: Field, state: Adjustable, set: (value: Setting) => void): Control {
  const id = `${state.id}setting-${field.name}`;
  const message = h("p", { class: "refused", role: "alert", id: `${id}-refused` });
  const note = h("p", { class: "told", id: `${id}-told` });
  let nodes: Node[];
  let show: (value: Setting) => void;
  if (field.kind === "choice") {
    const select = h("select", {
      id,
      "aria-describedby": `${id}-help`,
      change: () => set(select.value),
    });
    for (const word of field.choices) select.append(h("option", { value: word }, word));
    nodes = [select];
    show = (value) => {
      select.value = String(value);
    };
  } else if (field.kind === "boolean") {
    const box = h("input", {
      type: "checkbox",
      id,
      "aria-describedby": `${id}-help`,
      change: () => set(box.checked),
    });
    nodes = [box];
    show = (value) => {
      box.checked = value === true;
    };
  } else if (field.kind === "rectangle" || field.kind === "range" || field.kind === "real") {
    const text = h("input", {
      type: "text",
      id,
      "aria-describedby": `${id}-help`,
      change: () => set(text.value.trim()),
    });
    nodes = [text];
    show = (value) => {
      text.value = String(value);
    };
  } else {
    ({ nodes, show } = number_control(field, state, id, set));
  }
  const unit = field.unit === "" ? "" : ` (${field.unit})`;
  const help = `${field.help} [${field.allowed}; default: ${field.default}]`;
  const row = h(
    "div",
    { class: `field ${field.kind}`, title: help, "data-field": field.name },
    h("label", { for: id }, `${field.name}${unit}`),
    ...nodes,
    h("span", { id: `${id}-help`, class: "hidden" }, help),
    message,
    note,
  );
  const refuse = (text: string) => {
    message.textContent = text;
    row.classList.toggle("bad", text !== "");
  };
  const tell = (text: string) => {
    note.textContent = text;
  };
  return { row, show, refuse, tell };
}

/** The panel. It follows changes from elsewhere. */
export function settings_panel(state: Adjustable): HTMLElement {
  const { presets } = state;
  const preset = h("select", { id: `${state.id}preset`, change: () => state.take_preset(preset.value) });
  for (const one of presets) preset.append(h("option", { value: one.name, title: one.summary }, one.name));
  const reset = h("button", { type: "button", click: () => state.take_preset(state.match.preset) }, "Reset");
  const panel = h(
    "form",
    { class: "settings", "aria-label": "Settings", submit: (event) => event.preventDefault() },
    h("div", { class: "field choice" }, h("label", { for: `${state.id}preset` }, "preset"), preset, reset),
  );
  const controls = new Map<string, Control>();
  // The setting that was changed last: the time and the score that come next are its own.
  let changed: Control | undefined;
  const set = (field: Field, value: Setting) => {
    state.set(field.name, value);
    changed = controls.get(field.name);
  };
  const groups = new Map<string, HTMLElement>();
  for (const field of state.fields) {
    let group = groups.get(field.group);
    if (!group) {
      group = h("details", { open: field.group !== "Pictures" }, h("summary", {}, field.group));
      groups.set(field.group, group);
      panel.append(group);
    }
    const control = control_of(field, state, (value) => set(field, value));
    controls.set(field.name, control);
    group.append(control.row);
  }
  const show = () => {
    preset.value = state.match.preset;
    for (const [name, control] of controls) {
      const focused = control.row.contains(document.activeElement);
      if (!focused || (document.activeElement as HTMLInputElement).type !== "text")
        control.show(state.match.settings[name]);
    }
  };
  state.on("settings", () => {
    changed = undefined;
    show();
  });
  state.on("told", (text) => {
    changed?.tell(text);
    changed = undefined;
  });
  state.on("refused", ({ field, message }) => {
    for (const [name, control] of controls) control.refuse(name === field ? message : "");
  });
  show();
  return panel;
}
