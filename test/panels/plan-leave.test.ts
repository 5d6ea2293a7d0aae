// Tests how a person interrupts the agent and leaves.
import { describe, expect, test } from "bun:test"
import { event, line, logOf } from "../run/lines.ts"
import { esc, lost, open, Planned, quit, replaying, url } from "./planned.ts"

describe("Esc", () => {
  const interrupt = [{ type: "ui-interrupt" }]

  test("interrupts if pressed twice within a second, not once or slowly", () => {
    const screen = new Planned(open).ask(esc)
    expect(screen.sent).toEqual([])
    expect(screen.said).toContain("Esc again")
    expect(screen.ask(esc, 1000).sent).toEqual(interrupt)
    expect(screen.ask(esc, 1).sent).toEqual([])
    expect(screen.ask(esc, 1001).sent).toEqual([])
    expect(screen.ask(esc, 900).sent).toEqual(interrupt)
  })

  test("does not count towards an interrupt if it closed an overlay, a maximized pane or a prompt", () => {
    const overlay = new Planned(open).ask({ type: "help/toggle" })
    expect(overlay.ask(esc).ask(esc, 10).sent).toEqual([])
    expect(overlay.ask(esc, 10).sent).toEqual(interrupt)

    const between = new Planned(open).ask(esc).ask({ type: "help/toggle" }).ask(esc, 10)
    expect(between.ask(esc, 10).sent).toEqual([])

    const maximized = new Planned(open).ask({ type: "pane/maximize" }).ask(esc)
    expect(maximized.view.maximized).toBe(false)
    expect(maximized.ask(esc, 10).sent).toEqual([])

    const prompt = new Planned(open, [line({ kind: "prompt", "prompt-id": "p", type: "text" })]).ask(esc)
    expect(prompt.sent).toEqual([{ type: "cancel", promptId: "p" }])
    expect(prompt.ask(esc, 10).sent).toEqual([])
  })

  test("closes the overlay opened last, then the one before", () => {
    const screen = new Planned(open).ask({ type: "help/toggle" }).ask({ type: "inspector/toggle" })
    expect(screen.ask(esc).view.overlays.map(one => one.type)).toEqual(["help"])
    expect(screen.ask(esc).view.overlays).toEqual([])
  })

  test("interrupts nothing on a recording, after the run, or without a connection", () => {
    expect(new Planned(replaying).ask(esc).ask(esc, 10).sent).toEqual([])
    const over = new Planned(open, [event(0, "runner/done")]).ask(esc).ask(esc, 10)
    expect(over.sent).toEqual([])
    expect(over.said).toContain("over")
    const down = new Planned(lost).ask(esc).ask(esc, 10)
    expect(down.sent).toEqual([])
    expect(down.said).toContain("the agent is disconnected")
    expect(logOf(down.state.run)).toEqual(["refused ui-interrupt: the agent is disconnected"])
  })
})

describe("Ctrl-C", () => {
  test("asks at the first press and quits at the second while the run is alive", () => {
    const screen = new Planned(open, [event(0, "runner/started")]).ask(quit)
    expect(screen.exits).toBe(false)
    expect(screen.said).toContain("Ctrl-C again")
    expect(screen.ask(quit, 2900).effects).toEqual([
      { type: "agent/send", command: { type: "ui-quit" }, text: '{"kind":"control","op":"ui-quit"}' },
      { type: "program/exit", code: 0 },
    ])
  })

  test("asks again if the second press comes late", () => {
    expect(new Planned(open).ask(quit).ask(quit, 3001).exits).toBe(false)
  })

  test("quits at once when the run is over, and tells the agent", () => {
    for (const name of ["runner/done", "runner/aborted", "runner/error"]) {
      const screen = new Planned(open, [event(0, name)]).ask(quit)
      expect(screen.sent).toEqual([{ type: "ui-quit" }])
      expect(screen.exits).toBe(true)
    }
  })

  test("quits at once without a connection, and sends nothing", () => {
    for (const link of [lost, replaying, { state: "connecting", url, attempt: 3 } as const]) {
      expect(new Planned(link, [event(0, "runner/started")]).ask(quit).effects).toEqual([
        { type: "program/exit", code: 0 },
      ])
    }
  })
})
