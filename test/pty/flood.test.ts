// Tests that a command which prints without pause is held back: it is drawn, answers keys, ends, and takes little memory.
import { expect, test } from "bun:test"
import { root } from "../fixtures.ts"
import { mostMb } from "../running.ts"
import { fileScratch } from "../scratch.ts"
import { modes } from "./modes.ts"
import { openSidecar, spawned } from "./sidecar.ts"
import { cleanEnvironment } from "./terminal.ts"

/** The most resident memory, MB. It is 160 to 210; a command that was not held back took 700 more each second. */
const MOST_MB = 300

test("a command that prints without pause is drawn, answers keys, and ends at SIGTERM", async () => {
  await using sidecar = await openSidecar({ cmd: [...spawned, "run", "--", "yes"] })
  await sidecar.waitFor("y y y")
  await sidecar.press("?").waitFor("KEYS")
  expect(mostMb(sidecar.pid)).toBeLessThan(MOST_MB)
  sidecar.kill("SIGTERM")
  expect(await sidecar.exited).toBe(143)
  expect(modes(sidecar.raw)).toEqual([])
})

test("plain lines of a command that prints without pause come whole, in bounded memory", async () => {
  const lines = 1_000_000
  const cmd = [...spawned, "run", "--plain", "--", "seq", "1", String(lines)]
  const child = Bun.spawn(cmd, {
    cwd: root,
    env: cleanEnvironment(fileScratch()),
    stdio: ["ignore", "pipe", "ignore"],
  })
  let text = ""
  let most = 0
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (child.exitCode === null) most = Math.max(most, mostMb(child.pid))
  }
  const printed = text.split("\n").filter(line => /^ {2}\d+$/.test(line))
  expect([printed.length, printed.at(-1)]).toEqual([lines, `  ${lines}`])
  expect(await child.exited).toBe(0)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(MOST_MB)
})
