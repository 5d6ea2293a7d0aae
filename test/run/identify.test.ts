// Tests duplicates, epochs, gaps and late frames (docs/decisions.md 1.4, 1.5; docs/contract.md section 2).
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { streamedPieces } from "../../src/run/fold-delta.ts"
import type { Run } from "../../src/run/model/run.ts"
import { missingFrames } from "../../src/run/select/figures.ts"
import { report } from "../../src/run/select/report.ts"
import { storiesOf } from "./kept.ts"
import { attach, delta, event, ids, logOf, meaning, rowsOf, tell } from "./lines.ts"

test("a reconnect may repeat coalesced deltas of an earlier turn one by one", () => {
  const before = tell([
    event(0, "llm/start", ids),
    delta(7, "abcdefg", { coalesced: 7, ts: 1007 }),
    event(8, "llm/response", ids),
    event(9, "llm/start", ids),
    delta(10, "new"),
  ])
  const single = [..."abcdefg"].map((text, i) => delta(i + 1, text))
  const after = tell([attach, ...single, event(8, "llm/response", ids), event(9, "llm/start", ids)], before)
  expect(meaning(after)).toEqual(meaning(before))
})

/**
 * Frames by their numbers, `-` for none: `5` is an event of the name `e5`, `3c` a delta with this text, `7abc*7` one that
 * stands for seven, `6abc*3t` one of the session `t`, and `attach` an attachment.
 */
function frames(text: string): readonly Decoded[] {
  return text.split(" ").map(word => {
    if (word === "attach") return attach
    const [, number = "", said = "", stands, other] = /^(\d+|-)([a-s]*)(?:\*(\d+))?(t?)$/.exec(word) ?? []
    const seq = number === "-" ? null : Number(number)
    if (said === "") return event(seq, `e${number}`)
    return delta(seq, said, { ...(stands && { coalesced: Number(stands) }), ...(other && { "session-id": other }) })
  })
}

/** What a run shows of its frames: how many are missing, the rows of its log, and the texts of its sessions. */
function shown(run: Run): string {
  const texts = run.turnBuffers.map(buffer =>
    streamedPieces(buffer)
      .map(({ text }) => text)
      .join(""),
  )
  return [`${missingFrames(run)} missing`, logOf(run).join(", "), texts.join(" ")]
    .filter(part => part !== "")
    .join("; ")
}

test.each(storiesOf("gaps"))("%s", (_, [story = ""]) => {
  const [lines = "", ends = ""] = story.split(" → ")
  expect(shown(tell(frames(lines)))).toBe(ends)
})

/** Frames of which some say what is known, as a repeated ring may; the text, and how many deltas and tokens it took. */
test.each(storiesOf("overlaps"))("a coalesced delta that overlaps the text: %s", (_, [story = ""]) => {
  const [lines = "", text = "", count] = story.split(/ → | (?=\d+$)/)
  const run = tell(frames(lines))
  expect(shown(run)).toEndWith(`; ${text}`)
  expect([run.turnBuffers[0]?.deltas, run.facts.tokens]).toEqual([Number(count), Number(count)])
})

test("a delta that was overtaken is in its place among the latest 64, and the one before them stays first", () => {
  const letters = Array.from({ length: 65 }, (_, i) => String.fromCharCode(97 + (i % 19)))
  const words = letters.map((letter, i) => `${i + 1}${letter}`)
  const late = [...words.slice(0, 62), ...words.slice(63), ...words.slice(62, 63)]
  const lower = [...words.slice(1, 62), ...words.slice(63), ...words.slice(62, 63), ...words.slice(0, 1)]
  for (const all of [late, lower]) expect(shown(tell(frames(all.join(" "))))).toBe(`0 missing; ${letters.join("")}`)
})

test("a gap has a row of its frame's line, and one as wide as possible costs nothing", () => {
  expect(rowsOf(tell(frames("1a 5"))).map(row => row.frame)).toEqual([2, 2])
  expect(rowsOf(tell(frames("45 40 42"))).map(row => row.ts)).toEqual([1040, 1040, 1042, 1040, 1045])
  const run = tell([delta(1, "a"), delta(Number.MAX_SAFE_INTEGER, "b")])
  expect(report(run)).toMatchObject({ frames: { missing: Number.MAX_SAFE_INTEGER - 2 }, log: { warnings: 1 } })
})
