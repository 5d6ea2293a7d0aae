// Finds the ui-parser that a name means: a file, or what a package exports for it (Paperclip's contract for parsers).
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, extname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { isObject, type Json } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"

/** The major version of the contract that this program speaks. */
const CONTRACT = "1"
const EXPORT = "./ui-parser"
const PACKAGE = /^(?:@[a-z0-9-~][\w.~-]*\/)?[a-z0-9-~][\w.~-]*$/i
const PROGRAM = new Set([".js", ".cjs", ".mjs", ".ts"])
const MANIFEST_BYTES = 1024 * 1024

export type FoundParser =
  | { readonly type: "file"; readonly path: string }
  /** The package is there and has no parser for us: a warning in words, and the generic parser. */
  | { readonly type: "none"; readonly why: string }
  /** Nothing of this name is there. */
  | { readonly type: "missing"; readonly why: string }

/** The parser called `name`, as seen from the directory `from`. Never throws. */
export function findParser(name: string, from: string): FoundParser {
  const path = resolve(from, name)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) return PROGRAM.has(extname(path)) ? { type: "file", path } : missing(name, "is no JavaScript")
  if (stat?.isDirectory() && existsSync(join(path, "package.json"))) return inPackage(name, path)
  if (!PACKAGE.test(name)) return missing(name, stat === undefined ? "no such file" : "has no package.json")
  const directory = packageDirectory(name, from) ?? packageDirectory(name, dirname(fileURLToPath(import.meta.url)))
  return directory === null
    ? missing(name, "no such file, and no package of this name is installed here")
    : inPackage(name, directory)
}

function missing(name: string, why: string): FoundParser {
  return { type: "missing", why: `${sanitizeLine(name)}: ${why}` }
}

/** Where a package is installed for whoever stands in `from`: in the nearest node_modules that has it. */
function packageDirectory(name: string, from: string): string | null {
  for (let at = resolve(from); ; at = dirname(at)) {
    const directory = join(at, "node_modules", name)
    if (existsSync(join(directory, "package.json"))) return directory
    if (dirname(at) === at) return null
  }
}

function inPackage(name: string, directory: string): FoundParser {
  const none = (why: string): FoundParser => ({ type: "none", why: `${sanitizeLine(name)}: ${why}` })
  const manifest = readManifest(join(directory, "package.json"))
  if (manifest === null || !isObject(manifest)) return none("its package.json cannot be read")
  const version = isObject(manifest.paperclip) ? manifest.paperclip.adapterUiParser : undefined
  const refusal = versionRefusal(version)
  if (refusal !== null) return none(refusal)
  const target = isObject(manifest.exports) ? targetOf(manifest.exports[EXPORT]) : null
  if (target === null) return none(`it exports no ${EXPORT}`)
  const path = inside(directory, target)
  if (path === null) return none(`its ${EXPORT} is no file within the package`)
  return PROGRAM.has(extname(path)) ? { type: "file", path } : none(`its ${EXPORT} is no JavaScript`)
}

/** Why a declared version of the contract is refused; a missing one is accepted for now. */
function versionRefusal(version: Json | undefined): string | null {
  if (version === undefined || version === null) return null
  if (typeof version !== "string") return "its version of the parser contract is no text"
  const [major] = version.split(".")
  return major === CONTRACT
    ? null
    : `it speaks version ${sanitizeLine(version)} of the parser contract, not ${CONTRACT}.x`
}

/** As Paperclip's loader reads an export: a text, or what `import` or else `default` says. */
function targetOf(value: Json | undefined): string | null {
  if (typeof value === "string") return value
  if (!isObject(value)) return null
  return targetOf(value.import) ?? targetOf(value.default)
}

/** The file that `target` names in a package, links resolved; null where there is none or it lies elsewhere. */
function inside(directory: string, target: string): string | null {
  try {
    const root = realpathSync(directory)
    const path = realpathSync(resolve(root, target))
    const way = relative(root, path)
    return way !== "" && !way.startsWith(`..${sep}`) && way !== ".." && statSync(path).isFile() ? path : null
  } catch {
    return null
  }
}

function readManifest(path: string): Json {
  try {
    return statSync(path).size > MANIFEST_BYTES ? null : JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return null
  }
}
