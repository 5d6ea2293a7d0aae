// Chooses the parser for a guest, and recognizes saved logs.
import { closeSync, openSync, readSync } from "node:fs"
import { extname } from "node:path"
import { decode } from "../protocol/decode.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { programPath } from "../transport/package-files.ts"
import { findParser } from "./find-parser.ts"
import { GuestParser } from "./guest-parser.ts"
import { loadOwnParser, loadParser } from "./load-parser.ts"

/** The name of this program's own parser. */
const OWN = "escapement"
const LOG_EXTENSIONS = new Set([".log", ".ndjson"])
/** Bytes that are read to recognize a file. */
const HEAD_BYTES = 64 * 1024

/** The parser to use: a file, our own, the generic one, or none with a warning, which also means the generic one. */
export type ParserChoice =
  /** `name` is the requested name, sanitized. */
  | { readonly type: "file"; readonly name: string; readonly path: string }
  | { readonly type: "none"; readonly why: string }
  | { readonly type: "own" | "generic" }

/** The parser for a file, a package or our own name, resolved from `from`. Throws a one-line Error if there is none. */
export function chooseParser(name: string | undefined, from: string): ParserChoice {
  if (name === undefined) return { type: "generic" }
  if (name === OWN) return { type: "own" }
  const found = findParser(name, from)
  if (found.type === "missing") throw new Error(`--parser ${found.why}`)
  return found.type === "file" ? { ...found, name: sanitizeLine(name) } : found
}

/** Starts to load a parser. */
export function startParser(choice: ParserChoice): GuestParser {
  switch (choice.type) {
    case "generic":
      return new GuestParser("the generic parser", null)
    case "none":
      return new GuestParser("the generic parser", null, choice.why)
    case "own":
      return new GuestParser(OWN, () => loadOwnParser(programPath("src/paperclip/ui-parser")))
    case "file":
      return new GuestParser(choice.name, () => loadParser(choice.path))
  }
}

/** True for a file with the extension of a log that doesn't begin with a frame. Never throws. */
export function isLog(path: string): boolean {
  if (!LOG_EXTENSIONS.has(extname(path))) return false
  try {
    const fd = openSync(path, "r")
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      const text = head.toString("utf8", 0, readSync(fd, head, 0, HEAD_BYTES, 0))
      const first = text.split("\n").find(line => line.trim() !== "")
      return first !== undefined && decode(first).kind === "malformed"
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}
