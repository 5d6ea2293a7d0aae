// Stands between a scripted editor and its agent, both real processes.
import { expect, test } from "bun:test"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { recordingAt } from "../../packages/wire/src/files/recording-path.ts"
import { root } from "../fixtures.ts"
import { spawned } from "../pty/sidecar.ts"
import { fileScratch } from "../scratch.ts"
import { until } from "../until.ts"
import { blocksOf, runFrom } from "./reading.ts"

const MB = 1024 * 1024

/** The program before an agent, which is a script, and the process of its recorder, 0 without one. */
function start(state: string, script: string, more = {}) {
  const env = { ...process.env, XDG_STATE_HOME: state, ...more }
  const pipes = { stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const
  const tee = Bun.spawn([...spawned, "acp-tee", "--", "sh", "-c", script], { env, ...pipes })
  const recorder = () => {
    const { stdout } = Bun.spawnSync(["ps", "-o", "pid=,args=", "--ppid", String(tee.pid)])
    return Number(/^ *(\d+) .*--record/m.exec(String(stdout))?.[1] ?? 0)
  }
  return { tee, recorder }
}

/** What comes back of bytes that an editor sends through the program to an agent. `state`: where it keeps runs. */
async function through(bytes: Uint8Array, state: string, agent = "cat", more = {}) {
  const { tee } = start(state, agent, more)
  tee.stdin.write(bytes)
  tee.stdin.end()
  const [back, errors] = await Promise.all([new Response(tee.stdout).bytes(), new Response(tee.stderr).text()])
  return { back, errors, code: await tee.exited }
}

const kept = (state: string): readonly string[] => {
  const runs = join(state, "opentui-sidecar/runs")
  return existsSync(runs) ? [...new Bun.Glob("*/transcript.jsonl").scanSync({ cwd: runs, absolute: true })] : []
}

test("they come through while the recorder is killed or hangs, and only what hangs is waited for", async () => {
  const directory = fileScratch()
  const bytes = new Uint8Array(4 * MB).map((_, at) => (at * 2_654_435_761) >>> 13)
  const ended: string[] = []
  const hurt = async (signal: "SIGKILL" | "SIGSTOP") => {
    const { tee, recorder } = start(directory, "cat; exit 7")
    await until(() => recorder() > 0)
    process.kill(recorder(), signal)
    tee.stdin.write(bytes)
    tee.stdin.end()
    const back = await new Response(tee.stdout).bytes()
    expect([Bun.hash(back), back.length, await tee.exited]).toEqual([Bun.hash(bytes), bytes.length, 7])
    ended.push(signal)
  }
  await Promise.all([hurt("SIGSTOP"), hurt("SIGKILL")])
  expect(ended).toEqual(["SIGKILL", "SIGSTOP"])
})

test("megabytes of any bytes come through, and a recorder that reads nothing is given up with 64 MB that wait", async () => {
  const { tee, recorder } = start(fileScratch(), "cat; exit 7")
  await until(() => recorder() > 0)
  const pid = recorder()
  process.kill(pid, "SIGSTOP")
  // Both sides say as much, in base64 a third more.
  const bytes = new Uint8Array(25 * MB).map((_, at) => (at * 2_654_435_761) >>> 13)
  tee.stdin.write(bytes)
  void tee.stdin.flush()
  const back: Uint8Array[] = []
  const ends = tee.stdout.pipeTo(new WritableStream({ write: piece => void back.push(piece) }))
  await until(() => back.reduce((sum, { length }) => sum + length, 0) === bytes.length)
  process.kill(pid, "SIGCONT")
  await until(() => recorder() === 0)
  expect(tee.exitCode).toBeNull()
  tee.stdin.end()
  await ends
  expect([Bun.hash(Buffer.concat(back)), await tee.exited]).toEqual([Bun.hash(bytes), 7])
})

test("they come through where nothing can be kept", async () => {
  const directory = fileScratch()
  const file = join(directory, "file")
  writeFileSync(file, "")
  const { back, errors, code } = await through(Buffer.from("{}\n{}\n"), file)
  expect([String(Buffer.from(back)), errors, code]).toEqual(["{}\n{}\n", "", 0])
})

test("signals reach the agent as they are, how it ended is told and kept, and it ends with an editor that is gone", async () => {
  const state = fileScratch()
  const loop = "while :; do echo on; sleep 0.02; done"
  const traps = `for s in INT HUP; do trap "echo $s" $s; done; trap 'echo TERM; kill -KILL $$' TERM`
  const [{ tee }, { tee: gone }] = [start(state, `${traps}; ${loop}`), start(state, loop)]
  await gone.stdout.cancel()
  const heard: string[] = []
  const hears = tee.stdout.pipeTo(new WritableStream({ write: bytes => void heard.push(String(Buffer.from(bytes))) }))
  await until(() => heard.join("").includes("on"))
  for (const signal of ["INT", "HUP", "TERM"] as const) {
    tee.kill(`SIG${signal}`)
    await until(() => heard.join("").includes(signal))
  }
  await hears
  expect([await tee.exited, await gone.exited]).toEqual([137, 143])
  const runs = kept(state).map(path => runFrom(readFileSync(path, "utf8").trim().split("\n")))
  expect(runs.map(({ status, reason }) => [status, reason]).sort()).toEqual([
    ["error", "ended by SIGKILL"],
    ["error", "ended by SIGTERM"],
  ])
})

test("ten megabytes of messages come through as they are, and the oldest kept runs go", async () => {
  const directory = fileScratch()
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "word ".repeat(180) } }
  const said = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } })
  const bytes = Buffer.from(`${said}\n`.repeat(10_000))
  const own = join(directory, "opentui-sidecar")
  mkdirSync(own)
  writeFileSync(join(own, "config.toml"), "keep-runs = 1\n")
  for (let run = 0; run < 2; run++) {
    const { back, code } = await through(bytes, directory, "cat", { XDG_CONFIG_HOME: directory })
    expect([Bun.hash(back), code]).toEqual([Bun.hash(bytes), 0])
  }
  expect(kept(directory)).toHaveLength(1)
})

test("what a recorded editor and agent said is kept as a run that can be opened", async () => {
  const directory = fileScratch()
  const lines = readFileSync(join(root, "fixtures/acp/opencode-1.18.33-allow.jsonl"), "utf8").trim().split("\n")
  const said = (side: string): string =>
    lines
      .map(line => JSON.parse(line))
      .filter(({ dir }) => dir === side)
      .map(({ msg }) => `${JSON.stringify(msg)}\n`)
      .join("")
  const agent = join(directory, "agent.jsonl")
  writeFileSync(agent, said("in"))
  // The agent answers once the editor has said all.
  const state = join(directory, "state")
  const { back } = await through(Buffer.from(said("out")), state, `cat >/dev/null; cat '${agent}'`)
  expect(String(Buffer.from(back))).toBe(said("in"))
  const [transcript = ""] = kept(state)
  expect(() => recordingAt(transcript)).not.toThrow()
  const run = runFrom(readFileSync(transcript, "utf8").trim().split("\n"))
  expect(blocksOf(run).filter(block => /^(user|text)/.test(block))).toEqual([
    "user: Make a file.",
    "text: I make a file.",
    "text: Made, **all** well ✓.",
  ])
  expect(run.status).toBe("finished")
})
