// Tests that any sequence of inputs draws a whole screen.
import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import type { Link } from "../../packages/wire/src/link.ts"
import { LETTER } from "../../src/keys/binding.ts"
import { keymap } from "../../src/panels/index.ts"
import { fixture, readFrames, root } from "../fixtures.ts"
import { forAll } from "../for-all.ts"
import { endScreens } from "./open-screens.ts"
import { live, NOW, replay, show, URL } from "./screen.tsx"

const lost: Link = { state: "lost", url: URL, since: NOW, retryAt: NOW + 1500, why: "closed", everOpen: true }
const ended: Link = { state: "ended", path: "run.jsonl", incompleteLength: 3 }
const links: readonly Link[] = [live, replay, { state: "connecting", url: URL, attempt: 2 }, lost, ended]
const odd = await readFrames(join(root, "fixtures/scripts/odd-frames.txt"))
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
