// Tests the context of a turn: what it shows of each turn, what it says where a capture is missing, and where its keys lead.
import { describe, expect, test } from "bun:test"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { event } from "../../run/lines.ts"
import { LARGE_SIZES, type Shown, show } from "../../screen/screen.tsx"

const poet = { invokeid: "poet", "session-id": "p", model: "small" }
const refOf = (turn: number) => `nodes/writing/0/turns/${turn}/request.edn`

function turn(seq: number, number: number, input: number, cached: number) {
  const usage = { "input-tokens": input, ...(cached > 0 && { "cached-tokens": cached }) }
  return [
    event(seq, "llm/start", poet, 1000),
    event(seq + 1, "llm/request", { ...poet, "user-blocks": ["?"], "io/ref": refOf(number) }, 1000),
    event(seq + 2, "llm/response", { ...poet, usage, content: [{ type: "text", text: "." }] }, 2000),
  ]
}

/** Two turns: 100 characters of 1,000 tokens, half of each prompt and message; then 100 more, of 4,000 tokens. */
async function written(columns: number, rows: number): Promise<Shown> {
  const screen = await show({ columns, rows }, ...turn(0, 0, 1000, 0), ...turn(3, 1, 4000, 1000))
  screen.store.dispatch({ type: "directory", directory: { path: "/run", error: null } })
  return screen
}

function read(screen: Shown, turn: number): void {
  const more = turn === 0 ? [] : [{ role: "assistant", content: "y".repeat(100) }]
  const messages = [{ role: "user", content: "x".repeat(50) }, ...more]
  const capture = decodeCapture({ system: "s".repeat(50), messages })
  screen.store.dispatch({ type: "captured", ref: refOf(turn), captured: { capture } })
}

describe("the context of a turn", () => {
  test("says that the capture is being read", async () => {
    const screen = await written(80, 24)
    expect(await screen.press("%").text()).toContain("the capture of its request is being read")
  })

  test.each(LARGE_SIZES)(
    "has at %dx%d a bar for each turn, and the largest parts of one with what is new",
    async (columns, rows) => {
      const screen = await written(columns, rows)
      read(screen.press("%", "m"), 0)
      read(screen, 1)
      expect(await screen.row("CONTEXT")).toContain("─ poet")
      // A quarter of the tokens, the first in the request, were cached.
      expect(await screen.row("▸ turn 2")).toMatch(/turn 2 +4,000 +25% {2}s+S*m*M+ /)
      expect(await screen.row("turn 1 ")).toMatch(/turn 1 +1,000 +– {2}S+M+·+/)
      const head = await screen.row("4,000 in")
      expect(head).toContain("turn 2  4,000 in  ·  +3,000 since turn 1  ·  limit unknown")
      expect(await screen.row("M messages")).toContain("M messages ~3,000   S system ~1,000")
      expect(await screen.row("2 assistant")).toMatch(/M 2 assistant {2}y+… +~2,000 +50% +new/)
      expect(await screen.row("S system prompt")).toMatch(/~1,000 +25% +│/)
      expect(await screen.row("1 part new")).toContain("1 part new since turn 1: ~2,000")
      expect(await screen.text()).toContain("characters")
      screen.press("k")
      expect(await screen.row("1,000 in")).toContain("turn 1  1,000 in  ·  limit unknown")
      screen.press("enter")
      expect(await screen.text()).toMatch(/─ poet ─[\s\S]*└─ turn 1 of 2/)
    },
  )

  test("keeps two thirds of its rows for the parts of the turn, however many turns there are", async () => {
    const screen = await written(80, 24)
    for (let i = 2; i < 20; i++) screen.feed(...turn(3 * i, i, 4000, 0))
    const rows = await screen.press("%", "m").rows()
    expect(rows.filter(row => /^. [▸ ] +turn \d+ +4,000/.test(row))).toHaveLength(6)
  })

  test("says the limit by the agent's word, and scales the bars to it", async () => {
    const screen = await written(80, 24)
    screen.feed(event(6, "llm/context-warning", { ...poet, "used-frac": 0.8 }))
    expect(await screen.press("%", "m").row("turn   ")).toContain("limit ~5,000")
    expect(await screen.row("turn 2 ")).toContain("80%")
    expect(await screen.row("turn 1 ")).toContain("20%")
    expect(await screen.row("4,000 in")).toContain("+3,000 since turn 1  ·  the agent's limit ~5,000")
    screen.feed(event(7, "llm/context-warning", { ...poet, "used-frac": 0.5, "context-window": 8000 }))
    expect(await screen.row("4,000 in")).toContain("+3,000 since turn 1  ·  the agent's limit 8,000")
    expect(await screen.row("turn 2 ")).toContain("50%")
  })

  test("says that no input was counted, where a scale has nothing to measure", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    screen.feed(event(0, "llm/start", poet), event(1, "llm/response", { ...poet, content: [] }))
    expect(await screen.press("%", "m").row("turn   ")).toMatch(/ in +cached +no input was counted/)
    expect(await screen.row("turn 1  its")).toContain("its input was not counted")
  })

  test("shows a share too small for a percent as less than one", async () => {
    const screen = await written(80, 24)
    screen.press("%")
    const messages = [{ role: "user", content: "x".repeat(999) }]
    screen.store.dispatch({
      type: "captured",
      ref: refOf(1),
      captured: { capture: decodeCapture({ system: "s", messages }) },
    })
    expect(await screen.row("S system prompt")).toMatch(/~4 +<1% +│/)
  })

  test("keeps at 40x10 the turn, its kinds and the largest part", async () => {
    const screen = await written(40, 10)
    read(screen.press("%"), 1)
    expect(await screen.row("▸ turn 2")).toMatch(/4,000 {2}[sSmM]+/)
    expect(await screen.text()).toContain("M messages ~3,000")
    expect(await screen.row("2 assistant")).toMatch(/~2,000 +50%/)
    expect(await screen.row("1 user")).toMatch(/~1,000 +25%/)
  })

  test.each([
    [80, 24],
    [40, 10],
  ] as const)("scrolls at %dx%d through parts that don't fit, by pages, and to the last", async (columns, rows) => {
    const screen = await written(columns, rows)
    screen.press("%")
    const messages = Array.from({ length: 30 }, (_, i) => ({ role: "user", content: "x".repeat(100 - i) }))
    screen.store.dispatch({ type: "captured", ref: refOf(1), captured: { capture: decodeCapture({ messages }) } })
    expect(await screen.row(" 1 user")).toContain("x")
    expect(await screen.text()).not.toContain("30 user")
    for (let page = 0; page < 40; page++) screen.press("pagedown")
    expect(await screen.row("30 user")).toContain("x")
    expect(await screen.text()).not.toMatch(/and \d+ more/)
    expect(await screen.press("pageup").text()).toMatch(/and \d+ more/)
    expect(await screen.press("k", "j").row(" 1 user")).toContain("x")
  })

  test("says what is missing: a file that can't be read, a directory that is not known, a run without turns", async () => {
    const screen = await written(80, 24)
    screen.press("%")
    screen.store.dispatch({ type: "captured", ref: refOf(1), captured: { why: `${refOf(1)}: no such file` } })
    expect(await screen.text()).toContain("Can't tell what filled it: the request isn't available")
    expect(await screen.text()).toContain(`${refOf(1)}: no such file`)
    screen.store.dispatch({ type: "directory", directory: { path: "/run", error: "gone" } })
    expect(await screen.press("k").text()).toContain("gone")
    const unknown = await show({ columns: 80, rows: 24 }, ...turn(0, 0, 1000, 0))
    expect(await unknown.press("%").text()).toContain("No session directory. Start with --session-dir DIR")
    const empty = await show({ columns: 80, rows: 24 })
    expect(await empty.press("%").text()).toContain("no turn yet")
  })
})

test("v and D in it are about the turn under its cursor", async () => {
  const screen = await written(120, 40)
  screen.press("%", "k", "v")
  expect(await screen.text()).toContain("─ poet turn 1 ─")
  expect(await screen.press("escape", "D").text()).toContain("seq 1 ")
})

test("% opens the context of the turn of a log row, and closes it again", async () => {
  const screen = await written(120, 40)
  screen.store.dispatch({ type: "view", change: { focus: "log" } })
  expect(await screen.press("g", "%").row("▸ turn")).toContain("turn 1")
  expect(await screen.press("%").text()).not.toContain("CONTEXT")
  expect(await screen.press("G", "%").row("▸ turn")).toContain("turn 2")
})
