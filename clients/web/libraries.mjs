/** How esbuild finds the libraries of Debian that pages are bundled with, and what they bring besides scripts. */
export const libraries = ["--alias:leaflet=/usr/share/javascript/leaflet", "--loader:.png=dataurl"];
