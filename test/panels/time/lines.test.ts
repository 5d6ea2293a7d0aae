// Tests what the time bar says of a moment, and in as much room as there is.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { barLine, behindWords } from "../../../src/panels/time/lines.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import type { Span } from "../../../src/ui/line.ts"
import type { Action } from "../../../src/view/action.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { attach, event, line } from "../../run/lines.ts"
import { debug, open, replaying } from "../planned.ts"

const context = { glyphs: unicode, motion: false, now: 0 }
const fed = (link: typeof open | typeof replaying, ...frames: readonly Decoded[]) =>
  reduce(emptyState(link), { type: "frames", frames })
const past = (state: StoreState, ...more: readonly Decoded[]) =>
  reduce(reduce(state, { type: "frames", frames: more }), { type: "show", run: state.run })
const spansOf = (state: StoreState, columns: number) => barLine(shownState(state), context, columns)?.spans ?? []
const words = (spans: readonly Span[]) => spans.map(({ text }) => text).join("")

const note = (seq: number | null, ts?: number | null) => event(seq, "test/note", {}, ts)
const many = fed(replaying, ...Array.from({ length: 1234 }, (_, seq) => note(seq, 1000 + 1000 * seq)))
const ask = line({ kind: "prompt", "prompt-id": "q", invokeid: "a", type: "confirm", opts: { prompt: "?" } })
const time = (change: Extract<Action, { type: "time" }>["change"]): Action => ({ type: "time", change })

test("the time bar drops the track, then words, never the place, and tells how it plays and what of a moment is known", () => {
  const untimed = fed(open, note(null, null))
  const states: Readonly<Record<string, StoreState>> = {
    "all read": many,
    "half read, at once": reduce(many, time({ read: 0.555, playing: true, speed: Infinity, loop: true })),
    "another epoch": fed(replaying, attach, event(0, "runner/started"), note(7), event(0, "runner/started", {}, 900)),
    "without numbers": fed(replaying, note(null), note(null)),
    "before the first time": past(untimed, note(1)),
    "the present": fed(open, note(1)),
  }
  const told = Object.entries(states).flatMap(([name, state]) => [
    name,
    ...[120, 60, 30, 10].map(columns => `  ${words(spansOf(state, columns))}`),
  ])
  expect(told.join("\n")).toMatchSnapshot()
})

test("a cell of the track leads to the middle of its part, and has the bookmark, the mark or, where they are dense, the errors in it", () => {
  const wrong = (seq: number) => event(seq, "llm/error", { invokeid: "a", "session-id": "s", message: "reset" })
  const few = fed(replaying, ...[0, 1, 2, 3, 4].map(seq => note(seq)), wrong(5), ...[6, 7].map(seq => note(seq)))
  const marked = reduce(few, { type: "view", change: { log: { bookmarks: [{ epoch: 0, seq: 2, note: "" }] } } })
  const track = (state: StoreState, columns = 50) => spansOf(state, columns).filter(({ click }) => click !== undefined)
  const failing = Array.from({ length: 1000 }, (_, seq) =>
    seq % 40 === 0 || (seq >= 500 && seq < 520) ? wrong(seq) : note(seq),
  )
  const read = [0.5, 0.05].map(read => reduce(marked, time({ read })))
  // Errors in a sixth of the cells are not dense yet.
  const two = fed(replaying, wrong(0), note(1), note(2), wrong(3), note(4))
  // Of an error and a question in one cell the error is told.
  const asks = Array.from({ length: 100 }, (_, n) => (n === 81 ? ask : [80, 82].includes(n) ? wrong(n) : note(n)))
  const frames = track(marked).map(({ click }) =>
    typeof click === "object" && "frames" in click ? click.frames : null,
  )
  expect([
    ...[marked, ...read, fed(replaying, ...failing), fed(replaying, ...asks)].map(one => words(track(one))),
    ...[28, 29].map(columns => words(track(two, columns))),
    words(track(fed(replaying, ...failing), 120)),
    frames.join(" "),
  ]).toMatchSnapshot()
})

test("what is new beyond a moment has its frames, who asks, and that the run is held unless it is over", () => {
  const told = [[], [note(2)], [ask], [debug], [debug, event(9, "runner/done")]].map(more => {
    return behindWords(shownState(past(fed(open, note(1)), ...more)), context)
  })
  expect(told).toEqual(["LIVE +0", "LIVE +1", "LIVE +1 ?1", "LIVE PAUSED +1", "LIVE +2"])
})
