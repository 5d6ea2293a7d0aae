// Tests that a terminal that stops reading does not stop the run (docs/contract.md section 1).
import { expect, test } from "bun:test"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type WebSocket, WebSocketServer } from "ws"
import { root } from "../fixtures.ts"
import { eventText } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { until } from "../until.ts"
import { spawned } from "./sidecar.ts"
import { cleanEnvironment } from "./terminal.ts"

/** Long enough that the frames fill a pty's buffer many times over. */
const STALLED_MS = 2500
const who = { invokeid: "poet", "session-id": "s1", model: "m" }

/** The program in a terminal of another process: while that is stopped, nobody reads. Both end with the test. */
function keep(cmd: readonly string[], env: Record<string, string> = {}) {
  const keeper = Bun.spawn([process.execPath, join(import.meta.dir, "keeper.ts"), ...cmd], {
    cwd: root,
    env: { ...cleanEnvironment(fileScratch()), ...env },
    stdio: ["ignore", "pipe", "ignore"],
  })
  return {
    keeper,
    shown: reader(keeper.stdout),
    async [Symbol.asyncDispose]() {
      keeper.kill("SIGCONT")
      keeper.kill("SIGTERM")
      await keeper.exited
    },
  }
}

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

/** Resolves once the sidecar's event loop has answered a ping. */
async function answered(socket: WebSocket): Promise<void> {
  const pong = once(socket, "pong")
  socket.ping()
  await pong
}

test("pings are answered while the terminal does not read, and everything is shown once it does", async () => {
  const agent = new WebSocketServer({ host: "127.0.0.1", port: 0 })
  opened(() => agent.close())
  await once(agent, "listening")
  const attached = once(agent, "connection")
  const address = agent.address()
  const port = typeof address === "object" ? address?.port : address
  await using kept = keep(spawned, { OPENTUI_WS_URL: `ws://127.0.0.1:${port}/` })
  const { keeper, shown } = kept
  const [socket]: WebSocket[] = await attached
  if (socket === undefined) throw new Error("nobody attached")
  let seq = 0
  const send = (name: string, data: object) => socket.send(eventText(seq++, name, data))
  const say = (text: string) => send("llm/delta", { ...who, type: "text-delta", text })
  send("runner/started", { "session-id": ":session/1", "chart-id": ":haiku/chart" })
  send("llm/start", who)
  say("BEGINNING")
  await shown("BEGINNING")

  keeper.kill("SIGSTOP")
  const waits: number[] = []
  for (const began = performance.now(); performance.now() - began < STALLED_MS; ) {
    say(`\n${"#".repeat(60)} ${waits.length}`)
    const asked = performance.now()
    await answered(socket)
    waits.push(performance.now() - asked)
  }
  expect(Math.max(...waits)).toBeLessThan(STALLED_MS)
  say("\nENDING")
  await answered(socket)
  keeper.kill("SIGCONT")
  expect(await shown("ENDING")).toContain("BEGINNING")
})

/** The process that another started; 0 while there is none. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0])
}

/** The bytes that a process has written so far. */
const written = (pid: number): string => /wchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? ""

test.each([
  ["the program", ["--loop"], true],
  // Plain lines are stuck from the first, or they would be over before.
  ["the program --plain", ["--plain", "--timing", "instant"], false],
] as const)(
  "%s ends within 2 s of SIGTERM though its terminal does not read, and gives it back",
  async (_, flags, isScreen) => {
    // More than a pipe and a terminal hold.
    const said = (nth: number) => ({ ...who, content: [{ type: "text", text: `${nth} `.repeat(500) }] })
    const lengthy = Array.from({ length: 300 }, (_, nth) => eventText(nth, "llm/response", said(nth)))
    const path = join(fileScratch(), "lengthy.jsonl")
    await Bun.write(path, lengthy.join("\n"))
    await using kept = keep([...spawned, "replay", ...flags, path])
    const { keeper, shown } = kept
    if (isScreen) await shown("poet")
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
    if (isScreen) await shown("\x1b[?1049l")
    expect(await keeper.exited).toBe(143)
  },
)
