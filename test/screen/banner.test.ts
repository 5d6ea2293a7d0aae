// Tests where a notice stands, and that an event that the agent waits for can be stepped over.
import { expect, test } from "bun:test"
import { event, line } from "../run/lines.ts"
import { NOW, show } from "./screen.tsx"

const awaitingStep = event(1, "debug/awaiting-step", { "event-name": "move.made", "external?": true })

test.each([
  ["after a step", [line({ kind: "debug", paused: false, "step-budget": 1 }), event(0, "chart/event"), awaitingStep]],
  ["after a run without pause", [line({ kind: "debug", paused: false, "step-budget": 0 }), awaitingStep]],
  ["without any debug message", [event(0, "runner/started"), awaitingStep]],
] as const)("an event that the agent waits for is a pause %s, until it is processed", async (_, frames) => {
  const screen = await show({ columns: 80, rows: 24 }, ...frames)
  const text = (await screen.text()).replaceAll(/\s+/g, " ")
  expect(text).toContain("PAUSED next: move.made (external)")
  expect(text).not.toMatch(/STEPPING|WILL PAUSE/)
  screen.press("s")
  const sent = () => screen.effects.flatMap(effect => (effect.type === "agent/send" ? [effect.command.type] : []))
  expect(sent()).toEqual(["step"])
  screen.feed(event(2, "runner/event-processed", { "event-name": "move.made" }))
  expect(await screen.text()).not.toContain("PAUSED")
  screen.press("p")
  expect(sent()).toEqual(["step", "pause"])
})

test.each([
  [78, true],
  [79, false],
])("a notice of %d columns at 80 stands in the footer: %p, else in rows of its own", async (length, isThere) => {
  const screen = await show({ columns: 80, rows: 24 })
  const text = "x".repeat(length)
  screen.store.ask({ type: "notice/show", text, level: "info" }, { now: NOW, page: 0, lines: 0 })
  expect((await screen.rows()).at(-1)?.includes(text)).toBe(isThere)
  expect(await screen.row("xx")).toContain("x".repeat(78))
})
