// Reads and checks the file of a ui-parser, and starts it in a worker.
import { readFile, stat } from "node:fs/promises"
import { extname } from "node:path"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { WorkerHost } from "./worker-host.ts"

/** The size limit of a parser (docs/decisions.md 8.8). */
const PARSER_BYTES = 256 * 1024

/** Starts the parser in the file at `path`. Rejects with an Error whose message says briefly why it can't. */
export async function loadParser(path: string): Promise<WorkerHost> {
  return await WorkerHost.open(await commonJs(await readText(path), extname(path)))
}

/** As `loadParser`, for this program's own parser, which is several files unless it is part of an executable. */
export async function loadOwnParser(path: string): Promise<WorkerHost> {
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
