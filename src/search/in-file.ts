// Searches one file of a session directory: the strings of a capture, or the lines of an artifact.
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { SessionDirectory } from "../session-dir/session-directory.ts"
import { ednTexts } from "./edn-text.ts"
import type { CaptureOwner } from "./place-map.ts"
import type { HitKind, SearchHit, SearchOptions, TextFinder } from "./search-hit.ts"

/** A file to search and the owner of its texts. */
export interface SearchedFile {
  readonly directory: SessionDirectory
  /** Raw, relative to the directory. */
  readonly name: string
  readonly owner: CaptureOwner
}

/** Bytes of an artifact read at a time. */
const PIECE = 4 * 1024 * 1024

/** The hits in a capture, in its first 16 MB. */
export async function* searchCapture(
  { directory, name, owner }: SearchedFile,
  finder: TextFinder,
  { warn }: Pick<SearchOptions, "warn">,
): AsyncGenerator<SearchHit> {
  const { error, value: piece } = await directory.read(name, 0)
  if (piece === undefined) return warn(error)
  if (piece.end < piece.size) warn(`${sanitizeLine(name)}: searched only the first 16 MB`)
  const what = kindOfCapture(name)
  for (const { text, line } of ednTexts(piece.text)) {
    yield* finder.in(text, what, { file: name, line, seq: null }, owner, "once")
  }
}

/** The hits in an artifact, all of it unless it is binary. */
export async function* searchArtifact(
  { directory, name, owner }: SearchedFile,
  finder: TextFinder,
  { warn, signal }: Pick<SearchOptions, "warn" | "signal">,
): AsyncGenerator<SearchHit> {
  let line = 1
  let from = 0
  let rest = ""
  for (;;) {
    const { error, value: piece } = await directory.read(name, from, PIECE)
    if (piece === undefined) return warn(error)
    if (piece.text.includes("\0") || signal?.aborted === true) return
    const isEnd = piece.end >= piece.size || piece.end === from
    const text = rest + piece.text
    // A line that continues in the next piece is searched with it, unless it is too long.
    const end = isEnd || text.length > 2 * PIECE ? text.length : text.lastIndexOf("\n") + 1
    const complete = text.slice(0, end)
    yield* finder.in(complete, "artifact", { file: name, line, seq: null }, owner)
    line += complete.split("\n").length - 1
    rest = text.slice(end)
    from = piece.end
    if (isEnd) return
  }
}

function kindOfCapture(name: string): HitKind {
  if (/\/tool-results\/[^/]+$/.test(name)) return "tool result"
  return /\/(?:request|seed)\.edn$/.test(name) ? "prompt" : "reply"
}
