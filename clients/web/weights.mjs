// What each page weighs: everything that a browser without anything of the site loads until it is there, by brotli.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

/** The most that a page may weigh, in bytes, by what it needs: the first that it has counts. */
const limits = [
  { what: "the map of Italy", folder: "src/expenditure/map_view", bytes: 100 * 1024 },
  { what: "a map", folder: "src/map/", bytes: 160 * 1024 },
  { what: "charts", folder: "src/charts/", bytes: 120 * 1024 },
  { what: "neither map nor charts", folder: "", bytes: 60 * 1024 },
];
/** What everybody loads first stays light, whatever is on it. */
const plainPages = ["/", "/sign-in"];

/** Each page's address and module, out of the text of the routes. */
function pages(web) {
  const routes = readFileSync(join(web, "src/shell/routes.ts"), "utf8");
  const found = [...routes.matchAll(/address: "([^"]+)"[^]*?import\("\.\.\/([^"]+)\.js"\)/g)];
  return found.map(([, address, module]) => ({ address, entry: `src/${module}.ts` }));
}

/**
 * The weight of each page.
 *
 * @param outputs of esbuild's metafile.
 * @param files the bytes of what is served, by path; a bundle's path ends with the name of its output.
 * @returns address, bytes, and the limit that holds for it.
 */
export function weights(web, outputs, files) {
  const compressed = new Map([...files].map(([path, bytes]) => (
    [path, Math.min(brotliCompressSync(bytes).length, bytes.length)])));
  const nameOf = (entry) => Object.keys(outputs).find((name) => outputs[name].entryPoint === entry);
  const reached = (name, into) => {
    if (name === undefined || into.has(name)) return into;
    into.add(name);
    for (const { path, kind } of outputs[name].imports) if (kind === "import-statement") reached(path, into);
    return into;
  };
  const always = [...files.keys()].filter((path) => !path.endsWith(".js"));
  return pages(web).map(({ address, entry }) => {
    if (nameOf(entry) === undefined) throw new Error(`there is no bundle of ${entry}`);
    const bundles = reached(nameOf(entry), reached(nameOf("src/shell/main.ts"), new Set()));
    const inputs = [...bundles].flatMap((name) => Object.keys(outputs[name].inputs));
    const paths = [...always, ...[...bundles].map((name) => `/assets/${name.slice(name.lastIndexOf("/") + 1)}`)];
    const bytes = paths.reduce((sum, path) => sum + compressed.get(path), 0);
    const needs = plainPages.includes(address) ? [] : inputs;
    const limit = limits.find(({ folder }) => folder === "" || needs.some((input) => input.startsWith(folder)));
    return { address, bytes, limit };
  });
}

/** A line for each page that weighs more than it may. */
export function tooHeavy(weights) {
  const kilobytes = (bytes) => (bytes / 1024).toFixed(1);
  return weights.filter(({ bytes, limit }) => bytes > limit.bytes).map(({ address, bytes, limit }) => (
    `${address} weighs ${kilobytes(bytes)} KB; with ${limit.what} it may weigh ${kilobytes(limit.bytes)}`));
}
