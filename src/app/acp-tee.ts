// Stands between an editor and its agent: every byte goes through both ways, and what was said is kept as a run.
import { type ChildProcess, spawn } from "node:child_process"
import { openSync, writeSync } from "node:fs"
import { complain } from "../cli/command-arguments.ts"
import { guestName } from "../guest/guest-source.ts"
import { exitCode } from "../guest/launch.ts"
import { TeeRecorder } from "../guest/tee-recorder.ts"
import { childEnvironment } from "../transport/child-environment.ts"
import { errorCode } from "../transport/error-code.ts"
import { keep } from "./kept-runs.ts"

/** Runs the agent's command; resolves with its exit code. What can't be kept does not concern the two. */
export async function acpTee(command: readonly string[], stateDir: string): Promise<number> {
  const [program, ...words] = command
  if (program === undefined) return complain("acp-tee", "expected the agent's command behind --")
  const child = spawn(program, words, { env: childEnvironment(), stdio: ["pipe", "pipe", "inherit"] })
  const recorder = new TeeRecorder(guestName(command), writer(command, stateDir))
  return await passOn(child, recorder)
}

/** Appends lines to the transcript of a new kept run, which is made with the first of them. */
function writer(command: readonly string[], stateDir: string): (lines: readonly string[]) => void {
  let file: number | null = null
  return lines => {
    if (file === null)
      keep(stateDir, command, null, Date.now(), path => {
        file = openSync(path, "wx", 0o600)
      })
    if (file !== null) writeSync(file, `${lines.join("\n")}\n`)
  }
}

/** Passes on what either says, first to the other and then to the recorder, until the agent has ended. */
function passOn(child: ChildProcess, recorder: Pick<TeeRecorder, "take" | "end">): Promise<number> {
  const { stdin, stdout } = child
  const ended = Promise.withResolvers<number>()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal))
  // Whoever is gone reads nothing; the other's end follows from that.
  for (const stream of [stdin, process.stdout]) stream?.on("error", () => child.kill("SIGTERM"))
  if (stdin !== null) process.stdin.pipe(stdin)
  process.stdin.on("data", (bytes: Buffer) => recorder.take("editor", bytes))
  stdout?.pipe(process.stdout, { end: false })
  stdout?.on("data", (bytes: Buffer) => recorder.take("agent", bytes))
  child.on("error", error =>
    ended.resolve(complain("acp-tee", errorCode(error) === "ENOENT" ? "command not found" : "can't be started", 127)),
  )
  child.on("close", (code, signal) => {
    const reason = signal === null ? `exit code ${code ?? 1}` : `ended by ${signal}`
    recorder.end(reason, code !== 0)
    process.stdin.destroy()
    ended.resolve(exitCode({ code, signal }))
  })
  return ended.promise
}
