// SPDX-License-Identifier: Apache-2.0
// Steps of pairs: settings, views, comparisons, sweeps, the cloud; and of sequences of pairs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { check_accessibility } from "./accessibility.mjs";
import { folder, hash_of_program, idle, new_hash, patience, result } from "./browser.mjs";
import { check_layout } from "./layout.mjs";

/** The last change told its time and score at this setting. */
async function told_at(page, setting) {
  await page.waitForFunction(
    (place) => /ms to the screen, .* % wrong or missing/.test(document.getElementById(place).textContent),
    `setting-${setting}-told`,
  );
}

export const pair_steps = {
  async "a slider changes the map as the program says"(page) {
    const before = await new_hash(page, "");
    await page.fill("#setting-window", "5");
    await page.press("#setting-window", "Enter");
    const left = await new_hash(page, before);
    await page.selectOption("#setting-reference", "right");
    const hash = await new_hash(page, left);
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
    // The truth has the colours of the candidates, also where these change.
    await page.selectOption("label.first select", "truth");
    await idle(page);
    const truth = () => page.$eval(".pane.first canvas", (canvas) => canvas.toDataURL());
    const before = await truth();
    const disparities = await page.inputValue("#setting-disparities");
    for (const [value, same] of [
      ["100", false],
      [disparities, true],
    ]) {
      await page.fill("#setting-disparities", value);
      await page.press("#setting-disparities", "Enter");
      await idle(page);
      assert.equal((await truth()) === before, same, `the truth, with ${value} disparities`);
    }
    await page.selectOption("label.first select", "disparity");
    for (const layout of ["one", "wipe", "two"]) {
      await page.selectOption("label.choice:has-text('Layout') select", layout);
      assert.equal(await page.isVisible(".pane.second"), layout !== "one");
      // As many pixels as the screen shows, and no fewer.
      const { width, shown } = await page.$eval(".pane.first canvas", (canvas) => ({
        width: canvas.width,
        shown: canvas.parentElement.clientWidth,
      }));
      assert.ok(width === 640 || (width >= shown && width < 2 * shown), `${layout}: ${width} for ${shown}`);
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
    await page.click("#stop");
    await idle(page);
  },
  async "a change tells its time and score at its setting"(page) {
    await page.fill("#setting-window", "9");
    await page.press("#setting-window", "Enter");
    await told_at(page, "window");
    await idle(page);
  },
  async "of two changes, the first one does not tell what the second one gave"(page) {
    await page.evaluate(async () => {
      for (const note of document.querySelectorAll(".told")) note.textContent = "";
      for (const [name, by] of [
        ["window", 1],
        ["uniqueness", 10],
      ]) {
        const slider = document.querySelector(`input[aria-label="${name}, slider"]`);
        slider.value = String(Number(slider.value) + by);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => setTimeout(done)); // it is asked for
      }
    });
    await told_at(page, "uniqueness");
    await idle(page);
    const [wrong] = (await result(page, "all-pixels")).split(" wrong");
    const told = `${await result(page, "change-to-screen")} to the screen, ${wrong} wrong or missing`;
    assert.equal(await page.textContent("#setting-uniqueness-told"), told);
    assert.equal(await page.textContent("#setting-window-told"), "");
    await page.click("text=Reset");
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
    await page.locator('section[aria-label="Sweep"]:visible').screenshot({ path: `${folder}/heat.png` });
    await page.selectOption('label:has-text("Second setting") select', "none");
    await idle(page);
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

export const cloud_steps = {
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
  },
  async "the cloud is flown through, measured by keys, clipped and saved"(page) {
    const drawn = () => page.$eval("canvas.cloud", (canvas) => canvas.toDataURL());
    const before = await drawn();
    await page.focus("canvas.cloud");
    await page.keyboard.press("Enter");
    const told = () => page.textContent("#panel-Cloud [role='status']");
    for (let i = 0; i < 20 && !/ to /.test(await told()); i++) {
      await page.keyboard.press("a");
      await page.keyboard.press("Enter"); // nothing is measured where the middle shows no point
    }
    assert.match(await told(), /^\(-?[\d.]+, -?[\d.]+, [\d.]+\) m to \(.*\) m: [\d.]+ m$/);
    const flown = await drawn();
    assert.notEqual(flown, before);
    await page.fill('input[aria-label^="Farthest depth"]', "50");
    assert.notEqual(await drawn(), flown);
    const points = await page.getAttribute("canvas.cloud", "data-points");
    const coming = page.waitForEvent("download");
    await page.click("text=Save points (PLY)");
    const file = readFileSync(await (await coming).path(), "latin1");
    assert.match(file, new RegExp(`^ply\nformat binary_little_endian 1.0\nelement vertex ${points}\n`));
    await page.click("#tab-Maps");
  },
};

export const sequence_steps = {
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
