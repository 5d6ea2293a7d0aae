// Tests what frames, links and restarts do to the state.
import { describe, expect, test } from "bun:test"
import { leaving } from "../../src/panels/program/index.ts"
import { sessionName } from "../../src/run/select/figures.ts"
import { reduce } from "../../src/view/reduce.ts"
import { sessionOf } from "../../src/view/select/shown-session.ts"
import { emptyState } from "../../src/view/state.ts"
import { isUnchanged } from "../../src/view/view.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { lost, open, Planned, replaying } from "../panels/planned.ts"
import { delta } from "../run/lines.ts"

describe("the state", () => {
  test("is the same object if nothing changed", () => {
    const state = emptyState(open)
    expect(reduce(state, { type: "frames", frames: [] })).toBe(state)
    expect(reduce(state, { type: "tick", now: 1 })).toBe(state)
  })

  test("counts an attachment once when the link opens", () => {
    const state = reduce(emptyState(lost), { type: "link", link: open, now: 5 })
    expect(state.run.attachment.count).toBe(1)
    expect(reduce(state, { type: "link", link: { ...open, since: 6 }, now: 6 }).run.attachment.count).toBe(1)
    const again = reduce(reduce(state, { type: "link", link: lost, now: 7 }), { type: "link", link: open, now: 8 })
    expect(again.run.attachment.count).toBe(2)
  })

  test("ends each notice, wait and op at its time, and not before", () => {
    const notice = { text: "x", level: "info", until: 100 } as const
    const view = { notice, control: { ops: [{ op: "step", sentAt: 0 }] } } as const
    const at = (now: number) => {
      const state = reduce(reduce(emptyState(open), { type: "view", change: view }), { type: "tick", now })
      return [state.view.notice?.text ?? null, state.view.control.ops.length]
    }
    expect(at(99)).toEqual(["x", 1])
    expect(at(100)).toEqual([null, 1])
    expect(at(4999)).toEqual([null, 1])
    expect(at(5000)).toEqual(["step: no effect within 5s", 0])
  })

  test("is left as it is by a change that says what it holds, part by part", () => {
    const { view } = emptyState(open)
    const same = { focus: view.focus, list: { order: view.list.order }, log: {} }
    expect([isUnchanged(view, same), isUnchanged(view, { list: { order: "newest" } })]).toEqual([true, false])
    expect(isUnchanged(view, leaving.put(view, { at: null }))).toBe(false)
  })

  test("starts again when the recording shrinks, and says so", () => {
    const screen = new Planned(replaying, [delta(0, "x")]).ask({ type: "pane/next", step: 1 })
    const shrunk = reduce(screen.state, { type: "restart", now: 1 })
    expect(shrunk.run.sessions).toEqual([])
    expect(shrunk.view).toMatchObject({ focus: "text", list: { selected: null } })
    expect(shrunk.view.notice?.text).toContain("The file was changed")
  })
})

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
