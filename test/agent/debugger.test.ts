// Checks that the debugger's ops control the stream (docs/contract.md sections 3 and 9).
import { expect, test } from "bun:test"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { attach, deltas, phase, prompt, Ui } from "./ui.ts"

function control(op: string, more: object = {}): object {
  return { kind: "control", op, ...more }
}

function debugs(ui: Ui): JsonObject[] {
  return ui.frames().filter(frame => frame.kind === "debug")
}

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
