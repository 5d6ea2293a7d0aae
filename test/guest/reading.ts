// Folds a guest's output into a run, as the program does.
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import type { GuestParser, TimedLine } from "../../src/guest/guest-parser.ts"
import { fold } from "../../src/run/fold.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import type { Entry } from "../../src/run/model/session.ts"
import { rowWords } from "../../src/run/select/row-words.ts"

export const guestFixture = (name: string): string => join(import.meta.dir, "../../fixtures/guest", name)

/** The parser in a fixture or a package, loaded or failed. */
export async function parserOf(name: string | undefined): Promise<GuestParser> {
  const parser = startParser(chooseParser(name, import.meta.dir))
  await parser.loaded
  return parser
}

/** Lines of a guest's stdout, a second apart from epoch 0 on. */
export function printed(...texts: readonly string[]): readonly TimedLine[] {
  return texts.map((text, index) => ({ stream: "stdout", text, ts: index * 1000 }))
}

/** The run of a guest named `guest` that printed these lines and exited with 0. Closes the parser. */
export async function runOf(parser: GuestParser, lines: readonly TimedLine[]): Promise<Run> {
  const scribe = new FrameWriter("guest")
  const end = lines.at(-1)?.ts ?? 0
  await parser.reset()
  const wire = [
    ...scribe.begin(0),
    ...(await scribe.write(parser, lines)),
    ...scribe.end({ code: 0, signal: null }, end),
    ...scribe.parserNotes(parser, end),
  ]
  parser.close()
  return runFrom(wire)
}

export function runFrom(wire: readonly string[]): Run {
  return fold(emptyRun, wire.map(decode))
}

/** What the rows of the log say. */
export function logWords(run: Run): readonly string[] {
  return slice(run.log.rows, 0, run.log.rows.length).map(row => rowWords(run, row).text)
}

/** The blocks in the transcript of a session, by default the first: each block's type, name and text. */
export function blocksOf(run: Run, at = 0): readonly string[] {
  const session = run.sessions[at]
  if (session === undefined) return []
  return slice(session.entries, 0, session.entries.length).map(shownBlock)
}

function shownBlock({ type, name, text, isError, elapsedMs }: Entry): string {
  const words = [type, name, isError && "failed", elapsedMs !== undefined && `${elapsedMs} ms`]
  return `${words.filter(Boolean).join(" ")}: ${text.join("")}`
}
