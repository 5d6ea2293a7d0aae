// Stands between an editor and its agent: passes every byte on, both ways, and then tells a recorder.
import { type ChildProcess, spawn } from "node:child_process"
import { childEnvironment } from "../transport/child-environment.ts"
import { exitCode } from "./launch.ts"
import type { Side, Told } from "./tee-recorder.ts"

/** The most bytes that may wait for the recorder. With more the recording ends there. */
const MAX_BACKLOG = 64 * 1024 * 1024
/** How long the recorder may take for the rest, once the agent has ended, ms. */
const LAST_MS = 3000

/** Runs the agent's command; resolves with its exit code, and rejects if it can't be started. */
export function acpTee(command: readonly string[]): Promise<number> {
  const [program = "", ...words] = command
  const child: ChildProcess = spawn(program, words, { env: childEnvironment(), stdio: ["pipe", "pipe", "inherit"] })
  // A fault of ours must not end the traffic.
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.removeAllListeners(event).on(event, () => undefined)
  const recorder = startRecorder(command)
  const ended = Promise.withResolvers<number>()
  child.on("error", ended.reject)
  const { stdin, stdout } = child
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal))
  // Whoever is gone reads nothing; the other's end follows from that.
  for (const stream of [stdin, process.stdout]) stream?.on("error", () => child.kill("SIGTERM"))
  const take = (side: Side) => (bytes: Buffer) =>
    recorder.tell({ side, ts: Date.now(), bytes: bytes.toString("base64") })
  if (stdin !== null) process.stdin.pipe(stdin)
  process.stdin.on("data", take("editor"))
  stdout?.pipe(process.stdout, { end: false })
  stdout?.on("data", take("agent"))
  child.on("close", async (code, signal) => {
    const reason = signal === null ? `exit code ${code ?? 1}` : `ended by ${signal}`
    await recorder.end({ reason, failed: code !== 0 })
    process.stdin.destroy()
    ended.resolve(exitCode({ code, signal }))
  })
  return ended.promise
}

/** Starts this program as the recorder. Nothing throws, and nothing waits for it before the end. */
function startRecorder(command: readonly string[]) {
  // An executable has its program within; the path that it names is of no file.
  const own = Bun.isStandaloneExecutable ? [] : process.argv.slice(1, 2)
  const words = [...process.execArgv, ...own, "acp-tee", "--record", "--", ...command]
  const recorder = spawn(process.execPath, words, { detached: true, stdio: ["pipe", "ignore", "ignore"] })
  const { stdin } = recorder
  const over = new Promise(done => {
    for (const event of ["exit", "error"]) recorder.on(event, done)
  })
  stdin.on("error", () => undefined)
  // UTF-16 units that wait. Bun's `writableLength` stays 0 for the stdin of a child.
  let waiting = 0
  const tell = (told: Told): void => {
    const line = `${JSON.stringify(told)}\n`
    if (waiting > MAX_BACKLOG) stdin.destroy()
    if (!stdin.writable) return
    waiting += line.length
    stdin.write(line, () => {
      waiting -= line.length
    })
  }
  return {
    tell,
    async end(told: Told): Promise<void> {
      tell(told)
      stdin.end()
      const late = Promise.withResolvers<void>()
      const limit = setTimeout(late.resolve, LAST_MS)
      await Promise.race([over, late.promise])
      clearTimeout(limit)
      // One that hangs, or whose end was not heard, would keep this process.
      recorder.kill("SIGKILL")
      recorder.unref()
      stdin.destroy()
    },
  }
}
