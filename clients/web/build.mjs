// Type-checks and bundles the pages, and packs them into the one file that is built into the server.
//
//   node clients/web/build.mjs            writes Sources/Libraries/CWebAssets/assets.bin, and clients/web/dist to see
//   node clients/web/build.mjs --check    fails where the committed file is not what the sources give
//
// The same sources and the same versions of the tools give the same bytes, wherever the repository lies.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment, leafletFolder, libraries, librariesFolder, librariesIn, versions } from "./libraries.mjs";
import { tooHeavy, weights } from "./weights.mjs";

/** The tools of Debian 12 that made the committed file, and how each tells its version. */
const tools = {
  tsc: { version: "4.8.4", arguments: ["--version"] },
  esbuild: { version: "0.17.0", arguments: ["--version"] },
  brotli: { version: "1.0.9", arguments: ["--version"] },
  gzip: { version: "1.12", arguments: ["--version"] },
};

const web = dirname(fileURLToPath(import.meta.url));
const packed = join(web, "../../Sources/Libraries/CWebAssets/assets.bin");
const contentTypes = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

const run = (tool, args, input, cwd = web) => (
  execFileSync(tool, args, { cwd, input, env: environment, maxBuffer: 1 << 28 }));

/** "NAME is VERSION here" for each tool and library of another version than the pinned one. */
function otherVersions() {
  const used = Object.entries(tools).map(([name, tool]) => (
    { name, version: tool.version, found: /\d+(\.\d+)+/.exec(String(run(name, tool.arguments)))?.[0] }));
  for (const [name, version] of Object.entries(versions)) {
    const about = JSON.parse(readFileSync(join(librariesFolder, name, "package.json"), "utf8"));
    used.push({ name, version, found: about.version });
  }
  return used.flatMap(({ name, version, found }) => (
    found === version ? [] : [`${name} is ${found} here, and was ${version}`]));
}

const extension = (path) => path.slice(path.lastIndexOf(".") + 1);
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** The bundles with names that change with what is in them, by path; and which of them index.html names. */
function bundle(work) {
  const out = join(work, "assets");
  // The name of a bundle also depends on where its parts lie, seen from here: so sources and libraries lie beside each other.
  symlinkSync(join(web, "src"), join(work, "src"));
  symlinkSync(librariesFolder, join(work, "node_modules"));
  symlinkSync(leafletFolder, join(work, "leaflet"));
  run("esbuild", [
    "src/shell/main.ts", "src/static/style.css", "--bundle", "--splitting", "--format=esm", "--target=es2020",
    ...librariesIn(work), "--preserve-symlinks", "--minify", "--charset=utf8", "--legal-comments=eof",
    "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", `--outdir=${out}`,
    `--metafile=${join(work, "meta.json")}`, "--log-level=warning",
  ], undefined, work);
  const files = new Map(readdirSync(out).sort().map((name) => [`/assets/${name}`, readFileSync(join(out, name))]));
  const icon = readFileSync(join(web, "src/static/icon.svg"));
  const iconPath = `/assets/icon-${hash(icon)}.svg`;
  files.set(iconPath, icon);

  const { outputs } = JSON.parse(readFileSync(join(work, "meta.json"), "utf8"));
  const assetPath = (output) => `/assets/${output.slice(output.lastIndexOf("/") + 1)}`;
  const outputOf = (entry) => Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  const [script, { imports }] = outputOf("src/shell/main.ts");
  const [style] = outputOf("src/static/style.css");
  // What the script needs at once is fetched beside it, not after it.
  const needed = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => assetPath(path)).sort();
  return { files, outputs, icon: iconPath, style: assetPath(style), script: assetPath(script), needed };
}

/** The shell that every page's address is answered with. */
function shell({ icon, style, script, needed }) {
  const modules = [
    ...needed.map((path) => `<link rel="modulepreload" href="${path}">`),
    `<script type="module" src="${script}"></script>`,
  ];
  return Buffer.from(
    readFileSync(join(web, "src/static/index.html"), "utf8")
      .replace("{{icon.svg}}", icon).replace("{{style.css}}", style).replace("{{modules}}", modules.join("\n")));
}

/** The addresses of the pages, out of the routes themselves. */
async function pageAddresses(work) {
  const file = join(work, "routes.mjs");
  run("esbuild", [
    "src/shell/routes.ts", "--bundle", "--format=esm", ...libraries, `--outfile=${file}`, "--log-level=warning",
  ]);
  const { routes } = await import(file);
  return routes.map(({ address }) => address);
}

/**
 * One file: an index in lines of text with tabs between their columns, an empty line, and the bytes.
 *
 *   page   ADDRESS
 *   file   PATH  TYPE  immutable|changing  HASH  LENGTH  BROTLI  GZIP
 *
 * The bytes of the files follow each other in this order, each as it is, then by brotli, then by gzip, with these
 * lengths; a length of 0 means that compression makes it no smaller. /index.html is what pages are answered with.
 */
function pack(addresses, files) {
  const lines = addresses.map((address) => `page\t${address}\n`);
  const parts = [];
  for (const [path, bytes] of files) {
    const compressed = [run("brotli", ["-q", "11", "-c", "-"], bytes), run("gzip", ["-9nc"], bytes)].map(
      (smaller) => (smaller.length < bytes.length ? smaller : Buffer.alloc(0)));
    const life = path.startsWith("/assets/") ? "immutable" : "changing";
    lines.push(["file", path, contentTypes[extension(path)], life, hash(bytes), bytes.length,
      ...compressed.map(({ length }) => length)].join("\t") + "\n");
    parts.push(bytes, ...compressed);
  }
  return Buffer.concat([Buffer.from(lines.join("") + "\n"), ...parts]);
}

/** The index of a packed file, as text. */
const indexOf = (bytes) => bytes.subarray(0, bytes.indexOf("\n\n") + 1).toString();

/** The lines of one text that another has not. */
const linesOnlyIn = (one, other) => one.split("\n").filter((line) => !other.split("\n").includes(line));

const work = mkdtempSync(join(tmpdir(), "trackme-web-"));
try {
  try {
    run("tsc", ["-p", "."]);
  } catch (failure) {
    console.error(String(failure.stdout));
    process.exitCode = 1;
    throw new Error("the sources have errors of type");
  }
  const bundles = bundle(work);
  const files = new Map([
    ["/index.html", shell(bundles)], ["/licences.txt", readFileSync(join(web, "src/static/licences.txt"))],
    ...bundles.files,
  ]);
  const heavy = tooHeavy(weights(web, bundles.outputs, files));
  if (heavy.length > 0) {
    process.exitCode = 1;
    throw new Error(heavy.join("\n"));
  }
  const fresh = pack(await pageAddresses(work), files);
  if (process.argv.includes("--check")) {
    const committed = readFileSync(packed);
    if (!committed.equals(fresh)) {
      console.error("Sources/Libraries/CWebAssets/assets.bin is stale: run make web");
      for (const line of linesOnlyIn(indexOf(committed), indexOf(fresh))) console.error(`- ${line}`);
      for (const line of linesOnlyIn(indexOf(fresh), indexOf(committed))) console.error(`+ ${line}`);
      const others = otherVersions();
      if (others.length > 0) {
        console.error(`The tools are not those of Debian 12, which alone may be why: ${others.join("; ")}.`);
      }
      process.exitCode = 1;
    }
  } else {
    for (const other of otherVersions()) console.error(`warning: ${other}: make check-web may find other bytes`);
    writeFileSync(packed, fresh);
    const dist = join(web, "dist");
    rmSync(dist, { recursive: true, force: true });
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(dist, path)), { recursive: true });
      writeFileSync(join(dist, path), bytes);
    }
    process.stdout.write(indexOf(fresh));
  }
} catch (failure) {
  if (process.exitCode !== 1) throw failure;
  console.error(failure.message);
} finally {
  rmSync(work, { recursive: true, force: true });
}
