// Tests which ops are sent to the debugger, and why others are refused.
import { describe, expect, test } from "bun:test"
import { refusal } from "../../../src/panels/common/send-op.ts"
import { isStepping } from "../../../src/panels/debugger/index.ts"
import { scopeOf } from "../../../src/panels/front.ts"
import { nextEnd, reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import { NOTICE_MS } from "../../../src/view/view.ts"
import { delta, event, line, logOf } from "../../run/lines.ts"
import { debug, esc, lost, op, open, Planned, replaying, url } from "../planned.ts"

describe("an op", () => {
  test("is sent if a debugger is attached", () => {
    expect(new Planned(open, [debug]).ask(op("pause")).sent).toEqual([{ type: "pause" }])
    expect(new Planned(open, [debug]).ask(op("continue")).sent).toEqual([{ type: "continue" }])
    expect(new Planned(open, [debug]).ask(op("arm")).sent).toEqual([{ type: "arm" }])
    expect(new Planned(open, [debug]).ask(op("step", 5)).sent).toEqual([{ type: "step", n: 5 }])
  })

  test("that steps a run that isn't paused is refused with what pauses it; a run that is stepped takes more", () => {
    const running = new Planned(open, [line({ kind: "debug", paused: false })]).ask(op("step"))
    expect(running.sent).toEqual([])
    expect(running.said).toBe("Can't step: p pauses first")
    const stepped = new Planned(open, [line({ kind: "debug", paused: false, "step-budget": 3 })])
    expect(stepped.ask(op("step")).sent).toEqual([{ type: "step", n: 1 }])
  })

  test("is sent if an event says that the agent waits, though no debug message came", () => {
    for (const name of ["debug/awaiting-step", "debug/awaiting-quit"]) {
      const awaiting = event(0, name, { "event-name": "x", msg: "press q" })
      expect(new Planned(open, [awaiting]).ask(op("step")).sent).toEqual([{ type: "step", n: 1 }])
      const processed = event(1, "runner/event-processed")
      expect(new Planned(open, [awaiting, processed]).ask(op("pause")).sent).toEqual([{ type: "pause" }])
    }
  })

  test("holds and lets go an agent CLI that can be talked to; its steps are answers", () => {
    const talks = { state: "running", command: "claude", talks: true } as const
    expect(new Planned(talks, [debug]).ask(op("pause")).sent).toEqual([{ type: "pause" }])
    expect(new Planned(talks, [debug]).ask(op("continue")).sent).toEqual([{ type: "continue" }])
    expect(new Planned(talks, [debug]).ask(op("step")).said).toBe("Can't step: your answer to what is held lets it go")
    const printed = { state: "running", command: "kimi" } as const
    expect(new Planned(printed, [debug]).ask(op("pause")).said).toBe("Can't pause: kimi has no debugger")
  })

  test("holds an agent CLI from the reader too, where one session is all there is", () => {
    const talks = { state: "running", command: "claude", talks: true } as const
    const chart = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":x", "resume?": false })
    const alone = shownState(new Planned(talks, [chart, delta(1, "x")]).state)
    expect(scopeOf(alone).bindings.flatMap(({ keys }) => keys)).toContain("p")
  })

  test("is refused with the reason, and a row unless on a recording, without a debugger or a connection", () => {
    const cases: [Planned, string][] = [
      [new Planned(open), "no debugger"],
      [new Planned(lost, [debug]), "the agent is disconnected"],
      [new Planned({ state: "connecting", url, attempt: 1 }, [debug]), "the agent is disconnected"],
      [new Planned(replaying, [debug]), "a recording has no agent"],
    ]
    for (const [screen, why] of cases) {
      screen.ask(op("step"))
      expect(screen.sent).toEqual([])
      expect(screen.said).toContain(`Can't step: ${why}`)
      expect(screen.view.notice?.level).toBe("warning")
      const rows = screen.state.link === replaying ? [] : [expect.stringContaining(`refused step: ${why}`)]
      expect(logOf(screen.state.run)).toEqual(rows)
      expect(screen.state.run.log.warnings).toBe(rows.length)
    }
  })

  test("at an armed turn gate is sent, but no step back from the first turn", () => {
    const armed = (index: number) =>
      line({ kind: "debug", mode: "paused-at-turn", "turn-index": index, "breakpoint-armed": true, branch: null })
    expect(new Planned(open, [armed(0)]).ask(op("turn-next")).sent).toEqual([{ type: "turn-next" }])
    expect(new Planned(open, [armed(1)]).ask(op("turn-back")).sent).toEqual([{ type: "turn-back" }])
    expect(new Planned(open, [armed(0)]).ask(op("turn-back")).said).toContain("the pointer is at the first turn")
  })

  test("of a turn or a re-run is refused while only the HTTP API answers, and others are sent", () => {
    const state = new Planned({ ...lost, api: true }, [debug]).state
    const why = "the agent is disconnected, and HTTP has no turn control"
    for (const one of ["turn-next", "turn-back", "arm-llm-breakpoint", "rerun-from"] as const)
      expect(refusal(shownState(state), one)).toBe(why)
    expect(refusal(shownState(state), "step")).toBe(null)
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

  test("moves the turn at a turn gate, and is refused elsewhere with the reason", () => {
    const gate = line({ kind: "debug", paused: false, mode: "paused-at-turn", "turn-index": 2 })
    for (const name of ["turn-next", "step"] as const)
      expect(new Planned(open, [gate]).ask(op(name)).sent).toEqual([{ type: "turn-next" }])
    expect(new Planned(open, [gate]).ask(op("turn-back")).sent).toEqual([{ type: "turn-back" }])
    const elsewhere = new Planned(open, [debug]).ask(op("turn-next"))
    expect(elsewhere.sent).toEqual([])
    expect(elsewhere.said).toContain("is not paused before a turn")
  })

  test("after the end of the run is not sent, and the notice says so; the next run takes ops again", () => {
    const gate = line({ kind: "debug", paused: true, mode: "paused-at-turn", "turn-index": 1 })
    const end = line({ kind: "control", op: "run-finished", "final-config": [":done"] })
    for (const name of ["pause", "continue", "arm", "turn-next", "turn-back", "arm-llm-breakpoint"] as const) {
      const over = new Planned(open, [event(2, "runner/started"), gate, end]).ask(op(name))
      expect(over.sent).toEqual([])
      expect(over.said).toMatch(/^Can't .*: the run is over$/)
      const again = over.tell(event(1, "runner/started", { "session-id": "branch" })).ask(op(name))
      expect(again.sent).toMatchObject([{ type: name }])
    }
  })

  test("of a person ends stepping to a state, and so does the end of the run", () => {
    const chosen = () => new Planned(open, [debug]).ask({ type: "debugger/step-to" }).ask({ type: "menu/choose" })
    expect(chosen().sent).toEqual([{ type: "step", n: 1 }])
    const paused = line({ kind: "debug", paused: true })
    expect(chosen().tell(paused).ask({ type: "debugger/step-on" }).sent).toEqual([{ type: "step", n: 1 }])
    expect(chosen().ask({ type: "debugger/step-on" }).sent).toEqual([])
    const stopped = chosen().tell(paused).ask(op("pause"))
    expect(stopped.ask({ type: "debugger/step-on" }).sent).toEqual([])
    const over = chosen()
      .tell(event(1, "runner/done", { status: "done" }), paused)
      .ask({ type: "debugger/step-on" })
    expect([over.sent, isStepping(over)]).toEqual([[], false])
  })
})
