// SPDX-License-Identifier: Apache-2.0
// What the steps of the page's tests share: the program, waiting, and hashes of the page and of the program.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const [program, folder] = process.argv.slice(2);
export const patience = 120_000;

/** Undefined where there is none. */
const browser_path = ["/usr/bin/chromium"].find(existsSync);
export const no_browser = browser_path ? "" : "no Chromium (Debian: chromium)";
export const launch = () =>
  chromium.launch({
    executablePath: browser_path,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });

/** A running `vergence view` and the address that it printed. */
export async function serve(...words) {
  const child = spawn(program, ["view", "--no-open", ...words], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((told, failed) => {
    child.stdout.once("data", (data) => told(String(data)));
    child.once("exit", () => failed(new Error("the program ended")));
  });
  return { child, address: line.trim().split(/\s+/)[1] };
}

/** Settings have been matched, and hash and scores are there. */
export async function idle(page) {
  await page.waitForSelector('body[data-ready="yes"][data-busy="no"]', { timeout: patience });
}

export const result = (page, name) => page.textContent(`[data-result="${name}"]`);

/** The hash that belongs to what is set now: waits until it is another one than before. */
export async function new_hash(page, before, part = "result") {
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
export async function hash_of_program(page, place = "#command") {
  const command = await page.textContent(place);
  const script = `${command.replaceAll("vergence ", `${program} `)} --json`;
  const { stdout } = spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
  return JSON.parse(stdout.slice(stdout.indexOf("{"))).hash;
}
