// Tests that a view is written as plain data and restored from it.
import { expect, test } from "bun:test"
import { reduce } from "../../../src/view/reduce.ts"
import { restoreView, snapshotView } from "../../../src/view/restore/view-snapshot.ts"
import { emptyState, type State } from "../../../src/view/state.ts"
import { open } from "../../panels/planned.ts"
import { delta, event, ids } from "../../run/lines.ts"

function looked(change: Partial<State["view"]>): State {
  const frames = [event(0, "llm/start", ids), delta(1, "one"), event(2, "llm/response", ids)]
  const state = reduce(emptyState(open), { type: "frames", frames })
  return reduce(state, { type: "view", change })
}

test("a view snapshot restores the reading place, also one in the first row of a block", () => {
  for (const row of [0, 3]) {
    const before = looked({})
    const session = before.run.sessions[0]?.id ?? null
    if (session === null) throw new Error("expected a session")
    const state = looked({
      selected: { type: "session", session },
      text: { ...before.view.text, at: { block: "0", row } },
      inspector: { ...before.view.inspector, session, at: { block: "0", row } },
    })
    const restored = restoreView(looked({}), JSON.parse(JSON.stringify(snapshotView(state))))
    expect(restored).toMatchObject({
      selected: { type: "session", session },
      text: { at: { block: "0", row } },
      inspector: { session, at: { block: "0", row } },
    })
  }
})

test("a malformed view snapshot restores nothing", () => {
  for (const text of [
    ...["7", "[]", '{"focus":9}'],
    ...['{"text":{"block":"0","row":-1}}', '{"at":{"block":"0","row":0.5}}', '{"overlay":{"type":"nothing"}}'],
  ]) {
    const restored = restoreView(looked({}), JSON.parse(text))
    expect(restored.inspector?.at ?? null).toBeNull()
    expect(restored.text?.at ?? null).toBeNull()
    expect(restored.overlays ?? []).toEqual([])
  }
})
