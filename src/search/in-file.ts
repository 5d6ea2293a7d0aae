// Searches one file of a session directory: the texts of a capture, or the lines of an artifact.

import { sanitizeLine } from "../protocol/sanitize.ts"
import type { SessionDirectory } from "../session-dir/session-directory.ts"
import { ednTexts } from "./edn-text.ts"
import type { CaptureOwner } from "./place-map.ts"
import type { HitKind, SearchHit, TextFinder } from "./search-hit.ts"
import type { SearchOptions } from "./search-options.ts"

export type SearchedFileKind = "capture" | "artifact"

/** Of an artifact so much is read at a time, in bytes. */
const PIECE = 4 * 1024 * 1024

/** The hits in the file `name`. A capture is read to 16 MB; an artifact whole, unless it is no text. */
export async function* searchFile(
  directory: SessionDirectory,
  name: string,
  kind: SearchedFileKind,
  owner: CaptureOwner,
  finder: TextFinder,
  { warn, signal }: Pick<SearchOptions, "warn" | "signal">,
): AsyncGenerator<SearchHit> {
  const file = sanitizeLine(name)
  let line = 1
  let from = 0
  let rest = ""
  for (;;) {
    const { error, value: piece } = await directory.read(name, from, kind === "capture" ? undefined : PIECE)
    if (piece === undefined) return warn(error)
    if (kind === "capture") {
      if (piece.end < piece.size) warn(`${file}: only its first 16 MB were searched`)
      const what = whatOf(name)
      for (const found of ednTexts(piece.text)) {
        yield* finder.in(found.text, what, { file, line: found.line, seq: null }, owner, "once")
      }
      return
    }
    if (piece.text.includes("\0") || signal?.aborted === true) return
    const isEnd = piece.end >= piece.size || piece.end === from
    const text = rest + piece.text
    // A line that goes on in the next piece is searched with it, but not if it never ends.
    const cut = isEnd || text.length > 2 * PIECE ? text.length : text.lastIndexOf("\n") + 1
    const whole = text.slice(0, cut)
    yield* finder.in(whole, "artifact", { file, line, seq: null }, owner)
    line += whole.split("\n").length - 1
    rest = text.slice(cut)
    from = piece.end
    if (isEnd) return
  }
}

function whatOf(name: string): HitKind {
  if (/\/tool-results\/[^/]+$/.test(name)) return "tool result"
  return /\/(?:request|seed)\.edn$/.test(name) ? "prompt" : "reply"
}
