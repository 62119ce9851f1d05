// Debian's libraries that pages are bundled with.

/** Where d3 is, and the versions that made the committed file. */
export const librariesFolder = "/usr/share/nodejs";
export const versions = { "d3-array": "3.2.0", "d3-format": "1.4.1", "d3-scale": "2.2.2", "d3-shape": "1.3.7" };

/** How esbuild finds them, and what they bring besides scripts; to be run in `environment`. */
export const libraries = ["--alias:leaflet=/usr/share/javascript/leaflet", "--loader:.png=dataurl"];
export const environment = { ...process.env, NODE_PATH: librariesFolder };
