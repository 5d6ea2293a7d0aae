// Decides which parser reads a guest, and which files are logs of one.
import { closeSync, openSync, readSync } from "node:fs"
import { extname } from "node:path"
import { decode } from "../protocol/decode.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { programPath } from "../transport/package-files.ts"
import { findParser } from "./find-parser.ts"
import { GuestParser } from "./guest-parser.ts"
import { loadOwnParser, loadParser } from "./load-parser.ts"

/** The name that stands for this program's own parser. */
const OWN = "escapement"
const LOGS = new Set([".log", ".ndjson"])
/** As much of a file as is looked at to see what it is. */
const HEAD_BYTES = 64 * 1024

/** The parser that was asked for, and what became of the wish. `generic` where none was asked for. */
export type Choice =
  /** `name` as it was asked for, inert. */
  | { readonly type: "file"; readonly name: string; readonly path: string }
  | { readonly type: "none"; readonly why: string }
  | { readonly type: "own" | "generic" }

/** The parser called `name` (a file, a package, or our own), as seen from `from`. Throws an Error of one line where nothing of this name is there. */
export function chooseParser(name: string | undefined, from: string): Choice {
  if (name === undefined) return { type: "generic" }
  if (name === OWN) return { type: "own" }
  const found = findParser(name, from)
  if (found.type === "missing") throw new Error(`--parser ${found.why}`)
  return found.type === "file" ? { ...found, name: sanitizeLine(name) } : found
}

/** Begins to load what was chosen. */
export function openParser(choice: Choice): GuestParser {
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

/** True for a file that is called a log and does not begin with a frame of the wire. Never throws. */
export function isLog(path: string): boolean {
  if (!LOGS.has(extname(path))) return false
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
