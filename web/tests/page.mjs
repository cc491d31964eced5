// SPDX-License-Identifier: Apache-2.0
// The page in a real browser, against the real program: node page.mjs PROGRAM SCREENSHOTS_FOLDER [PART...]
// Parts: those of `parts` below; default: all. Exit status 77: no browser here.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { folder, idle, launch, no_browser, patience, program, serve } from "./browser.mjs";
import { camera, live_steps, root_steps } from "./other_steps.mjs";
import { cloud_steps, pair_steps, sequence_steps } from "./pair_steps.mjs";
import { video_steps } from "./video_steps.mjs";

if (no_browser) {
  console.log(`SKIPPED: ${no_browser}`);
  process.exit(77);
}
mkdirSync(folder, { recursive: true });

/** A server is started anew at the same port, with another token: the page says what to do, and then goes on. */
async function come_back(page, address, words, told) {
  const anew = await serve("--port", new URL(address).port, ...words);
  try {
    const other = await page.context().newPage();
    await page.waitForFunction((place) => /another token/.test(document.getElementById(place).textContent), told);
    await other.goto(anew.address);
    await page.waitForFunction((place) => document.getElementById(place).textContent === "", told);
    await idle(page);
  } finally {
    anew.child.kill("SIGKILL");
  }
}

/** Opens the page of a server with these arguments and does the steps. */
async function visit(browser, words, steps, last = { setting: "#setting-window", told: "refused" }) {
  const { child, address } = await serve(...words);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const troubles = [];
  const origin = new URL(address).origin;
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) troubles.push(`asks another host: ${url}`);
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    // Refusals are answers with status 422 (settings) or 410 (a closed scene), which the browser counts as errors.
    if (message.type() === "error" && !/status of (422|410|409)/.test(message.text())) troubles.push(message.text());
  });
  try {
    await page.goto(address);
    await idle(page);
    assert.equal(new URL(page.url()).search, "", "the token leaves the address");
    for (const [name, step] of Object.entries(steps)) {
      await step(page);
      console.log(`passed: ${name}`);
    }
    assert.deepEqual(troubles, []);
    if (!last) return;
    child.kill("SIGINT");
    await page.fill(last.setting, "7");
    await page.press(last.setting, "Enter");
    await page.waitForFunction((told) => /does not answer/.test(document.getElementById(told).textContent), last.told);
    console.log("passed: a server that is gone is told");
    await come_back(page, address, words, last.told);
    console.log("passed: a server that was started anew is told, and the page goes on");
  } finally {
    child.kill("SIGKILL");
    await context.close();
  }
}

/** By the name of a part: what is opened, and the steps there. */
const parts = {
  sequence: (browser) =>
    visit(browser, ["clip/left_%04d.png", "clip/right_%04d.png", "--calibration", "clip/calib.txt"], sequence_steps),
  video: (browser) =>
    visit(browser, ["clip/left_%04d.png"], video_steps, { setting: "#track-setting-window", told: "track-refused" }),
  live(browser) {
    spawnSync(program, ["motion", "clip/left_%04d.png", "--compensated", "clip.y4m"], { cwd: folder });
    rmSync(`${folder}/pipe`, { force: true });
    spawnSync("mkfifo", ["pipe"], { cwd: folder });
    void camera(`${folder}/clip.y4m`, `${folder}/pipe`);
    return visit(browser, ["pipe", "--stream"], live_steps, null);
  },
  pair: (browser) => visit(browser, [], pair_steps),
  cloud: (browser) => visit(browser, [], cloud_steps, null),
  root(browser) {
    spawnSync(program, ["motion", "clip/left_%04d.png", "--compensated", "clip.y4m"], { cwd: folder });
    for (const name of ["settings.json", "settings-2.json", "disparity.png"])
      rmSync(`${folder}/${name}`, { force: true });
    return visit(browser, ["--root", "."], root_steps, null);
  },
};

async function main() {
  const chosen = process.argv.slice(4);
  const browser = await launch();
  try {
    spawnSync(program, ["synth", "clip", "--frame-count", "3", "--size", "160x120"], { cwd: folder });
    for (const name of chosen.length > 0 ? chosen : Object.keys(parts)) await parts[name](browser);
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
