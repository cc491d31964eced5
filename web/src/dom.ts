// SPDX-License-Identifier: Apache-2.0
// Elements of the page in one call.

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

function fill(node: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false) node.setAttribute(name, String(value));
  }
  node.append(...children);
}

/** An element with its attributes, listeners (functions, by the event's name) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  fill(node, attributes, children);
  return node;
}

/** The same of a drawing. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes, children);
  return node;
}

/** A mark of a drawing that is pressed, by keys too; `name` says what that does. */
export function pressed(mark: SVGElement, name: string, press: () => void): SVGElement {
  mark.setAttribute("tabindex", "0");
  mark.setAttribute("role", "button");
  mark.setAttribute("aria-label", name);
  mark.addEventListener("click", press);
  mark.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter") press();
  });
  mark.append(svg("title", {}, name));
  return mark;
}

/** A choice of words below a label. */
export function choice(
  label: string,
  words: readonly string[],
  value: string,
  change: (word: string) => void,
): { box: HTMLElement; select: HTMLSelectElement } {
  const select = h("select", { change: () => change(select.value) });
  for (const word of words) select.append(h("option", { value: word }, word));
  select.value = value;
  return { box: h("label", { class: "choice" }, label, " ", select), select };
}

export function checkbox(
  label: string,
  on: boolean,
  change: (on: boolean) => void,
): { box: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { type: "checkbox", change: () => change(input.checked) });
  input.checked = on;
  return { box: h("label", { class: "check" }, input, " ", label), input };
}

/** A number with at most so many digits behind the point, "none" where it is not finite. */
export function digits(value: number | null | undefined, most: number): string {
  return value === null || value === undefined || !Number.isFinite(value) ? "none" : value.toFixed(most);
}
