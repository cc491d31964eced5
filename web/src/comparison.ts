// SPDX-License-Identifier: Apache-2.0
// The choice of a device; two settings or devices beside each other, with the bytes that differ.

import type { Comparison } from "./api";
import { digits, h } from "./dom";
import type { Adjustable, Side } from "./emitter";
import type { State } from "./state";

/** A choice of the devices that there are; those that cannot be used here are told. `show` says which one it is. */
export function device_choice(
  state: State,
  subject: Adjustable,
  label: string,
  show: () => string,
  take: (device: string) => void,
): HTMLElement {
  const select = h("select", { change: () => take(select.value) });
  const offer = () => {
    const options = state.devices.map(({ name, available, description, reason }) =>
      h(
        "option",
        { value: name, disabled: !available, title: `${description} ${reason}` },
        available ? name : `${name} (not available)`,
      ),
    );
    select.replaceChildren(...options);
    select.value = show();
  };
  subject.on("settings", () => {
    select.value = show();
  });
  state.on("devices", offer);
  offer();
  return h("label", { class: "choice" }, label, " ", select);
}

function time_of({ ms }: Side): number | undefined {
  return ms.match ?? ms.search ?? ms.track;
}

/** What differs, in words. */
function detail_of(subject: Adjustable, found: Comparison<Side>): string {
  const changed = subject.fields.filter(
    ({ name }) => String(found.a.settings[name]) !== String(found.b.settings[name]),
  );
  const names = changed.map(({ name }) => `${name} ${found.a.settings[name]} / ${found.b.settings[name]}`);
  const time = (one: Side) => (one.frames === 0 ? "no new frame" : `${digits(time_of(one), 1)} ms`);
  const told = (name: string, one: Side) => `${name}: ${one.device}, ${time(one)}.`;
  const parts = [told("A", found.a), told("B", found.b)];
  if (found.differing_pixels !== undefined) parts.push(`${found.differing_pixels.toLocaleString("en")} pixels differ.`);
  if (found.differing_tracks !== undefined) parts.push(`${found.differing_tracks.toLocaleString("en")} tracks differ.`);
  parts.push(names.length > 0 ? `Settings that differ (A / B): ${names.join(", ")}.` : "The settings are the same.");
  return parts.join(" ");
}

/** The panel: what is there is kept as B, and A is what is changed. */
export function comparison(state: State, subject: Adjustable): HTMLElement {
  const badge = h("output", { class: "badge", id: `${subject.id}badge`, "aria-live": "polite" });
  const detail = h("p", { class: "small" });
  const button = (text: string, click: () => void, id = "") =>
    h("button", { type: "button", click, ...(id === "" ? {} : { id: `${subject.id}${id}` }) }, text);
  const stop = button("Stop comparing", () => subject.take(subject.match, undefined), "stop");
  const keep = button(
    "Keep these settings as B",
    () => subject.take(subject.match, structuredClone(subject.match)),
    "keep",
  );
  const swap = button("Exchange A and B", () => {
    if (subject.other) subject.take(subject.other, subject.match);
  });
  const device = device_choice(
    state,
    subject,
    "Device of B",
    () => subject.other?.device ?? subject.match.device,
    (name) => {
      if (subject.other) subject.take(subject.match, { ...subject.other, device: name });
    },
  );
  const show = () => {
    for (const node of [stop, swap, device, badge, detail]) node.hidden = subject.other === undefined;
  };
  subject.on("settings", show);
  subject.on("compared", (found) => {
    const bytes = found.differing_bytes;
    badge.dataset.equal = bytes === 0 ? "yes" : "no";
    badge.textContent = bytes === null ? "blocks of other sizes" : `${bytes.toLocaleString("en")} differing bytes`;
    detail.textContent = detail_of(subject, found);
  });
  show();
  return h(
    "section",
    { "aria-label": "Comparison" },
    h("h2", {}, "Compare A with B"),
    h("div", { class: "tools" }, keep, device, swap, stop),
    badge,
    detail,
  );
}
