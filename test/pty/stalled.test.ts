// Tests that a terminal that stops reading does not stop the run (docs/contract.md section 1).
import { expect, test } from "bun:test"
import { once } from "node:events"
import { closeSync, constants, existsSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type WebSocket, WebSocketServer } from "ws"
import { root } from "../fixtures.ts"
import { scratch } from "../scratch.ts"
import { until } from "../until.ts"
import { spawned } from "./sidecar.ts"

/** Long enough that the frames fill a pty's buffer many times over. */
const STALLED_MS = 2500

let seq = 0
const event = (name: string, data: object): string =>
  JSON.stringify({ kind: "event", seq: seq++, ts: 1_000 + seq, event: name, data })

const delta = (text: string): string =>
  event("llm/delta", { type: "text-delta", text, model: "m", invokeid: "poet", "session-id": "s1" })

/** Resolves once the sidecar's event loop has answered a ping. */
async function answered(socket: WebSocket): Promise<void> {
  const pong = once(socket, "pong")
  socket.ping()
  await pong
}

test("pings are answered while the terminal does not read, and everything is shown once it does", async () => {
  using home = scratch()
  const agent = new WebSocketServer({ host: "127.0.0.1", port: 0 })
  await once(agent, "listening")
  const attached = once(agent, "connection")
  const address = agent.address()
  const port = typeof address === "object" ? address?.port : address
  const keeper = Bun.spawn([process.execPath, join(import.meta.dir, "keeper.ts"), ...spawned], {
    cwd: root,
    env: { PATH: process.env.PATH, TERM: "xterm-256color", HOME: home.path, OPENTUI_WS_URL: `ws://127.0.0.1:${port}/` },
    stdio: ["ignore", "pipe", "ignore"],
  })
  try {
    const shown = reader(keeper.stdout)
    const [socket]: WebSocket[] = await attached
    if (socket === undefined) throw new Error("nobody attached")
    socket.send(event("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" }))
    socket.send(event("llm/start", { invokeid: "poet", "session-id": "s1", model: "m" }))
    socket.send(delta("BEGINNING"))
    await shown("BEGINNING")

    keeper.kill("SIGSTOP")
    const waits: number[] = []
    for (const began = performance.now(); performance.now() - began < STALLED_MS; ) {
      socket.send(delta(`\n${"#".repeat(60)} ${waits.length}`))
      const asked = performance.now()
      await answered(socket)
      waits.push(performance.now() - asked)
    }
    expect(Math.max(...waits)).toBeLessThan(STALLED_MS)
    socket.send(delta("\nENDING"))
    await answered(socket)
    keeper.kill("SIGCONT")
    expect(await shown("ENDING")).toContain("BEGINNING")
  } finally {
    keeper.kill("SIGCONT")
    keeper.kill("SIGTERM")
    await keeper.exited
    agent.close()
  }
})

/** More than a pipe and a terminal hold. */
const lengthy = Array.from({ length: 300 }, (_, at) =>
  event("llm/response", {
    invokeid: "poet",
    "session-id": "s1",
    content: [{ type: "text", text: `${at} `.repeat(500) }],
  }),
)

/** The process that another started; 0 while there is none. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0])
}

/** The bytes that a process has written so far. */
const written = (pid: number): string => /wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? ""

for (const flags of [[], ["--plain"]]) {
  const name = ["the program", ...flags].join(" ")
  test(`${name} ends within 2 s of SIGTERM though its terminal does not read, and gives it back`, async () => {
    using home = scratch()
    const path = join(home.path, "lengthy.jsonl")
    await Bun.write(path, lengthy.join("\n"))
    const cmd = [...spawned, "replay", ...flags, ...(flags.length === 0 ? ["--loop"] : ["--timing", "instant"]), path]
    const keeper = Bun.spawn([process.execPath, join(import.meta.dir, "keeper.ts"), ...cmd], {
      cwd: root,
      env: { PATH: process.env.PATH, TERM: "xterm-256color", HOME: home.path },
      stdio: ["ignore", "pipe", "ignore"],
    })
    try {
      const shown = reader(keeper.stdout)
      // Plain lines are stuck from the first, or they would be over before.
      if (flags.length === 0) await shown("poet")
      await until(() => childOf(keeper.pid) > 0)
      const pid = childOf(keeper.pid)
      keeper.kill("SIGSTOP")
      // It has more to write than the terminal takes, so it gets stuck.
      let [before, times] = ["", 0]
      await until(() => {
        times = before === written(pid) ? times + 1 : 0
        before = written(pid)
        return times > 200 && Number(before) > 2048
      })
      const began = performance.now()
      process.kill(pid, "SIGTERM")
      await until(() => !existsSync(`/proc/${pid}/fd/0`))
      expect(performance.now() - began).toBeLessThan(2000)
      keeper.kill("SIGCONT")
      if (flags.length === 0) await shown("\x1b[?1049l")
      expect(await keeper.exited).toBe(143)
    } finally {
      keeper.kill("SIGCONT")
      keeper.kill("SIGTERM")
    }
  })
}

test("--plain ends within 2 s of SIGTERM though nobody reads its pipe", async () => {
  using home = scratch()
  const path = join(home.path, "lengthy.jsonl")
  const fifo = join(home.path, "pipe")
  await Bun.write(path, lengthy.join("\n"))
  Bun.spawnSync(["mkfifo", fifo])
  const fd = openSync(fifo, constants.O_RDWR)
  const program = Bun.spawn([...spawned, "replay", "--plain", path], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home.path },
    stdio: ["ignore", fd, fd],
  })
  try {
    await until(() => Number(written(program.pid)) > 60_000)
    const began = performance.now()
    program.kill("SIGTERM")
    expect(await program.exited).toBe(143)
    expect(performance.now() - began).toBeLessThan(2000)
  } finally {
    program.kill("SIGKILL")
    closeSync(fd)
  }
})

/** Resolves with all of a stream's text once it includes `text`. */
function reader(stream: ReadableStream<Uint8Array>): (text: string) => Promise<string> {
  const source = stream.getReader()
  const decoder = new TextDecoder()
  let all = ""
  return async text => {
    while (!all.includes(text)) {
      const { value, done } = await source.read()
      if (done) throw new Error(`the terminal ended without "${text}"`)
      all += decoder.decode(value, { stream: true })
    }
    return all
  }
}
