// SPDX-License-Identifier: Apache-2.0
// What a field or tracks tell beside the picture: figures, refusals, the command line of the same result.

import { h } from "./dom";
import type { Following } from "./following";

/** `lines` gives names and texts of the answer; `part` begins the ids. */
export function facts<Answer extends { command: string }>(
  following: Following<Answer>,
  part: string,
  lines: (answer: Answer) => [string, string][],
): HTMLElement {
  const list = h("dl", { class: "results", "aria-live": "polite" });
  const refused = h("p", { class: "refused", role: "alert", id: `${part}-refused` });
  const command = h("code", { class: "command", id: `${part}-command` });
  following.on("answer", () => {
    if (!following.answer) return;
    const { json } = following.answer;
    list.replaceChildren(
      ...lines(json).flatMap(([name, text]) => [
        h("dt", {}, name),
        h("dd", { [`data-${part}`]: name.replaceAll(" ", "-") }, text),
      ]),
    );
    command.textContent = json.command || "No command reads this view alone.";
  });
  following.on("refused", ({ field, message }) => {
    const told = field !== "" && document.getElementById(`${following.id}setting-${field}`);
    refused.textContent = told ? "" : message;
  });
  return h(
    "section",
    { "aria-label": `Results of ${part}` },
    h("h2", {}, "Results"),
    refused,
    list,
    h("h2", {}, "The same elsewhere"),
    h("pre", { tabindex: 0, "aria-label": `Command line of the same ${part}` }, command),
  );
}
