// Runs a test on each kind of scripted agent, where their habits matter without a terminal.
import { test } from "bun:test"
import type { AgentKind } from "../../src/scripted-agent/scripted-options.ts"

let current: AgentKind = "scripted"

/** The kind of agent that the running test is for. */
export const agentKind = (): AgentKind => current

/** A test for each kind of agent, whose agent is to be of `agentKind()`. */
export function testEachAgent(name: string, run: () => unknown): void {
  test.each(["scripted", "escapement"] as const)(`${name} (%s agent)`, async as => {
    current = as
    await run()
  })
}
