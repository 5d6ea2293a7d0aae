// Tests the context of a turn: what it shows of each turn, what it says where a capture is missing, and where keys lead.
import { expect, test } from "bun:test"
import { type Captured, decodeCapture } from "../../../packages/wire/src/capture.ts"
import { contextRefs } from "../../../src/panels/context/turns.ts"
import { fold } from "../../../src/run/fold.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { shownState } from "../../../src/view/store.ts"
import { event } from "../../run/lines.ts"
import { type Shown, SIZES, show } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

const many = Array.from({ length: 30 }, (_, i) => ({ role: "user", content: "x".repeat(100 - i) }))
const poet = { invokeid: "poet", "session-id": "p", model: "small" }
const refOf = (turn: number) => `nodes/writing/0/turns/${turn}/request.edn`

function turn(seq: number, number: number, input: number | null, cached: number) {
  const usage = { ...(input !== null && { "input-tokens": input }), "cached-tokens": cached }
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

const captured = (screen: Shown, turn: number, told: Parameters<typeof decodeCapture>[0]): Step => [
  `turn ${turn + 1} is read`,
  () => read(screen, turn, { capture: decodeCapture(told) }),
]
const read = (screen: Shown, turn: number, captured: Captured) =>
  screen.store.dispatch({ type: "captured", ref: refOf(turn), captured })
const first = { system: "s".repeat(50), messages: [{ role: "user", content: "x".repeat(50) }] }
const second = { ...first, tools: [], messages: [...first.messages, { role: "assistant", content: "y".repeat(100) }] }

test.each(SIZES)(
  "the context has a bar for each turn, and the largest parts of one with what is new, at %dx%d",
  async (columns, rows) => {
    const screen = await written(columns, rows)
    const last = captured(screen, 1, { messages: many })
    const steps = ["% m", captured(screen, 0, first), captured(screen, 1, second), "k", "j", last, "pagedown", "ctrl-d"]
    const low: Step = ["few rows are left", () => screen.resize(columns, 5)]
    const pages = ["pagedown ".repeat(7).trim(), "pageup", "k j", "k enter", "% m", low, "%"]
    expect(await walked(screen, ...steps, ...pages)).toMatchSnapshot()
  },
)

test("the limit is the agent's word, or unknown; a share too small for a percent is less than one, and no input is none", async () => {
  const screen = await written(100, 24)
  const tiny = captured(screen, 1, {
    system: "s",
    messages: [987, 7, 5].map(size => ({ role: "user", content: "x".repeat(size) })),
  })
  const warned = (seq: number, more: object): Step => [
    "a warning",
    () => screen.feed(event(seq, "llm/context-warning", { ...poet, ...more })),
  ]
  const limits = [warned(6, { "used-frac": 0.8 }), warned(7, { "used-frac": 0.5, "context-window": 8000 })]
  const less: Step = ["less input", () => screen.feed(...turn(8, 2, 0, 0))]
  const none: Step = ["no input is counted", () => screen.feed(...turn(11, 3, null, 5))]
  const loop: Step = ["again", () => screen.feed(...turn(14, 4, 2000, 0), ...turn(17, 4, 3000, 1500).slice(2))]
  const read = [2, 3, 4].map(turn => captured(screen, turn, first))
  read.push(captured(screen, 0, { messages: [{ role: "user", content: "" }] }))
  const past = fold(emptyRun, [...turn(0, 0, 1000, 0), ...turn(3, 1, 4000, 1000).slice(0, 2)])
  const before: Step = ["a turn that has not replied yet", () => screen.store.dispatch({ type: "show", run: past })]
  const back: Step = ["the present", () => screen.store.dispatch({ type: "show", run: null })]
  const large = { ...poet, model: "large", usage: { "input-tokens": 4000 }, "used-frac": 0.5 }
  const told = ["llm/start", "llm/response", "llm/context-warning"].map((name, i) => event(20 + i, name, large))
  const alike: Step = ["a model with as large a limit", () => screen.feed(...told)]
  const sizes = [34, 100].map((columns): Step => [`${columns} wide`, () => screen.resize(columns, 24)])
  const steps = ["% m", tiny, ...sizes, ...limits, less, none, loop, ...read, "G", "k", "k", "g"]
  expect(await walked(screen, ...steps, before, back, "G k", before, back, alike)).toMatchSnapshot()
})

test("the turns have a third of the rows, however many there are", async () => {
  const screen = await written(80, 24)
  for (let i = 2; i < 20; i++) screen.feed(...turn(3 * i, i, 4000, 0))
  const sizes = "64x18 64x17 63x11 64x10 80x40".split(" ").map((size): Step => {
    const [columns = 0, rows = 0] = size.split("x").map(Number)
    return [size, () => screen.resize(columns, rows)]
  })
  const [high, ...low] = [...sizes.slice(-1), captured(screen, 19, { messages: many }), ...sizes.slice(0, -1)]
  expect(
    await walked(screen, "% m", "g", "pagedown", "G", ...low, "pagedown ".repeat(15), high ?? "", "8 k"),
  ).toMatchSnapshot()
  const around = [12, 13, 11, 14, 10, 15, 9, 16, 8, 17, 7, 18, 6, 19, 5, 20, 4, 3]
  expect(contextRefs(shownState(screen.store.get()))).toEqual(around.map(turn => refOf(turn - 1)))
})

test("what is missing is said: a file that can't be read, a directory that is not known, a session without turns", async () => {
  const screen = await written(80, 24)
  const missing: Step = ["missing", () => read(screen, 1, { why: `${refOf(1)}: no such file` })]
  const gone: Step = [
    "gone",
    () => screen.store.dispatch({ type: "directory", directory: { path: "/run", error: "gone" } }),
  ]
  const told = [await walked(screen, "%", missing, gone, "k")]
  for (const lines of [turn(0, 0, 1000, 0), [event(0, "llm/start", poet), event(1, "llm/response", poet)], []]) {
    const unknown = await show({ columns: 80, rows: 24 }, ...lines)
    told.push(await walked(unknown, "%", "enter", "v", "D"))
  }
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("v and D in the context are about the turn under its cursor, and % is of the turn of a log row", async () => {
  const screen = await written(120, 40)
  screen.feed(event(7, "llm/start", { invokeid: "judge", "session-id": "j" }), event(8, "app/note", {}))
  const steps = ["% k", "v", "escape D", "escape escape escape shift-tab g j %", "%", "G k %", "%", "G %", "% k k k %"]
  const why = ["% tab G shift-tab G v", "G enter", "%"]
  const read = await written(120, 40)
  const told = [await walked(screen, "g", ...steps, ...why), await walked(read, "tab g j j", "% %")]
  expect(told.join("\n\n")).toMatchSnapshot()
})

await testWalks("context")
