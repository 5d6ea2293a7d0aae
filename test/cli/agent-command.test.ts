// Tests the `agent` command as a real process.
import { expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { demoAgent, readAgentOptions } from "../../src/cli/agent-command.ts"
import { Ui } from "../agent/ui.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"

const PROMPTS = join(root, "fixtures/frames/prompts.jsonl")

const directory = fileScratch()

/** Runs the command in its own process. */
function run(...args: string[]) {
  const program = `
    import { runCommand } from ${JSON.stringify(join(root, "src/cli/run-command.ts"))}
    process.exitCode = await runCommand({ command: "agent", args: process.argv.slice(1) })`
  const env = { ...process.env, TMPDIR: directory }
  return Bun.spawn(["bun", "--config=/dev/null", "-e", program, ...args], { env, stdout: "pipe", stderr: "pipe" })
}

/** The first piece that is printed. */
async function firstPiece(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const piece of stream) return new TextDecoder().decode(piece)
  return ""
}

test("agent prints its URL and log first; after ui-quit it exits with 0 and keeps the log", async () => {
  const process = run(PROMPTS, "--speed", "instant", "--hold")
  const told = await firstPiece(process.stdout)
  const [, url, logPath] = /^(ws:\/\/127\.0\.0\.1:\d+\/ws) (\S+)\n/.exec(told) ?? []
  const ui = await Ui.attach(url ?? "")
  await ui.untilFrame(frame => frame["prompt-id"] === "ask-name#1")
  ui.send({ kind: "control", op: "ui-quit" })
  await ui.untilClosed()
  expect(await process.exited).toBe(0)
  expect(readFileSync(logPath ?? "", "utf8")).toBe('{"kind":"control","op":"ui-quit"}\n')
})

test.each([
  ["--log", "SIGTERM", / \/.*heard\nsession directory \/.*session\n$/],
  ["--session-dir", "SIGHUP", / \/.*inbound\.jsonl\nsession directory \/.*heard\n$/],
] as const)("agent writes where %s says and exits with 0 on %s", async (flag, signal, said) => {
  const heard = join(directory, `${signal}-heard`)
  const process = run(PROMPTS, flag, heard)
  expect([await firstPiece(process.stdout), existsSync(heard)]).toEqual([expect.stringMatching(said), true])
  process.kill(signal)
  expect(await process.exited).toBe(0)
})

test.each([
  "r",
  "r --speed instant",
  "r.jsonl --port 80 --speed 2.5 --hold --debug --as escapement --log l --session-dir d --fault cut@3 --fault garbage@9",
])("agent reads its arguments: %s", line => expect(readAgentOptions(line.split(" "))).toMatchSnapshot())

test("the demo's agent takes its files with it when it is closed", async () => {
  const before = process.listenerCount("exit")
  const demo = await demoAgent()
  expect(existsSync(join(demo.sessionDir, ".."))).toBe(true)
  await demo.close()
  expect([existsSync(join(demo.sessionDir, "..")), process.listenerCount("exit")]).toEqual([false, before])
})
