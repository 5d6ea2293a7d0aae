// Tests what frames, links and restarts do to the state.
import { describe, expect, test } from "bun:test"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState } from "../../src/view/state.ts"
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

  test("starts again when the recording shrinks, and says so", () => {
    const screen = new Planned(replaying, [delta(0, "x")]).ask({ type: "pane/next", step: 1 })
    const shrunk = reduce(screen.state, { type: "restart", now: 1 })
    expect(shrunk.run.sessions).toEqual([])
    expect(shrunk.view).toMatchObject({ focus: "text", selected: null })
    expect(shrunk.view.notice?.text).toContain("The recording was truncated")
  })
})
