// Knows where the files are that come with the program and are read by their paths.
import { existsSync } from "node:fs"
import { dirname } from "node:path"

/** The package's directory, with a slash at its end, wherever in it this file, or the bundle that it is part of, stands. */
export const root = `${above(import.meta.dir)}/`

/** The path of one of our own programs, from `root`; in an executable it has become JavaScript. */
export function programPath(name: string): string {
  const path = `${root}${name}.ts`
  return existsSync(path) ? path : `${root}${name}.js`
}

/** The nearest directory that holds a package; of an executable, which holds none, the one that all of it is in. */
function above(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(`${at}/package.json`)) return at
    if (dirname(at) === at) return directory
  }
}
