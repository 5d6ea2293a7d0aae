// Locates files of the package that are read by path.
import { existsSync } from "node:fs"
import { dirname } from "node:path"

/** The package's directory with a trailing slash, whether this file runs from source, a bundle or an executable. */
export const root = `${packageDirectory(import.meta.dirname)}/`

/** The path of one of our own programs below `root`; an executable contains it as JavaScript. */
export function programPath(name: string): string {
  const path = `${root}${name}.ts`
  return existsSync(path) ? path : `${root}${name}.js`
}

/** The nearest directory with a package.json; an executable has none, so `directory` itself. */
function packageDirectory(directory: string): string {
  for (let parent = directory; ; parent = dirname(parent)) {
    if (existsSync(`${parent}/package.json`)) return parent
    if (dirname(parent) === parent) return directory
  }
}
