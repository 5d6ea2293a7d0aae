// Tests that nothing of a run is left when its server ends, and that the server ends as it would without us.
import { expect, test } from "bun:test"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { isRunning } from "../../../../test/running.ts"
import { fileScratch } from "../../../../test/scratch.ts"
import { until } from "../../../../test/until.ts"
import { execute } from "../../src/server/index.ts"
import { endWithServer } from "../../src/server/server-end.ts"
import { openHost } from "../host.ts"

const HOST = join(import.meta.dir, "../ending-host.ts")

/** `exit` is what the host itself does at the signal: an exit code, or the signal that it dies of. */
const ENDS = [
  ["hangs", "exits", "SIGINT", 3],
  ["deaf", "exits", "SIGTERM", 4],
  ["deaf", "nothing", "SIGTERM", "SIGTERM"],
  ["deaf", "reloaded", "SIGTERM", "SIGTERM"],
] as const

/** Ends a server at the signal; how it exited, and how many directories with skills are left. */
async function ended([chart, how, signal]: (typeof ENDS)[number]): Promise<unknown> {
  const temporary = fileScratch()
  // It is no test itself.
  const env = { ...process.env, NODE_ENV: "", TMPDIR: temporary }
  const server = Bun.spawn([process.execPath, HOST, chart, how], { env, stdout: "pipe", stderr: "ignore" })
  using _ = { [Symbol.dispose]: () => server.kill("SIGKILL") }
  const { value = new Uint8Array() } = await server.stdout.getReader().read()
  const home = new TextDecoder().decode(value).trim()
  const pidFile = join(home, "grandchild.pid")
  const pid = async () => ((await Bun.file(pidFile).exists()) ? Number(await Bun.file(pidFile).text()) : 0)
  await until(async () => (await pid()) > 0)
  const grandchild = await pid()
  const skills = async () => (await readdir(temporary)).filter(name => name.startsWith("paperclip-skills-"))
  expect([await isRunning(grandchild), (await skills()).length]).toEqual([true, 1])
  server.kill(signal)
  await server.exited
  await until(async () => !(await isRunning(grandchild)))
  return [server.signalCode ?? server.exitCode, (await skills()).length]
}

let all: readonly Promise<unknown>[] | null = null
test.each(ENDS.map((end, i) => [...end, i] as const))(
  "a run of %s on a host (%s) at %s leaves nothing behind",
  async (_chart, _how, _signal, exit, i) => {
    all ??= ENDS.map(ended)
    expect(await all[i]).toEqual([exit, 0])
  },
)

test("listens to the server's end only while something runs", async () => {
  const listeners = () => ["SIGTERM", "SIGINT", "exit"].map(name => process.listenerCount(name))
  const before = listeners()
  const host = openHost()
  const during: number[][] = []
  const onSpawn = async () => void during.push(listeners())
  const paperclipRuntimeSkills = [{ key: "paperclipai/paperclip/paperclip", runtimeName: "snow", source: host.cwd }]
  const config = { paperclipRuntimeSkills }
  await Promise.all([1, 2].map(() => execute(host.context("works", { onSpawn, config }))))
  expect(during.at(-1)).toEqual(before.map(count => count + 1))
  expect(listeners()).toEqual(before)
  const [one, other] = [{ drop: () => undefined }, { drop: () => undefined }].map(endWithServer)
  for (const release of [one, one]) release?.()
  expect(listeners()).toEqual(before.map(count => count + 1))
  other?.()
  expect(listeners()).toEqual(before)
})
