// SPDX-License-Identifier: Apache-2.0
// What axe-core finds on a page, which is to be nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function check_accessibility(page) {
  // By the debugger's protocol, which the content-security policy does not bind.
  await page.evaluate(source);
  const found = await page.evaluate(() => window.axe.run());
  const lines = found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
  assert.deepEqual(lines, []);
}
