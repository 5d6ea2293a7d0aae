// Chooses the parser for a guest: a reader of ours, a file, or a package that exports one by Paperclip's contract.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { readFile, stat } from "node:fs/promises"
import { dirname, extname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { headLines, isFrame } from "../../packages/wire/src/files/recording-path.ts"
import { isObject, type Json } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { programPath } from "../transport/package-files.ts"
import { type CliName, cliOfCommand, cliOfLine, flagsHint, isCliName, OWN_PARSER } from "./cli-names.ts"
import { FIRST_LINES, GuestParser } from "./guest-parser.ts"
import { isDatabase } from "./opencode-database.ts"
import { WorkerHost } from "./worker-host.ts"

/** The size limit of a parser (docs/decisions.md 8.8). */
const PARSER_BYTES = 256 * 1024

/** Starts the parser in the file at `path`. Rejects with an Error whose message says briefly why it can't. */
export async function loadParser(path: string): Promise<WorkerHost> {
  return await WorkerHost.open(await commonJs(await readText(path), extname(path)))
}

/** As `loadParser`, for this program's own parser, which is several files unless it is part of an executable. */
async function loadOwnParser(path: string): Promise<WorkerHost> {
  if (path.endsWith(".js")) return await loadParser(path)
  return await WorkerHost.open(await build({ entrypoints: [path] }))
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > PARSER_BYTES) throw new Error(`${size} bytes is more than the limit of ${PARSER_BYTES}`)
  return await readFile(path, "utf8")
}

/** The program as CommonJS, from either module format. Nothing is run; a program that imports anything is refused. */
async function commonJs(text: string, extension: string): Promise<string> {
  const loader = extension === ".ts" ? "ts" : "js"
  const imports = scan(text, loader)
  if (imports.length > 0) throw new Error(`it imports ${sanitizeLine(imports.join(", "))}`)
  const entry = `/guest/parser${extension}`
  const program = await build({ entrypoints: [entry], files: { [entry]: text } })
  if (/\bimport\s*\(/.test(program)) throw new Error("it uses a dynamic import")
  return program
}

async function build(input: { entrypoints: string[]; files?: Record<string, string> }): Promise<string> {
  // The `paths` of the working directory's tsconfig.json could put another program in place of this one.
  const fixed = { format: "cjs", target: "browser", tsconfig: "/dev/null", throw: false } as const
  const { success, logs, outputs } = await Bun.build({ ...input, ...fixed })
  const built = outputs[0]
  if (!success || built === undefined) throw new Error(logs[0]?.message ?? "it can't be compiled")
  return await built.text()
}

function scan(text: string, loader: "js" | "ts"): readonly string[] {
  try {
    return new Bun.Transpiler({ loader }).scanImports(text).map(({ path }) => path)
  } catch {
    // The build reports what is wrong.
    return []
  }
}

const CONTRACT = "1"
const EXPORT = "./ui-parser"
const PACKAGE = /^(?:@[a-z0-9-~][\w.~-]*\/)?[a-z0-9-~][\w.~-]*$/i
const PROGRAM = new Set([".js", ".cjs", ".mjs", ".ts"])
const MANIFEST_BYTES = 1024 * 1024
const LOG_EXTENSIONS = new Set([".log", ".ndjson", ".zst"])

/** The parser of a guest. `showsUnknown`: every line of an unknown kind is shown, not only the first. */
export type ParserChoice = { readonly showsUnknown?: boolean } & Chosen

type Chosen =
  /** `name` is the requested name, sanitized. */
  | { readonly type: "file"; readonly name: string; readonly path: string }
  /** The package has no usable parser. `why` is the warning; the generic parser is used. */
  | { readonly type: "none"; readonly why: string }
  | { readonly type: "cli"; readonly cli: CliName }
  /** The first lines decide: a CLI that we read, else the generic parser. `hint` is shown. */
  | { readonly type: "open"; readonly hint: string | null }
  | { readonly type: "own" }

/**
 * The parser for a CLI that we read, a file, a package or our own name, resolved from `from`. Without a name the
 * command chooses, or the first lines do. Throws a one-line Error if there is none.
 */
export function chooseParser(name: string | undefined, from: string, command: readonly string[] = []): ParserChoice {
  if (name === undefined) return parserForCommand(command)
  if (name === OWN_PARSER) return { type: "own" }
  if (isCliName(name)) return { type: "cli", cli: name }
  const path = resolve(from, name)
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat?.isFile()) {
    if (!PROGRAM.has(extname(path))) throw missing(name, "not a JavaScript file")
    return { type: "file", name: sanitizeLine(name), path }
  }
  if (existsSync(join(path, "package.json"))) return inPackage(name, path)
  if (!PACKAGE.test(name)) throw missing(name, stat === undefined ? "no such file" : "no package.json in it")
  const directory = packageDirectory(name, from) ?? packageDirectory(name, dirname(fileURLToPath(import.meta.url)))
  if (directory === null) throw missing(name, "no such file or installed package")
  return inPackage(name, directory)
}

/** The parser for the CLI that a command starts, if it is started so that it streams. */
function parserForCommand(command: readonly string[]): ParserChoice {
  const cli = cliOfCommand(command)
  const hint = cli === null ? null : flagsHint(cli, command)
  return cli === null || hint !== null ? { type: "open", hint } : { type: "cli", cli }
}

function missing(name: string, why: string): Error {
  return new Error(`--parser ${sanitizeLine(name)}: ${why}`)
}

/** The directory of an installed package: in the nearest node_modules of `from` or a parent that has it. */
function packageDirectory(name: string, from: string): string | null {
  for (let parent = resolve(from); ; parent = dirname(parent)) {
    const directory = join(parent, "node_modules", name)
    if (existsSync(join(directory, "package.json"))) return directory
    if (dirname(parent) === parent) return null
  }
}

function inPackage(name: string, directory: string): ParserChoice {
  const none = (why: string): ParserChoice => ({ type: "none", why: `${sanitizeLine(name)}: ${why}` })
  const manifest = readManifest(join(directory, "package.json"))
  if (manifest === null || !isObject(manifest)) return none("can't read its package.json")
  const version = isObject(manifest.paperclip) ? manifest.paperclip.adapterUiParser : undefined
  const refusal = versionRefusal(version)
  if (refusal !== null) return none(refusal)
  const target = isObject(manifest.exports) ? targetOf(manifest.exports[EXPORT]) : null
  if (target === null) return none(`it exports no ${EXPORT}`)
  const path = fileInside(directory, target)
  if (path === null) return none(`its ${EXPORT} is not a file in the package`)
  return PROGRAM.has(extname(path))
    ? { type: "file", name: sanitizeLine(name), path }
    : none(`its ${EXPORT} is not a JavaScript file`)
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
    return !below.startsWith(`..${sep}`) && statSync(path).isFile() ? path : null
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

/** Starts to load a parser. */
export function startParser(choice: ParserChoice): GuestParser {
  switch (choice.type) {
    case "open":
      return new GuestParser("the generic parser", null, choice.hint, cliOfLine, choice.showsUnknown)
    case "none":
      return new GuestParser("the generic parser", null, `${choice.why}; using the generic parser`)
    case "cli":
      return new GuestParser(choice.cli, null, null, choice.cli, choice.showsUnknown)
    case "own":
      return new GuestParser(OWN_PARSER, () =>
        loadOwnParser(programPath("packages/paperclip-adapter-escapement/src/ui-parser")),
      )
    case "file":
      return new GuestParser(choice.name, () => loadParser(choice.path))
  }
}

/**
 * True for a file with no frame among its first lines, that has the extension of a log or one of whose first lines is
 * of a CLI that we read, and for the database of one. Never throws.
 */
export function isLog(path: string): boolean {
  try {
    if (isDatabase(path)) return true
    const lines = headLines(path).filter(line => line.trim() !== "")
    if (lines.length === 0 || lines.some(isFrame)) return false
    return LOG_EXTENSIONS.has(extname(path)) || lines.slice(0, FIRST_LINES).some(line => cliOfLine(line) !== null)
  } catch {
    return false
  }
}
