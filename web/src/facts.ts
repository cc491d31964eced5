// SPDX-License-Identifier: Apache-2.0
// What a field or tracks tell beside the picture: figures and refusals.

import { h } from "./dom";
import type { Side } from "./emitter";
import type { Following } from "./following";

/** `lines` gives names and texts of the answer; `part` begins the ids. */
export function facts<Answer extends Side>(
  following: Following<Answer>,
  part: string,
  lines: (answer: Answer) => [string, string][],
): HTMLElement {
  const list = h("dl", { class: "results", "aria-live": "polite" });
  const refused = h("p", { class: "refused", role: "alert", id: `${part}-refused` });
  following.on("answer", () => {
    if (!following.answer) return;
    list.replaceChildren(
      ...lines(following.answer.json).flatMap(([name, text]) => [
        h("dt", {}, name),
        h("dd", { [`data-${part}`]: name.replaceAll(" ", "-") }, text),
      ]),
    );
  });
  following.on("refused", ({ field, message }) => {
    const told = field !== "" && document.getElementById(`${following.id}setting-${field}`);
    refused.textContent = told ? "" : message;
  });
  return h("section", { "aria-label": `Results of ${part}` }, h("h2", {}, "Results"), refused, list);
}
