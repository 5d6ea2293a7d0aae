// Drives the examples of docs/agent.md in a terminal: they hand it to the screen, and a person takes part in the run.
import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

/** The example in a terminal, and the directory in which it runs. */
async function openExample(name: string): Promise<Terminal & { readonly cwd: string }> {
  const cwd = mkdtempSync(join(tmpdir(), "example-"))
  const cmd = [process.execPath, join(root, "docs/examples", `${name}.ts`)]
  const terminal = await openTerminal({ cmd, cwd, cols: 120, rows: 36 })
  const close = async (): Promise<void> => {
    await terminal.close()
    rmSync(cwd, { recursive: true, force: true })
  }
  return Object.create(terminal, Object.getOwnPropertyDescriptors({ cwd, close, [Symbol.asyncDispose]: close }))
}

test("the plain example asks, writes what was answered, and ends with the person", async () => {
  await using example = await openExample("agent")
  await example.waitFor("What shall the poem be about?")
  example.type("rain")
  example.press("\r")
  await example.waitFor("finished")
  await example.waitFor("O rain, at dawn")
  example.press("\x03")
  expect(await example.exited).toBe(0)
  expect(example.raw).not.toContain("error")
}, 60_000)

test("the AI SDK example asks, is paused before its next step, takes one step, and ends with the person", async () => {
  await using example = await openExample("agent-ai")
  await example.waitFor("Walk or tram?")
  example.press("\x1bh")
  await example.waitFor("a answers")
  example.press("p")
  await example.waitFor("PAUSED")
  example.press("a")
  await example.waitFor("2 tram")
  example.press("2")
  await example.waitFor("takes it back")
  example.press("\r")
  const held = await example.waitFor("s step one event · c continue")
  await example.waitFor("tool result  ask")
  expect(held.join("\n")).not.toContain("Alfama")
  example.press("s")
  await example.waitFor("Then start in Alfama.")
  await example.waitFor("finished")
  example.press("\x03")
  expect(await example.exited).toBe(0)
}, 60_000)
