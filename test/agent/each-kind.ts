// Runs a test on each kind of scripted agent, where their habits matter without a terminal.
import { expect, test } from "bun:test"
import type { AgentKind } from "../../src/scripted-agent/scripted-options.ts"

let current: AgentKind = "scripted"
let isAsked = false

/** The kind of agent that the running test is for. */
export function agentKind(): AgentKind {
  isAsked = true
  return current
}

/** A test for each kind of agent. It fails unless its agent was made with `agentKind()`. */
export function testEachAgent(name: string, run: () => unknown): void {
  test.each(["scripted", "escapement"] as const)(`${name} (%s agent)`, async as => {
    current = as
    isAsked = false
    await run()
    expect(isAsked).toBe(true)
  })
}
