// Tests which session is selected in recordings that were read.
import { expect, test } from "bun:test"
import { sessionName } from "../../src/run/select/figures.ts"
import { reduce } from "../../src/view/reduce.ts"
import { sessionOf } from "../../src/view/select/shown-session.ts"
import { emptyState } from "../../src/view/state.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { replaying } from "../panels/planned.ts"

test.each([
  ["demo", "scribe"],
  ["parallel-60", "fish-quay-watch 9"],
])(
  "%s, once it was read, has the session selected whose work ended last, however its lines came",
  async (name, last) => {
    const frames = await readFrames(fixture(name))
    for (const size of [1, 7, 256, 1000, frames.length]) {
      let state = emptyState(replaying)
      for (let from = 0; from < frames.length; from += size)
        state = reduce(state, { type: "frames", frames: frames.slice(from, from + size) })
      expect(sessionName(state.run, sessionOf(state.run, state.view.list.selected) ?? -1)).toBe(last)
    }
  },
)
