// Cuts the blocks of turns that are too long for the page about a moment, and counts what it left out.
import { count, counted } from "../ui/text-width.ts"
import type { ExportedPassage, ExportedTurn } from "./section.ts"
import { escaped } from "./waterfall-figure.ts"

/** UTF-16 units of a longer block that are kept: of its beginning and of its end. Errors tend to be at the end. */
export const HEAD_UNITS = 4000
export const END_UNITS = 1000
/** HTML bytes per turn; blocks beyond them are left out whole. */
export const TURN_BYTES = 150_000

/** The turn with its long blocks cut. `command` shows the rest; null if nothing does. */
export function cutTurn(turn: ExportedTurn, command: string | null): ExportedTurn {
  const blocks = async (): Promise<readonly ExportedPassage[]> => {
    const kept: ExportedPassage[] = []
    let [bytes, lost, lostUnits] = [0, 0, 0]
    for (const block of await turn.blocks()) {
      const cut = cutBlock(block, command)
      const more = cut.reduce((sum, { text }) => sum + Buffer.byteLength(escaped(text)), 0)
      if (bytes + more <= TURN_BYTES) kept.push(...cut)
      else [lost, lostUnits] = [lost + 1, lostUnits + block.text.length]
      bytes += more
    }
    return lost === 0 ? kept : [...kept, noteOf(`${counted(lost, "block")} with ${charactersOf(lostUnits)}`, command)]
  }
  return { ...turn, blocks }
}

/** The block, or its beginning and end with a note about the rest. */
function cutBlock(block: ExportedPassage, command: string | null): readonly ExportedPassage[] {
  const { label, text } = block
  if (text.length <= HEAD_UNITS + END_UNITS) return [block]
  const head = wholeLines(text.slice(0, HEAD_UNITS))
  const end = text.slice(-END_UNITS)
  const lost = text.length - head.length - end.length
  return [
    { ...block, text: head.toWellFormed() },
    noteOf(`${count(lost)} of ${charactersOf(text.length)}`, command),
    { ...block, label: `${label}, its end`, text: end.toWellFormed(), note: null },
  ]
}

/** The text without the line that was cut, unless that is most of it. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf("\n") + 1
  return end > text.length / 2 ? text.slice(0, end) : text
}

function charactersOf(units: number): string {
  return counted(units, "character")
}

function noteOf(what: string, command: string | null): ExportedPassage {
  const text = command === null ? "They are not on this page." : command
  const label = `Left out: ${what}${command === null ? "" : ", shown by"}`
  return { type: "note", label, text, isError: false, note: null }
}
