// Checks that the debugger's ops control the stream (docs/contract.md sections 3 and 9).
import { expect, test } from "bun:test"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { ScriptedOptions } from "../../src/scripted-agent/scripted-agent.ts"
import { attach, deltas, phase, prompt, Ui } from "./ui.ts"

/** A client of an agent with a debugger that plays `recording`. */
async function debugged(recording: string | string[], options: Partial<ScriptedOptions> = {}): Promise<Ui> {
  return (await attach(recording, { debug: true, ...options })).ui
}

function control(op: string, more: object = {}): object {
  return { kind: "control", op, ...more }
}

function debugs(ui: Ui): JsonObject[] {
  return ui.frames().filter(frame => frame.kind === "debug")
}

test("after a paused start, step 2 passes exactly two events, with a debug frame for the op and for its end", async () => {
  const ui = await debugged([phase("run"), ...deltas(6)], { debug: "paused" })
  await ui.settle()
  expect(debugs(ui)).toMatchObject([{ paused: true, "step-budget": 0 }])
  expect(ui.events()).toHaveLength(0)

  ui.send(control("step", { n: 2 }))
  await ui.until(() => debugs(ui).length === 3)
  await ui.settle()
  expect(ui.seqs()).toEqual([1, 2])
  expect(debugs(ui).slice(1)).toMatchObject([
    { paused: false, "step-budget": 2 },
    { paused: true, "step-budget": 0, config: ["run"] },
  ])

  ui.send(control("step"))
  await ui.until(() => debugs(ui).length === 5)
  await ui.settle()
  expect(ui.seqs()).toEqual([1, 2, 3])

  ui.send(control("continue"))
  await ui.untilFinished()
  expect(ui.seqs()).toEqual([1, 2, 3, 4, 5, 6])
  expect(debugs(ui).at(-1)).toMatchObject({ paused: false, "step-budget": 0 })
})

test("a recording with debug frames is played with a debugger, without its own debug frames", async () => {
  const recorded = '{"kind":"debug","paused":true,"step-budget":0}'
  const { ui } = await attach([recorded, ...deltas(2)])
  await ui.untilFinished()
  expect(debugs(ui)).toMatchObject([{ paused: false }])
})

test("an interrupt is an event that changes no state; quit aborts the run and closes the connection", async () => {
  const { agent, ui } = await attach([phase("run", "a"), prompt("go#1")], { debug: true })
  await ui.untilFrame(frame => frame.kind === "prompt")
  ui.send(control("ui-interrupt"))
  await ui.untilFrame(frame => frame.event === "runner/event-processed")
  expect(ui.events()[0]?.data).toMatchObject({
    "event-name": "ui.interrupt",
    "config-before": ["run", "a"],
    "config-after": ["run", "a"],
  })
  ui.send(control("ui-quit"))
  await ui.untilClosed()
  expect(ui.events().at(-1)).toMatchObject({ event: "runner/aborted", data: { reason: "quit by user" } })
  await agent.done
  expect(
    await Ui.attach(agent.url).then(
      () => "open",
      () => "refused",
    ),
  ).toBe("refused")
})
