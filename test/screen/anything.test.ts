// Tests that any sequence of inputs draws a whole screen.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { LETTER } from "../../src/keys/binding.ts"
import { keymap } from "../../src/panels/index.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { forAll } from "../for-all.ts"
import { event, line } from "../run/lines.ts"
import { endScreens } from "./open-screens.ts"
import { live, NOW, replay, show, URL } from "./screen.tsx"

const lost: Link = { state: "lost", url: URL, since: NOW, retryAt: NOW + 1500, why: "closed", everOpen: true }
const ended: Link = { state: "ended", path: "run.jsonl", incompleteLength: 3 }
const links: readonly Link[] = [live, replay, { state: "connecting", url: URL, attempt: 2 }, lost, ended]
const asks = (id: string, type: string, opts: object) =>
  line({ kind: "prompt", "prompt-id": id, ...(id === "t" && { invokeid: "drafter" }), type, opts })
const odd = [
  decode("not json"),
  decode('{"kind":"event","seq":"x","event":7,"data":[]}'),
  line({ kind: "debug", paused: true, "step-budget": 2, mode: "paused-at-turn", "turn-index": 3 }),
  line({ kind: "debug", paused: false, "step-budget": 0 }),
  asks("t", "text", { prompt: "Name?\n".repeat(9), default: "Ada" }),
  asks("m", "multi", { prompt: "", options: ["日本", "b".repeat(300), 3] }),
  asks("c", "confirm", {}),
  line({ kind: "progress", phase: "update", invokeid: "drafter", pct: null, label: "x" }),
  event(null, "llm/error", { invokeid: "constructor", "session-id": "__proto__", message: "m\n".repeat(50) }),
  event(0, "runner/started", { "session-id": "s", "chart-id": "c", "resume?": true }),
  event(null, "human-input/cancelled"),
  event(null, "runner/aborted", { reason: "why\nnot" }),
]
const strokes = [...new Set(keymap.bindings.flatMap(one => one.keys.flatMap(stroke => stroke.split(" "))))].filter(
  stroke => stroke !== "ctrl-z" && stroke !== LETTER,
)

const sizes = fc.record({ columns: fc.integer({ min: 1, max: 140 }), rows: fc.integer({ min: 1, max: 45 }) })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ press: fc.constantFrom(...strokes, "x", "é", "9") }) },
  { weight: 3, arbitrary: fc.record({ more: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 2, arbitrary: fc.record({ odd: fc.constantFrom(...odd) }) },
  { weight: 1, arbitrary: fc.record({ link: fc.constantFrom(...links) }) },
  { weight: 2, arbitrary: sizes },
)

test("any sequence of keys, frames, links and sizes draws a whole screen without a fault", async () => {
  const demo = await readFrames(fixture("demo"))
  await forAll([fc.array(step, { minLength: 30, maxLength: 60 }), fc.boolean()], 8, async (steps, ascii) => {
    const screen = await show({ ascii, columns: 100, rows: 30 })
    let read = 0
    let [columns, rows] = [100, 30]
    for (const one of steps) {
      if ("press" in one) screen.press(one.press)
      else if ("more" in one) {
        screen.feed(...demo.slice(read, read + one.more))
        read += one.more
      } else if ("odd" in one) screen.feed(one.odd)
      else if ("link" in one) screen.link(one.link)
      else {
        ;({ columns, rows } = one)
        screen.resize(columns, rows)
      }
      const shown = await screen.rows()
      expect(shown.length).toBe(rows)
      for (const row of shown) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(columns)
      expect(shown.join("\n")).not.toContain("FAULT")
    }
    endScreens()
  })
})
