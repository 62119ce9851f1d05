// Debian's libraries that pages are bundled with.

/** Where d3 is, with the versions that made the committed file. */
export const librariesFolder = "/usr/share/nodejs";
export const versions = { "d3-array": "3.2.0", "d3-format": "1.4.1", "d3-scale": "2.2.2", "d3-shape": "1.3.7" };

export const leafletFolder = "/usr/share/javascript/leaflet";

/** How esbuild finds them, and what they bring besides scripts; to be run in `environment`. */
export const librariesIn = (folder) => [`--alias:leaflet=${folder}/leaflet`, "--loader:.png=dataurl"];
export const libraries = librariesIn("/usr/share/javascript");
export const environment = { ...process.env, NODE_PATH: librariesFolder };
