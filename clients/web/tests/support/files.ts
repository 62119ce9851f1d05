import { readdirSync, statSync } from "node:fs";

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
