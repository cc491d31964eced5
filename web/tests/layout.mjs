// SPDX-License-Identifier: Apache-2.0
// Where the parts of the page stand, compared with stored boxes (layout.json): a part that moved, vanished, grew or
// came over another is found, another font is not. With VERGENCE_LAYOUT=FILE the boxes are written there instead.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const update = process.env.VERGENCE_LAYOUT;
const stored = JSON.parse(readFileSync(new URL("layout.json", import.meta.url), "utf8"));
const seen = {};

/** Columns do not depend on the font; heights do. */
const most_apart = { x: 8, width: 8, y: 60, height: 60 };

/** What is seen: x, y, width and height in px, by name. */
async function boxes(page) {
  return page.evaluate(() => {
    const found = {};
    const add = (name, node) => {
      const box = node.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) return;
      found[name] = [box.x + scrollX, box.y + scrollY, box.width, box.height].map(Math.round);
    };
    for (const [name, selector] of Object.entries({
      head: "header",
      settings: "aside",
      middle: ".middle",
      timeline: ".timeline",
      tabs: ".tabs",
      right: "main > .right",
    }))
      add(name, document.querySelector(selector));
    for (const section of document.querySelectorAll("section[aria-label]")) add(section.ariaLabel, section);
    for (const [i, pane] of document.querySelectorAll(".pane").entries()) add(`pane ${i}`, pane);
    return found;
  });
}

/** Parts that stand beside each other do not overlap. */
function check_apart(name, found) {
  const [ax, ay, aw, ah] = found.settings;
  for (const other of ["middle", "right"]) {
    const [bx, by, bw, bh] = found[other];
    const apart = ax + aw <= bx || bx + bw <= ax || ay + ah <= by || by + bh <= ay;
    assert.ok(apart, `${name}: settings and ${other} overlap`);
  }
}

export async function check_layout(page, name) {
  await page.evaluate(() => scrollTo(0, 0));
  const found = await boxes(page);
  check_apart(name, found);
  if (update) {
    seen[name] = found;
    writeFileSync(
      update,
      `${JSON.stringify(seen, undefined, 1).replace(/\[\s+(\d+),\s+(\d+),\s+(\d+),\s+(\d+)\s+\]/g, "[$1, $2, $3, $4]")}\n`,
    );
    return;
  }
  const wanted = stored[name];
  assert.ok(wanted, `layout.json has no '${name}'`);
  assert.deepEqual(Object.keys(found).sort(), Object.keys(wanted).sort(), `${name}: other parts are seen`);
  for (const [part, box] of Object.entries(wanted))
    Object.entries(most_apart).forEach(([side, most]) => {
      const i = ["x", "y", "width", "height"].indexOf(side);
      const apart = Math.abs(found[part][i] - box[i]);
      assert.ok(apart <= most, `${name}: ${side} of '${part}' is ${found[part][i]}, was ${box[i]}`);
    });
}
