// Tests which ops are sent to the debugger, and why others are refused.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { refusal } from "../../../src/panels/common/send-op.ts"
import { isStepping } from "../../../src/panels/debugger/index.ts"
import { scopeOf } from "../../../src/panels/front.ts"
import { nextEnd, reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import { NOTICE_MS } from "../../../src/view/view.ts"
import { delta, event, line, logOf } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"
import { debug, esc, lost, op, open, Planned, replaying, url } from "../planned.ts"
import { walked } from "../steps.ts"

const ops = ["pause", "continue", "step", "arm", "turn-next", "turn-back", "arm-llm-breakpoint"] as const
const gate = (index: number, more: object = {}) =>
  line({ kind: "debug", paused: false, mode: "paused-at-turn", "turn-index": index, ...more })
const began = event(2, "runner/started")
const end = line({ kind: "control", op: "run-finished", "final-config": [":done"] })
const waits = (name: string) => event(0, name, { "event-name": "x", msg: "press q" })
const claude = { state: "running", command: "claude" } as const

test("an op is sent, or refused with the reason and on a row, as the debugger, the run and the connection allow", () => {
  const states: Readonly<Record<string, readonly [Link, ...Decoded[]]>> = {
    "no debugger": [open],
    paused: [open, debug],
    running: [open, line({ kind: "debug", paused: false })],
    stepped: [open, line({ kind: "debug", paused: false, "step-budget": 3 })],
    "a step is awaited": [open, waits("debug/awaiting-step")],
    "a quit is awaited": [open, waits("debug/awaiting-quit")],
    "no more": [open, waits("debug/awaiting-quit"), event(1, "runner/event-processed")],
    "the first turn, armed": [open, gate(0, { "breakpoint-armed": true, branch: null })],
    "a later turn": [open, gate(2)],
    "the run is over": [open, began, gate(1, { paused: true }), end],
    "another has begun": [
      open,
      began,
      gate(1, { paused: true }),
      end,
      event(1, "runner/started", { "session-id": "b" }),
    ],
    disconnected: [lost, debug],
    "the API answers": [{ ...lost, api: true }, debug],
    "the API answers at a turn": [{ ...lost, api: true }, gate(2)],
    connecting: [{ state: "connecting", url, attempt: 1 }, debug],
    "a recording": [replaying, debug],
    "an agent CLI that talks": [{ ...claude, talks: true }, debug],
    "one that is printed": [claude],
    "one that has exited": [{ state: "exited", command: "claude", code: 0, why: null } as never],
  }
  const told = Object.entries(states).flatMap(([name, [link, ...lines]]) => [
    name,
    ...ops.map(one => {
      const screen = new Planned(link, lines)
      const rows = screen.state.run.log.warnings
      screen.ask(op(one, 2))
      const isRow = screen.state.run.log.warnings > rows
      return `  ${one}: ${JSON.stringify(screen.sent)} ${screen.said}${isRow ? ` · ${logOf(screen.state.run)[0]}` : ""}`
    }),
    `  re-run: ${refusal(shownState(new Planned(link, lines).state), "rerun-from")}`,
  ])
  expect(told.join("\n")).toMatchSnapshot()
})

test("a run is stepped to its next state, session or turn, until then, until a person does something else or its end", async () => {
  const paused = line({ kind: "debug", paused: true, "step-budget": 0 })
  const told: string[] = []
  const state = (name: string) => event(null, "runner/start-config", { config: [name] })
  const session = event(null, "llm/start", { invokeid: "a", "session-id": "b" })
  const heard = { kind: "debug", paused: true }
  for (const [row, ...steps] of [
    [0, [paused], [state("one"), paused], [line({ ...heard, "step-budget": 2 })], [state("two"), paused], [paused]],
    [1, [state("two"), paused], [line({ ...heard, paused: false })], [line(heard)], [session, paused]],
    [1, [gate(1)], [paused]],
    [2, [gate(1)]],
    [0, "pause", [paused], [state("two"), paused]],
    [0, [event(1, "runner/done", { status: "done" }), paused]],
    [0, lost, [state("two")]],
    [0, { ...open, since: 5 }, [paused]],
  ] as const) {
    const screen = new Planned(open, [state("one"), paused]).ask({ type: "debugger/step-to" })
    screen.move({ unit: "row", count: row }).ask({ type: "menu/choose" })
    const does = () => `  ${JSON.stringify(screen.sent)} ${screen.said}${isStepping(screen) ? " · goes on" : ""}`
    told.push(`row ${row}`, does())
    for (const step of steps) {
      if (typeof step === "string") told.push(`  ${step}: ${JSON.stringify(screen.ask(op(step)).sent)}`)
      else if ("state" in step) screen.link(step)
      else screen.tell(...step)
      screen.ask({ type: "debugger/step-on" })
      told.push(does())
    }
  }
  const running = await show({ columns: 100, rows: 24 }, line({ kind: "debug", paused: false }))
  told.push(await walked(running, ": 'step to the' enter enter"))
  expect(told.join("\n")).toMatchSnapshot()
})

test("the keys of an agent CLI hold it from the reader too, where one session is all there is", () => {
  const chart = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":x", "resume?": false })
  const alone = shownState(new Planned({ ...claude, talks: true }, [chart, delta(1, "x")]).state)
  expect(scopeOf(alone).bindings.flatMap(({ keys }) => keys)).toContain("p")
})

describe("an op", () => {
  test("holds an agent CLI from the reader too, where one session is all there is", () => {
    const talks = { state: "running", command: "claude", talks: true } as const
    const chart = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":x", "resume?": false })
    const alone = shownState(new Planned(talks, [chart, delta(1, "x")]).state)
    expect(scopeOf(alone).bindings.flatMap(({ keys }) => keys)).toContain("p")
  })

  test("that was refused is not sent when the connection is back", () => {
    const screen = new Planned(lost, [debug]).ask(op("pause"))
    screen.state = reduce(screen.state, { type: "link", link: open, now: 1 })
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual([])
  })

  test("has a notice for a while", () => {
    const screen = new Planned(open, [debug]).ask(op("step", 5))
    expect(screen.said).toBe("Stepping 5 events")
    expect(nextEnd(screen.view)).toBe(10_000 + NOTICE_MS)
    screen.tell(line({ kind: "debug", paused: true, "step-budget": 4 }))
    const kept = reduce(screen.state, { type: "tick", now: 10_000 + NOTICE_MS - 1 })
    expect(kept).toBe(screen.state)
    expect(reduce(screen.state, { type: "tick", now: 10_000 + NOTICE_MS }).view.notice).toBe(null)
  })

  const pending = (screen: Planned) => screen.view.control.ops.map(one => one.op)

  test("is pending until a debug frame or an awaiting event shows its effect", () => {
    const screen = new Planned(open, [debug]).ask(op("pause")).ask(op("step"), 10)
    expect(pending(screen)).toEqual(["pause", "step"])
    expect(pending(screen.tell(event(1, "llm/start", { invokeid: "a", "session-id": "s" })))).toEqual(["pause", "step"])
    expect(pending(screen.tell(line({ kind: "debug", paused: true })))).toEqual([])
    screen.ask(op("continue"))
    expect(pending(screen.tell(event(2, "debug/awaiting-step", { "event-name": "x" })))).toEqual([])
  })

  test("that was lost with the connection is not done because the next one repeats the old debug frame", () => {
    const screen = new Planned(open, [debug]).ask(op("continue")).ask(op("arm"), 10)
    screen.state = reduce(screen.state, { type: "link", link: lost, now: 10_100 })
    screen.state = reduce(screen.state, { type: "link", link: open, now: 10_200 })
    expect(pending(screen.tell(debug))).toEqual(["continue", "arm"])
    expect(pending(screen.tell(line({ kind: "debug", paused: false })))).toEqual([])
  })

  test("that took effect while the connection was lost is done when the repeated frame shows its state", () => {
    const screen = new Planned(open, [debug]).ask(op("continue"))
    screen.state = reduce(screen.state, { type: "link", link: lost, now: 10_100 })
    screen.state = reduce(screen.state, { type: "link", link: open, now: 10_200 })
    expect(pending(screen.tell(line({ kind: "debug", paused: false })))).toEqual([])
  })

  test("that interrupts is pending until the next event", () => {
    const screen = new Planned(open).ask(esc).ask(esc, 500)
    expect(pending(screen)).toEqual(["ui-interrupt"])
    expect(pending(screen.tell(line({ kind: "debug", paused: false })))).toEqual(["ui-interrupt"])
    expect(pending(screen.tell(event(1, "runner/event-processed", { "event-name": "ui.interrupt" })))).toEqual([])
  })

  test("case 16: without effect is given up after 5 s, with a notice and a row", () => {
    const screen = new Planned(open, [debug]).ask(op("pause"))
    expect(nextEnd(screen.view)).toBe(15_000)
    screen.state = reduce(screen.state, { type: "tick", now: 14_999 })
    expect(pending(screen)).toEqual(["pause"])
    screen.state = reduce(screen.state, { type: "tick", now: 15_000 })
    expect(pending(screen)).toEqual([])
    expect(screen.said).toBe("pause: no effect within 5s")
    expect(logOf(screen.state.run)[0]).toStartWith("timed-out pause: no effect within 5s")
  })
})
