// Tests which ops are sent to the debugger, and why others are refused.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { refusal } from "../../../src/panels/common/send-op.ts"
import { arm, isStepping, pause, resume } from "../../../src/panels/debugger/index.ts"
import { scopeOf } from "../../../src/panels/front.ts"
import { nextEnd, reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import { delta, event, line, logOf } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"
import { debug, esc, lost, op, open, Planned, replaying, url } from "../planned.ts"
import { testWalks } from "../scripted.ts"
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
    `  keys: ${[pause, resume, arm].map(key => key.refusal?.(shownState(new Planned(link, lines).state))).join(" · ")}`,
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
    [0, [paused], [state("one"), paused], [line({ ...heard, "step-budget": 1 })], [state("two"), paused], [paused]],
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
  const past = new Planned(open, [state("one"), paused]).ask({ type: "debugger/step-to" }).ask({ type: "menu/choose" })
  past.state = reduce(past.state, { type: "show", run: new Planned(open, [debug]).state.run })
  past.ask({ type: "debugger/step-on" })
  told.push(`in the past: ${JSON.stringify(past.sent)} ${past.said}`)
  told.push(`of a run that is over: ${refusal(shownState(past.tell(end).state), "pause")}`)
  const link = { ...lost, api: true }
  const running = await show({ columns: 100, rows: 24, link }, line({ kind: "debug", paused: false }))
  const recorded = await show({ columns: 100, rows: 24, link: replaying }, debug)
  const keys = ": 'step to the' enter enter"
  told.push(await walked(running, keys), await walked(recorded, keys))
  expect(told.join("\n")).toMatchSnapshot()
})

test("the keys of an agent CLI hold it from the reader too, where one session is all there is", () => {
  const chart = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":x", "resume?": false })
  const alone = shownState(new Planned({ ...claude, talks: true }, [chart, delta(1, "x")]).state)
  expect(scopeOf(alone).bindings.flatMap(({ keys }) => keys)).toContain("p")
  expect(scopeOf({ ...alone, view: { ...alone.view, focus: "log" } }).id).toBe("panes")
})

test("an op is awaited until what shows its effect, across a lost connection too, given up after 5 s, and has a notice meanwhile", () => {
  const running = line({ kind: "debug", paused: false })
  const awaits = event(2, "debug/awaiting-step", { "event-name": "x" })
  const begins = event(1, "llm/start", { invokeid: "a", "session-id": "s" })
  const interrupted = event(1, "runner/event-processed", { "event-name": "ui.interrupt" })
  const told: string[] = []
  for (const steps of [
    [op("pause"), op("step", 5), op("step"), [begins], [debug]],
    [op("continue"), [awaits]],
    // The next connection repeats the old debug frame.
    [op("continue"), op("arm"), lost, open, [debug], [running]],
    [op("continue"), lost, open, [running]],
    [esc, esc, [running], [interrupted]],
    // After so many ms the op is given up, and after as many that is told no longer.
    [op("pause"), 4999, 1, 4999, 1],
    [lost, op("pause"), open, { type: "prompt/resend" }],
  ] as const) {
    const screen = new Planned(open, [debug])
    for (const step of steps) {
      if (typeof step === "number") {
        screen.now += step
        screen.state = reduce(screen.state, { type: "tick", now: screen.now })
      } else if ("state" in step) screen.link(step)
      else if ("type" in step) screen.ask(step, 10)
      else screen.tell(...step)
      const { control, notice } = screen.view
      const ends = (nextEnd(screen.view) ?? 0) - screen.now
      told.push(
        `${JSON.stringify(step).slice(0, 70)}: ${control.ops.map(one => one.op)} · ${notice?.text ?? ""} · ${ends}`,
      )
    }
    told.push(`sent ${JSON.stringify(screen.sent)}, then ${logOf(screen.state.run)[0] ?? "no row"}`, "")
  }
  expect(told.join("\n")).toMatchSnapshot()
})

await testWalks("debugger")
