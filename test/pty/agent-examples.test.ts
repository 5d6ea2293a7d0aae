// Runs agents of one's own in a terminal: they hand it to the screen, and a person takes part in the run.
import { expect, test } from "bun:test"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { expectAsItWas, expectTaken } from "./as-it-was.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

/** An agent's program in a terminal. */
const openProgram = (path: string, cwd: string): Promise<Terminal> =>
  openTerminal({ cmd: [process.execPath, path], cwd, cols: 120, rows: 36 })

const openExample = (name: string): Promise<Terminal> =>
  openProgram(join(root, "docs/examples", `${name}.ts`), fileScratch())

/** The processes that a process has started. */
function childrenOf(pid: number): number[] {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return ids.trim().split(" ").map(Number)
}

/** A program that prints before, while and after the screen has the terminal; `ending` is how it goes on. */
async function openLoud(cwd: string, ending: string): Promise<Terminal> {
  const path = join(cwd, "loud.ts")
  await Bun.write(
    path,
    `import { createAgent } from ${JSON.stringify(join(root, "src/agent/index.ts"))}
     const agent = await createAgent({ chart: "loud", sessionDir: "run" })
     console.log("before")
     const screen = agent.openScreen()
     console.log("meanwhile, by console")
     process.stderr.write("meanwhile, by stderr\\n")
     ${ending}
     console.log("after", await screen)`,
  )
  return openProgram(path, cwd)
}

test("a screen that is killed gives back the terminal, ends the run, and what was printed meanwhile is in a file", async () => {
  const cwd = fileScratch()
  await using loud = await openLoud(cwd, "await agent.run(async () => void (await agent.ask('Well?')))")
  const { before } = loud
  await loud.waitFor("Well?")
  expectTaken(loud, before)
  const log = join(cwd, "run/escapement.log")
  expect(readFileSync(log, "utf8")).toBe("meanwhile, by console\nmeanwhile, by stderr\n")
  expect(statSync(log).mode & 0o777).toBe(0o600)
  for (const pid of childrenOf(loud.pid)) process.kill(pid, "SIGKILL")
  expect(await loud.exited).toBe(0)
  expect(await loud.screen()).toEqual(expect.arrayContaining(["before", "after 137"]))
  expect(loud.raw).not.toContain("meanwhile")
  expectAsItWas(loud, before)
  const transcript = readFileSync(join(cwd, "run/transcript.jsonl"), "utf8")
  expect(transcript).toContain('"event":"runner/aborted"')
})

test("an agent that is done with its screen closes it", async () => {
  const ending = "process.once('SIGUSR1', () => void agent.close()); agent.emit('test/ready')"
  await using loud = await openLoud(fileScratch(), ending)
  const { before } = loud
  await loud.waitFor("test/ready")
  expectTaken(loud, before)
  loud.kill("SIGUSR1")
  expect(await loud.exited).toBe(0)
  expect(await loud.screen()).toContainEqual(expect.stringMatching(/^after \d+$/))
  expectAsItWas(loud, before)
})

test("the plain example asks, writes what was answered, and ends with the person", async () => {
  await using example = await openExample("agent")
  await example.waitFor(/─ .* asks[\s\S]*What shall the poem be about\?/)
  example.type("rain")
  await example.press("\r").waitFor("finished")
  await example.waitFor("O rain, at dawn")
  expect(await example.press("\x03").exited).toBe(0)
  expect(example.raw).not.toContain("error")
})

test("the AI SDK example asks, is paused before its next step, takes one step, and ends with the person", async () => {
  await using example = await openExample("agent-ai")
  await example.waitFor("Walk or tram?")
  await example.press("\x1bh").waitFor("a answers")
  await example.press("p").waitFor("PAUSED")
  await example.press("a").waitFor("2 tram")
  await example.press("2").waitFor("takes it back")
  const held = await example.press("\r").waitFor(/s step {2,3}c continue/)
  await example.waitFor("▸ ask")
  expect(held.join("\n")).not.toContain("Alfama")
  await example.press("s").waitFor("Then start in Alfama.")
  await example.waitFor("finished")
  expect(await example.press("\x03").exited).toBe(0)
})
