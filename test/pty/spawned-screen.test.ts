// Tests a screen whose agent started it and waits for it: who ends whom, and that the terminal is restored.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { event, Ui } from "../agent/ui.ts"
import { root } from "../fixtures.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

async function openSpawned(): Promise<Terminal> {
  const started = event("runner/started", { "session-id": "session/889d14f8" })
  return openTerminal({ cmd: [process.execPath, join(import.meta.dir, "spawning-agent.ts"), started], cwd: root })
}

test("a screen that quits its agent has left before the agent's signal, and the agent ends well", async () => {
  await using terminal = await openSpawned()
  const { before } = terminal
  await terminal.waitFor("PAUSED")
  expectTaken(terminal, before)
  expect(await terminal.press("\x03\x03").exited).toBe(0)
  expectAsItWas(terminal, before)
})

test("a screen whose agent was quit by another viewer stays until the agent's signal, and restores the terminal", async () => {
  await using terminal = await openSpawned()
  const { before } = terminal
  await terminal.waitFor("PAUSED")
  const viewer = await Ui.attach(await Bun.file(join(terminal.home, "url")).text())
  viewer.send({ kind: "control", op: "ui-quit" })
  expect(await terminal.exited).toBe(130)
  expectAsItWas(terminal, before)
})
