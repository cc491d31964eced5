// SPDX-License-Identifier: Apache-2.0
// The page in a real browser, against the real program: node page.mjs PROGRAM SCREENSHOTS_FOLDER
// Exit status 77: no browser here.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { chromium } from "playwright-core";
import { check_accessibility } from "./accessibility.mjs";
import { check_layout } from "./layout.mjs";

const [program, folder] = process.argv.slice(2);
const patience = 120_000;
const executablePath = ["/usr/bin/chromium"].find(existsSync);
if (!executablePath) {
  console.log("SKIPPED: no Chromium (Debian: chromium)");
  process.exit(77);
}
mkdirSync(folder, { recursive: true });

/** A running `vergence view` and the address that it printed. */
async function serve(...words) {
  const child = spawn(program, ["view", "--no-open", ...words], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((told, failed) => {
    child.stdout.once("data", (data) => told(String(data)));
    child.once("exit", () => failed(new Error("the program ended")));
  });
  return { child, address: line.trim().split(/\s+/)[1] };
}

/** Settings have been matched, and hash and scores are there. */
async function idle(page) {
  await page.waitForSelector('body[data-ready="yes"][data-busy="no"]', { timeout: patience });
}

const result = (page, name) => page.textContent(`[data-result="${name}"]`);

/** The hash that belongs to what is set now: waits until it is another one than before. */
async function new_hash(page, before, part = "result") {
  const selector = `[data-${part}="hash"]`;
  await page.waitForFunction(
    ([old, place]) => {
      const text = document.querySelector(place)?.textContent;
      return document.body.dataset.busy === "no" && text && text !== old;
    },
    [before, selector],
    { timeout: patience },
  );
  return page.textContent(selector);
}

/** What the program prints for the command line that the page shows. */
async function hash_of_program(page, place = "#command") {
  const command = await page.textContent(place);
  const script = `${command.replaceAll("vergence ", `${program} `)} --json`;
  const { stdout } = spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
  return JSON.parse(stdout.slice(stdout.indexOf("{"))).hash;
}

const pair_steps = {
  async "a slider changes the map as the program says"(page) {
    const before = await new_hash(page, "");
    await page.fill("#setting-window", "5");
    await page.press("#setting-window", "Enter");
    await new_hash(page, before);
    await page.selectOption("#setting-reference", "right");
    const hash = await new_hash(page, await result(page, "hash"));
    assert.equal(hash, await hash_of_program(page));
    await page.selectOption("#setting-reference", "left");
    await new_hash(page, hash);
  },
  async "a refused setting is told where it stands"(page) {
    await page.fill("#setting-window", "4");
    await page.press("#setting-window", "Enter");
    await page.waitForFunction(() => document.getElementById("setting-window-refused").textContent !== "");
    assert.match(await page.textContent("#setting-window-refused"), /window is '?4/);
    await page.fill("#setting-window", "9");
    await page.press("#setting-window", "Enter");
    await page.waitForFunction(() => document.getElementById("setting-window-refused").textContent === "");
    await idle(page);
  },
  async "the pointer reads a pixel, by keys too"(page) {
    await page.focus(".pane.first .marks");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.textContent(".readout"), /x 1, y 0 {3}disparity .* px {3}depth .* m {3}truth .* px/);
    await page.hover(".pane.first .marks", { position: { x: 100, y: 80 } });
    assert.doesNotMatch(await page.textContent(".readout"), /x 1, y 0/);
  },
  async "every view is drawn"(page) {
    const views = ["left", "right", "disparity", "confidence", "validity", "truth", "error"];
    const seen = new Set();
    for (const view of views) {
      await page.selectOption("label.first select", view);
      await idle(page);
      seen.add(await page.$eval(".pane.first canvas", (canvas) => canvas.toDataURL()));
    }
    assert.equal(seen.size, views.length);
    await page.selectOption("label.first select", "disparity");
    for (const layout of ["one", "wipe", "two"]) {
      await page.selectOption("label.choice:has-text('Layout') select", layout);
      assert.equal(await page.isVisible(".pane.second"), layout !== "one");
    }
  },
  async "devices agree, settings differ"(page) {
    await page.click("#keep");
    await page.waitForFunction(() => document.getElementById("badge").textContent === "0 differing bytes");
    await page.fill("#setting-window", "11");
    await page.press("#setting-window", "Enter");
    await page.waitForFunction(() => document.getElementById("badge").dataset.equal === "no");
    assert.notEqual(await page.textContent("#badge"), "0 differing bytes");
    await page.screenshot({ path: `${folder}/comparison.png` });
    await check_layout(page, "comparison");
    await page.click("text=Stop >> nth=0");
    await idle(page);
  },
  async "a sweep draws its plots, and a point takes its value"(page) {
    await page.fill('label:has-text("to") input[type="number"] >> nth=0', "9");
    await page.fill('label:has-text("from") input[type="number"] >> nth=0', "3");
    await page.click("#sweep");
    await page.waitForFunction(() => document.querySelectorAll(".plot.ms circle").length === 4, undefined, {
      timeout: patience,
    });
    await page.locator(".plot.ms circle").nth(1).click();
    assert.equal(await page.inputValue("#setting-window"), "5");
    await idle(page);
  },
  async "a sweep of two settings draws heat maps, of each device"(page) {
    await page.selectOption('label:has-text("Second setting") select', "subpixel");
    await page.fill('label:has-text("to") input[type="number"] >> nth=0', "5");
    await page.click("#sweep");
    await page.waitForFunction(() => document.querySelectorAll(".heat.bad rect").length === 4, undefined, {
      timeout: patience,
    });
    await page.locator(".heat.bad rect").nth(3).click();
    assert.equal(await page.inputValue("#setting-window"), "5");
    assert.equal(await page.isChecked("#setting-subpixel"), true);
    await page.locator('section[aria-label="Sweep"]').screenshot({ path: `${folder}/heat.png` });
    await page.selectOption('label:has-text("Second setting") select', "none");
    await idle(page);
  },
  async "the cloud is drawn"(page) {
    await page.click("#tab-Cloud");
    await page.waitForSelector("canvas.cloud[data-points]", { timeout: patience });
    const points = Number(await page.getAttribute("canvas.cloud", "data-points"));
    assert.ok(points > 100_000, `${points} points`);
    const colours = await page.$eval("canvas.cloud", (canvas) => {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok(colours > 1000, `${colours} colours`);
    await page.screenshot({ path: `${folder}/cloud.png` });
    await check_layout(page, "cloud");
    await page.click("#tab-Maps");
  },
  async "axe-core finds nothing, dark and light"(page) {
    await check_accessibility(page);
    await page.screenshot({ path: `${folder}/one-theme.png` });
    await check_layout(page, "maps");
    await page.click("#theme");
    await check_accessibility(page);
    await page.screenshot({ path: `${folder}/other-theme.png` });
  },
  async "a tablet shows all of it"(page) {
    await page.setViewportSize({ width: 1024, height: 768 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, "nothing is cut off at the right");
    await page.screenshot({ path: `${folder}/tablet.png`, fullPage: true });
    await check_layout(page, "maps, tablet");
  },
};

const sequence_steps = {
  async "the timeline changes the frame, and the program agrees"(page) {
    const first = await new_hash(page, "");
    await page.click('button[aria-label="One frame on"]');
    const second = await new_hash(page, first);
    assert.match(await page.textContent("#frame"), /frame 1 of 0 \.\. 2/);
    assert.match(await page.textContent("#command"), /--frames 1:1/);
    assert.equal(second, await hash_of_program(page));
  },
  async "a sequence plays to its end"(page) {
    await page.uncheck('label:has-text("Loop") input');
    await page.fill('input[aria-label="Frames per second"]', "60");
    await page.click("text=Play");
    await page.waitForFunction(() => /frame 2/.test(document.getElementById("frame").textContent));
    await page.waitForSelector("text=Play");
    await idle(page);
  },
};

/** What the canvases of a panel show. */
const drawn = (page, tab) => page.$eval(`#panel-${tab} .pane canvas`, (canvas) => canvas.toDataURL());

const video_steps = {
  async "motion is what the program finds"(page) {
    assert.deepEqual(await page.locator('[role="tab"]').allTextContents(), ["Motion", "Tracks"]);
    const hash = await new_hash(page, "", "motion");
    assert.match(await page.textContent("#frame"), /frame 1 of 0 /);
    assert.equal(hash, await hash_of_program(page, "#motion-command"));
    await page.selectOption("#motion-setting-search", "hexagon");
    await page.fill("#motion-setting-block", "8");
    await page.press("#motion-setting-block", "Enter");
    const other = await new_hash(page, hash, "motion");
    assert.equal(other, await hash_of_program(page, "#motion-command"));
  },
  async "a refused setting of motion is told where it stands"(page) {
    await page.fill("#motion-setting-block", "5");
    await page.press("#motion-setting-block", "Enter");
    await page.waitForFunction(() => document.getElementById("motion-setting-block-refused").textContent !== "");
    await page.fill("#motion-setting-block", "8");
    await page.press("#motion-setting-block", "Enter");
    await page.waitForFunction(() => document.getElementById("motion-setting-block-refused").textContent === "");
    await idle(page);
  },
  async "every view of motion is drawn, and figures of all frames"(page) {
    const seen = new Set();
    for (const view of ["frame", "field in colours", "compensated", "residue"]) {
      await page.selectOption("#panel-Motion select", view);
      seen.add(await drawn(page, "Motion"));
    }
    assert.equal(seen.size, 4);
    await page.selectOption("#panel-Motion select", "frame");
    await page.hover("#panel-Motion .marks", { position: { x: 60, y: 50 } });
    assert.match(await page.textContent("#panel-Motion .readout"), /block \d+, \d+ {3}vector .* px {3}length/);
    await page.click("#measure");
    await page.waitForFunction(() => document.querySelectorAll(".plot.motion-psnr circle").length === 2);
    await page.screenshot({ path: `${folder}/motion.png` });
    await check_layout(page, "motion");
    await check_accessibility(page);
  },
  async "tracks are what the program finds"(page) {
    await page.click("#tab-Tracks");
    const hash = await new_hash(page, "", "track");
    assert.equal(hash, await hash_of_program(page, "#track-command"));
    await page.click('button[aria-label="One frame on"]');
    const other = await new_hash(page, hash, "track");
    assert.equal(other, await hash_of_program(page, "#track-command"));
    assert.match(await page.textContent(".reasons"), /outside: \d+/);
  },
  async "the track under the pointer is read, by keys too"(page) {
    await page.focus("#panel-Tracks .marks");
    for (let i = 0; i < 40 && !(await page.isVisible("#track-table")); i++)
      await page.keyboard.press(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft"][i % 4]);
    assert.match(await page.textContent("#track-table"), /age.*frames.*residual.*grey levels.*way back/s);
    await page.screenshot({ path: `${folder}/tracks.png` });
    await check_layout(page, "tracks");
    await check_accessibility(page);
  },
  async "a tablet shows motion and tracks"(page) {
    await page.setViewportSize({ width: 1024, height: 768 });
    for (const tab of ["Motion", "Tracks"]) {
      await page.click(`#tab-${tab}`);
      await idle(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(wide, false, "nothing is cut off at the right");
      await page.screenshot({ path: `${folder}/${tab}-tablet.png`, fullPage: true });
      await check_layout(page, `${tab}, tablet`);
    }
  },
};

/** Writes the frames of a Y4M file into a named pipe again and again, until nobody reads. */
async function camera(file, pipe) {
  const bytes = readFileSync(file);
  const head = bytes.indexOf(10) + 1;
  const out = createWriteStream(pipe);
  out.on("error", () => undefined);
  out.write(bytes.subarray(0, head));
  while (!out.destroyed) {
    await new Promise((done) => out.write(bytes.subarray(head), done));
    await new Promise((done) => setTimeout(done, 20));
  }
}

const live_steps = {
  async "a live source is followed, in motion and tracks"(page) {
    const number = async () => Number(/frame (\d+)/.exec(await page.textContent("#live"))?.[1] ?? -1);
    for (const [tab, part] of [
      ["Motion", "motion"],
      ["Tracks", "track"],
    ]) {
      await page.click(`#tab-${tab}`);
      await page.waitForSelector(`[data-${part}="hash"]`);
      const before = await number();
      await page.waitForFunction(
        (old) => Number(/frame (\d+)/.exec(document.getElementById("live").textContent)[1]) > old + 2,
        before,
      );
    }
    await page.click("#pause");
    await page.waitForSelector("text=Go on");
    await idle(page);
    await page.screenshot({ path: `${folder}/live.png` });
    await check_layout(page, "live tracks");
    await check_accessibility(page);
    await page.click("#pause");
  },
};

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
    // Refused settings are answers with status 422, which the browser counts as errors.
    if (message.type() === "error" && !/status of (422|409)/.test(message.text())) troubles.push(message.text());
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

async function main() {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  try {
    spawnSync(program, ["synth", "clip", "--frame-count", "3", "--size", "160x120"], { cwd: folder });
    await visit(
      browser,
      ["clip/left_%04d.png", "clip/right_%04d.png", "--calibration", "clip/calib.txt"],
      sequence_steps,
    );
    await visit(browser, ["clip/left_%04d.png"], video_steps, {
      setting: "#track-setting-window",
      told: "track-refused",
    });
    spawnSync(program, ["motion", "clip/left_%04d.png", "--compensated", "clip.y4m"], { cwd: folder });
    rmSync(`${folder}/pipe`, { force: true });
    spawnSync("mkfifo", ["pipe"], { cwd: folder });
    void camera(`${folder}/clip.y4m`, `${folder}/pipe`);
    await visit(browser, ["pipe", "--stream"], live_steps, null);
    await visit(browser, [], pair_steps);
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
