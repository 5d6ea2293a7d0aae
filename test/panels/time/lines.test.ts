// Tests what the time bar says in as much room as there is.
import { expect, test } from "bun:test"
import { barLine } from "../../../src/panels/time/lines.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { event } from "../../run/lines.ts"
import { replaying } from "../planned.ts"

const frames = Array.from({ length: 1234 }, (_, seq) => event(seq, "test/note", {}, 1000 + 1000 * seq))
const state = reduce(emptyState(replaying), { type: "frames", frames })
const bar = (columns: number): string => {
  const line = barLine(shownState(state), { glyphs: unicode, motion: false, now: 0 }, columns)
  return line === null ? "" : line.spans.map(({ text }) => text).join("")
}

test.each([
  [120, /^ paused 1× [━●─]{60,} 1,234\/1,234 {2}seq 1233 {2}20:33 of 20:33 $/],
  [60, /^ paused 1× [━●─]{12,} 1,234\/1,234 {2}20:33 of 20:33 $/],
  [30, /^ paused 1× {2}1,234\/1,234 $/],
  [10, /^ paused 1× {2}1,234\/1,234 $/],
])("the time bar in %d columns drops the track, then the times, never the place", (columns, text) => {
  expect(bar(columns)).toMatch(text)
})

test("the time bar shows how many errors each part holds where they are dense, and the moment among them", () => {
  const failing = Array.from({ length: 1000 }, (_, seq) =>
    seq % 20 === 0 || (seq >= 500 && seq < 520)
      ? event(seq, "llm/error", { invokeid: "a", "session-id": "s", message: "reset" })
      : event(seq, "test/note", {}),
  )
  const dense = reduce(emptyState(replaying), { type: "frames", frames: failing })
  const line = barLine(shownState(dense), { glyphs: unicode, motion: false, now: 0 }, 100)
  const track = (line?.spans ?? []).map(({ text }) => text).join("")
  expect(track).toMatch(/▂/)
  expect(track.match(/█/g)).toHaveLength(1)
  expect(track).toContain("●")
  expect(track).not.toContain("✗")
})
