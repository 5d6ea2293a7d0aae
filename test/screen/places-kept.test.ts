// Keeps where the places of the screen lie and what they are called, as a person opens, maximizes and closes them.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { asks } from "../panels/prompt/questions.ts"
import { delta, event, line } from "../run/lines.ts"
import { NOW, show } from "./screen.tsx"

const at = (seq: number, name: string, data: object = {}) => event(seq, name, data, NOW + seq)
const sessions = Array.from({ length: 12 }, (_, n) => {
  const ids = { invokeid: `worker-${n % 4}`, "session-id": `s${n}` }
  const reply = { ...ids, content: [{ type: "text", text: `Reply ${n}.\n`.repeat(9) }] }
  return [at(2 + 2 * n, "llm/start", { ...ids, model: "m" }), at(3 + 2 * n, "llm/response", reply)]
}).flat()
const run = [
  ...[at(0, "runner/started", { "chart-id": "tea" }), at(1, "runner/start-config", { config: ["pouring"] })],
  ...[...sessions, delta(26, "now ", { invokeid: "worker-0", "session-id": "s0", ts: NOW + 26 })],
  at(27, "llm/error", { invokeid: "worker-1", "session-id": "s1", message: "no" }),
]
const debug = line({ kind: "debug", paused: true, "step-budget": 0 })
const options = Array.from({ length: 9 }, (_, i) => `option ${i}`)
const question = asks("p#1", "select", { prompt: "Which?", options })

/** A place, and the keys that lead there from the one before; `debug` and `question` are frames that come. */
const STEPS = await Bun.file(join(root, "fixtures/scripts/places.txt")).text()

/** The borders with their words, each with its row and the columns of its corners. */
function borders(rows: readonly string[]): string {
  const found = rows.flatMap((row, y) => {
    const corners = [...row.matchAll(/[┌┐└┘]/g)].map(({ index }) => index)
    const words = row
      .slice(corners[0], (corners.at(-1) ?? 0) + 1)
      .replace(/─{3,}/g, "─")
      .replace(/ {3,}/g, "  ")
    return /[┌└]/.test(row) ? [`${y}: ${corners} ${words}`] : []
  })
  return found.join("\n")
}

test.each(["180 x 45", "100 x 30", "70 x 24", "40 x 12"])("at %s", async size => {
  const [columns = 0, rows = 0] = size.split(" x ").map(Number)
  const screen = await show({ columns, rows }, ...run)
  const told: string[] = []
  for (const step of STEPS.trimEnd().split("\n")) {
    const [what = "", keys] = step.split(": ")
    screen.pass(4000)
    for (const one of keys?.split(" ") ?? []) {
      if (one === "debug" || one === "question") screen.feed({ debug, question }[one])
      else screen.press(one)
    }
    const shown = borders(await screen.rows())
    told.push(`${what}: ${screen.store.get().view.focus}${told.at(-1)?.endsWith(shown) ? " (the same)" : `\n${shown}`}`)
  }
  expect(told.join("\n")).toMatchSnapshot()
})
