// Resolves the name of a ui-parser: a file, or a package that exports one (Paperclip's contract for parsers).
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, extname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { isObject, type Json } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"

/** The supported major version of the contract. */
const CONTRACT = "1"
const EXPORT = "./ui-parser"
const PACKAGE = /^(?:@[a-z0-9-~][\w.~-]*\/)?[a-z0-9-~][\w.~-]*$/i
const PROGRAM = new Set([".js", ".cjs", ".mjs", ".ts"])
const MANIFEST_BYTES = 1024 * 1024

export type FoundParser =
  | { readonly type: "file"; readonly path: string }
  /** The package exists but has no usable parser. `why` is the warning; the generic parser is used. */
  | { readonly type: "none"; readonly why: string }
  /** Nothing with this name exists. */
  | { readonly type: "missing"; readonly why: string }

/** The parser named `name`, resolved from the directory `from`. Never throws. */
export function findParser(name: string, from: string): FoundParser {
  const path = resolve(from, name)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile())
    return PROGRAM.has(extname(path)) ? { type: "file", path } : missing(name, "not a JavaScript file")
  if (stat?.isDirectory() && existsSync(join(path, "package.json"))) return inPackage(name, path)
  if (!PACKAGE.test(name)) return missing(name, stat === undefined ? "no such file" : "no package.json in it")
  const directory = packageDirectory(name, from) ?? packageDirectory(name, dirname(fileURLToPath(import.meta.url)))
  return directory === null ? missing(name, "no such file or installed package") : inPackage(name, directory)
}

function missing(name: string, why: string): FoundParser {
  return { type: "missing", why: `${sanitizeLine(name)}: ${why}` }
}

/** The directory of an installed package: in the nearest node_modules of `from` or a parent that has it. */
function packageDirectory(name: string, from: string): string | null {
  for (let parent = resolve(from); ; parent = dirname(parent)) {
    const directory = join(parent, "node_modules", name)
    if (existsSync(join(directory, "package.json"))) return directory
    if (dirname(parent) === parent) return null
  }
}

function inPackage(name: string, directory: string): FoundParser {
  const none = (why: string): FoundParser => ({ type: "none", why: `${sanitizeLine(name)}: ${why}` })
  const manifest = readManifest(join(directory, "package.json"))
  if (manifest === null || !isObject(manifest)) return none("can't read its package.json")
  const version = isObject(manifest.paperclip) ? manifest.paperclip.adapterUiParser : undefined
  const refusal = versionRefusal(version)
  if (refusal !== null) return none(refusal)
  const target = isObject(manifest.exports) ? targetOf(manifest.exports[EXPORT]) : null
  if (target === null) return none(`it exports no ${EXPORT}`)
  const path = fileInside(directory, target)
  if (path === null) return none(`its ${EXPORT} is not a file in the package`)
  return PROGRAM.has(extname(path)) ? { type: "file", path } : none(`its ${EXPORT} is not a JavaScript file`)
}

/** Why a declared version of the contract is refused; null if accepted. A missing version is accepted. */
function versionRefusal(version: Json | undefined): string | null {
  if (version === undefined || version === null) return null
  if (typeof version !== "string") return "its parser contract version is not text"
  const [major] = version.split(".")
  return major === CONTRACT
    ? null
    : `it has version ${sanitizeLine(version)} of the parser contract; ${CONTRACT}.x is supported`
}

/** The target of an export, as Paperclip's loader reads it: a string, or the condition `import`, else `default`. */
function targetOf(value: Json | undefined): string | null {
  if (typeof value === "string") return value
  if (!isObject(value)) return null
  return targetOf(value.import) ?? targetOf(value.default)
}

/** The real path of `target` in a package; null if it isn't a file or is outside the package. */
function fileInside(directory: string, target: string): string | null {
  try {
    const root = realpathSync(directory)
    const path = realpathSync(resolve(root, target))
    const below = relative(root, path)
    return below !== "" && !below.startsWith(`..${sep}`) && below !== ".." && statSync(path).isFile() ? path : null
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
