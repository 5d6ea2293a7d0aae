// Tests that a growing transcript costs only what is new.
import { expect, test } from "bun:test"
import { fold } from "../../src/run/fold.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { unread } from "../../src/view/block-reading.ts"
import { shownState } from "../../src/view/select/shown-state.ts"
import { emptyState } from "../../src/view/state.ts"
import { delta, event, idAt, ids } from "../run/lines.ts"

const link = { state: "replaying", path: "run.jsonl", incompleteLength: 0 } as const
const context = { glyphs: unicode, now: 0, motion: false }

test("a delta costs the outline the same after a thousand blocks as after ten, and each frame draws only visible rows", () => {
  const readsBehind = (turns: number): number => {
    const lines = Array.from({ length: turns }, (_, i) => [
      event(i * 2, "llm/start", ids),
      event(i * 2 + 1, "llm/response", {
        ...ids,
        content: [{ type: "text", text: `# Turn ${i}\n\n${"word ".repeat(200)}` }],
      }),
    ]).flat()
    const empty = emptyState(link)
    const run = fold(empty.run, [...lines, event(9000, "llm/start", ids)])
    const reading = { ...unread, session: idAt(run, 0) }
    let state = shownState({ ...empty, run })
    const outline = new SessionOutline()
    outline.update(state, reading, { columns: 80, rows: 20 }, context)
    let reads = 0
    const session = state.run.sessions[0]
    if (session === undefined) throw new Error("no session")
    const counting = new Proxy(session.entries, {
      get(target, key) {
        reads++
        return Reflect.get(target, key)
      },
    })
    for (let i = 0; i < 50; i++) {
      const run = fold(state.run, [delta(9001 + i, `more ${i} `, { invokeid: "a", "session-id": "s" })])
      state = { ...state, run }
      const sessions = run.sessions.map(one => ({ ...one, entries: counting }))
      outline.update({ ...state, run: { ...run, sessions } }, reading, { columns: 80, rows: 20 }, context)
      expect(outline.window(null).length).toBeLessThanOrEqual(20)
    }
    return reads
  }
  expect(readsBehind(1000)).toBeLessThanOrEqual(readsBehind(10) * 2)
})
