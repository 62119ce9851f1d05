// Type-checks the pages and their tests, and runs the tests: node clients/web/run_tests.mjs

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment, libraries } from "./libraries.mjs";

const web = dirname(fileURLToPath(import.meta.url));

/** Every file below a folder, from the folder of this script. */
function filesBelow(folder) {
  return readdirSync(join(web, folder), { withFileTypes: true }).flatMap((entry) => (
    entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
}

const tests = filesBelow("tests").filter((path) => path.endsWith(".test.ts"));
// The tables of words are loaded one by one by their test, so that it finds new ones by itself.
const tables = filesBelow("src").filter((path) => path.endsWith("/words.ts") && path !== "src/language/words.ts");
const work = mkdtempSync(join(tmpdir(), "trackme-web-tests-"));
try {
  execFileSync("tsc", ["-p", "."], { cwd: web, stdio: "inherit" });
  execFileSync("esbuild", [
    ...tests, ...tables, "--bundle", "--platform=node", "--format=esm", ...libraries, "--target=node18",
    "--out-extension:.js=.mjs", "--outbase=.", `--outdir=${work}`, "--log-level=warning",
  ], { cwd: web, stdio: "inherit", env: environment });
  const built = tests.map((path) => join(work, path.replace(/\.ts$/, ".mjs")));
  const { status } = spawnSync(process.execPath, ["--test", ...built], { cwd: web, stdio: "inherit" });
  process.exitCode = status ?? 1;
} catch (failure) {
  // tsc and esbuild have said what is wrong.
  if (failure.status === undefined) throw failure;
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
