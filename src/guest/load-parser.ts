// Reads the file of a ui-parser as text, refuses what no parser may be, and starts the rest in a cell.
import { readFile, stat } from "node:fs/promises"
import { extname } from "node:path"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { WorkerHost } from "./worker-host.ts"

/** docs/decisions.md 8.8. */
const PARSER_BYTES = 256 * 1024

/** The parser in the file at `path`, started. Rejects with an Error of a few words that say why it cannot be. */
export async function loadParser(path: string): Promise<WorkerHost> {
  return await WorkerHost.open(await commonJs(await readText(path), extname(path)))
}

/** This program's own parser, which stands in several files unless an executable holds it. As `loadParser`. */
export async function loadOwnParser(path: string): Promise<WorkerHost> {
  if (path.endsWith(".js")) return await loadParser(path)
  return await WorkerHost.open(await build({ entrypoints: [path] }))
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > PARSER_BYTES) throw new Error(`it has ${size} bytes, more than ${PARSER_BYTES}`)
  return await readFile(path, "utf8")
}

/**
 * The program as CommonJS, whichever it was. Nothing is resolved or run for that: a text that imports anything has been
 * refused before.
 */
async function commonJs(text: string, extension: string): Promise<string> {
  const loader = extension === ".ts" ? "ts" : "js"
  const imports = scan(text, loader)
  if (imports.length > 0) throw new Error(`it imports ${sanitizeLine(imports.join(", "))}`)
  const entry = `/guest/parser${extension}`
  const program = await build({ entrypoints: [entry], files: { [entry]: text } })
  if (/\bimport\s*\(/.test(program)) throw new Error("it imports what only its run would tell")
  return program
}

async function build(input: { entrypoints: string[]; files?: Record<string, string> }): Promise<string> {
  const { success, logs, outputs } = await Bun.build({ ...input, format: "cjs", target: "browser", throw: false })
  const built = outputs[0]
  if (!success || built === undefined) throw new Error(logs[0]?.message ?? "it is no program")
  return await built.text()
}

function scan(text: string, loader: "js" | "ts"): readonly string[] {
  try {
    return new Bun.Transpiler({ loader }).scanImports(text).map(({ path }) => path)
  } catch {
    // The build says in words what is wrong with it.
    return []
  }
}
