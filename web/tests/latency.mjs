// SPDX-License-Identifier: Apache-2.0
// Times from the move of a slider to the map on the screen: node latency.mjs PROGRAM FOLDER [MOVES [DEVICE]]
// Started by scripts/bench-view. The clock is the page's: from the slider's event to the task after the frame in which the
// map was drawn. "server" is the time of the whole request less that of the match, by a request without a page.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { folder, idle, launch, no_browser, program, serve } from "./browser.mjs";

const moves = Number(process.argv[4] ?? 31);
const device = process.argv[5] ?? "cpu";
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) =>
  `${median(values).toFixed(1)} [${Math.min(...values).toFixed(1)} .. ${Math.max(...values).toFixed(1)}]`;

/** Moves the slider of a setting by one step, and back in the next turn; ms to the screen, and those of the match. */
function move(page, turn) {
  return page.evaluate(async (turn) => {
    const slider = document.querySelector('input[aria-label="uniqueness, slider"]');
    const list = document.querySelector("dl.results");
    const changed = new Promise((done) =>
      new MutationObserver((_, observer) => {
        observer.disconnect();
        done();
      }).observe(list, { childList: true }),
    );
    slider.value = String(Number(slider.value) + (turn % 2 === 0 ? 1 : -1));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await changed;
    const number = (name) => Number.parseFloat(document.querySelector(`[data-result="${name}"]`).textContent);
    return { screen: number("change-to-screen"), match: number("match") };
  }, turn);
}

/** Requests of maps without a page, ms: the whole less the match. */
async function beside_matching(address) {
  const token = new URL(address).searchParams.get("token");
  const times = [];
  for (let turn = 0; turn < moves; ++turn) {
    const body = JSON.stringify({
      client: "bench",
      serial: turn + 1,
      device,
      settings: { uniqueness: 5 + (turn % 2) },
      mask: true,
    });
    const start = performance.now();
    const answer = await fetch(new URL("/api/stereo", address), {
      method: "POST",
      headers: { "content-type": "application/json", "x-vergence-token": token },
      body,
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const whole = performance.now() - start;
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const { ms } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    if (turn > 2) times.push(whole - ms.match);
  }
  return times;
}

async function measure(browser, size, disparities) {
  mkdirSync(folder, { recursive: true });
  spawnSync(program, ["synth", `scene_${size}`, "--size", size, "--samples", "1"], { cwd: folder });
  const pair = [`scene_${size}/left.png`, `scene_${size}/right.png`];
  const { child, address } = await serve(
    ...pair,
    "--device",
    device,
    "--disparities",
    String(disparities),
    "--min-disparity",
    "0",
  );
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(address);
    await page.waitForSelector("#setting-window");
    const ready = performance.now() - start;
    await idle(page);
    const found = [];
    for (let turn = 0; turn < moves; ++turn) {
      const one = await move(page, turn);
      await idle(page);
      if (turn > 2) found.push(one);
    }
    await page.close();
    const beside = await beside_matching(address);
    console.log(
      `| ${size}, ${disparities} disparities, ${device} | ${spread(found.map((one) => one.screen))} | ${spread(found.map((one) => one.match))} | ${spread(beside)} | ${ready.toFixed(0)} |`,
    );
  } finally {
    child.kill("SIGINT");
    await context.close();
  }
}

if (no_browser) {
  console.log(no_browser);
  process.exit(1);
}
const browser = await launch();
try {
  console.log("ms, median [least .. greatest]\n");
  console.log("| pair | slider to screen | match | server beside the match | page ready |\n|---|---|---|---|---|");
  await measure(browser, "640x480", 64);
  await measure(browser, "1920x1080", 128);
} finally {
  await browser.close();
}
