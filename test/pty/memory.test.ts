// Tests that the program's memory does not grow with a long reply, a long transcript, or the texts that it exports.
import { expect, test } from "bun:test"
import { appendFileSync, closeSync, constants, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { mostMb } from "../running.ts"
import { scratch } from "../scratch.ts"
import { until } from "../until.ts"
import { openSidecar, spawned } from "./sidecar.ts"

/** Tells the engine that there is little memory: garbage would hide what is held. */
const SMALL = { BUN_JSC_forceRAMSize: "64000000" }
/** The most resident memory, MB. A start takes about 110, and these 150 to 175; what is held whole takes 60 more. */
const MOST_MB = 200
const PATIENCE_MS = 60_000
const ids = { invokeid: "poet", "session-id": "poet.1", model: "m" }

function row(seq: number, event: string, data: object): string {
  return JSON.stringify({ event, seq, ts: 1_700_000_000_000 + seq, data })
}

/** The row as the hub sends it, which counts from 1. */
function sent(text: string): string {
  const { seq, ...rest } = JSON.parse(text)
  return JSON.stringify({ kind: "event", ...rest, seq: seq + 1 })
}

/** Whether a process waits. What comes faster than it reads is held, and how much that is depends on the machine. */
const isIdle = (pid: number): boolean => / S /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/, ""))

/** Sends these rows to each client as fast as it takes them, ten at a time once `isReady`. */
function startHub(
  rows: () => Iterable<string>,
  isReady = () => true,
): { readonly url: string; readonly done: Promise<void> } & Disposable {
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 404 })),
    websocket: {
      async open(socket) {
        for (const [nth, one] of [...rows()].entries()) {
          socket.send(sent(one))
          if (nth % 10 === 0) await until(() => socket.getBufferedAmount() < 1_000_000 && isReady())
        }
        resolve()
      },
      message: () => undefined,
    },
  })
  return { url: `ws://127.0.0.1:${server.port}/ws`, done, [Symbol.dispose]: () => server.stop(true) }
}

test("a reply of 20 MB is shown up to a limit, and keys are answered", async () => {
  const deltas = 300
  const text = "the slow ferry keeps its light under the wind and some more\n".repeat(1084)
  let pid = process.pid
  const rows = function* (): Generator<string> {
    yield row(0, "runner/started", { "session-id": ":s", "chart-id": ":c", "resume?": false })
    yield row(1, "llm/start", ids)
    for (let i = 0; i < deltas; i++) yield row(2 + i, "llm/delta", { type: "text-delta", text, ...ids })
  }
  using hub = startHub(rows, () => isIdle(pid))
  await using terminal = await openSidecar({ cmd: [...spawned, "attach", hub.url], env: SMALL })
  pid = terminal.pid
  await terminal.waitFor(shown => shown.join("\n").includes(` ${deltas} out`), { timeoutMs: PATIENCE_MS })
  expect((await terminal.screen()).join("\n")).toMatch(/cut: \d+ more characters/)
  await terminal.press("?").waitFor(/KEYS/)
  expect(mostMb(terminal.pid)).toBeLessThan(MOST_MB)
})

test("attaching late to a transcript of 20 MB takes a bounded part of it", async () => {
  using place = scratch()
  const directory = place.path
  const text = "of a line ".repeat(180)
  const rows = Array.from({ length: 10_000 }, (_, i) => {
    if (i === 0) return row(i, "runner/started", { "session-id": ":s", "chart-id": ":c", "resume?": false })
    return i % 50 === 1 ? row(i, "llm/start", ids) : row(i, "llm/delta", { type: "text-delta", text, ...ids })
  })
  writeFileSync(join(directory, "transcript.jsonl"), `${rows.join("\n")}\n`)
  using hub = startHub(() => rows.slice(-256))
  await using terminal = await openSidecar({
    cmd: [...spawned, "attach", hub.url, "--session-dir", directory],
    env: SMALL,
  })
  await terminal.waitFor(/missing/, { timeoutMs: PATIENCE_MS })
  await terminal.waitFor(shown => !shown.join("\n").includes("missing"), { timeoutMs: PATIENCE_MS })
  expect(mostMb(terminal.pid)).toBeLessThan(MOST_MB)
})

test("plain lines of 60 MB into a pipe that nobody reads take bounded memory, and SIGTERM ends them", async () => {
  const text = "the slow ferry keeps its light\n".repeat(330)
  let pid = process.pid
  const rows = function* (): Generator<string> {
    yield row(0, "runner/started", { "session-id": ":s", "chart-id": ":c", "resume?": false })
    for (let nth = 1; nth < 12_000; nth += 2) {
      yield row(nth, "llm/start", ids)
      yield row(nth + 1, "llm/response", { ...ids, content: [{ type: "text", text }] })
    }
  }
  using hub = startHub(rows, () => isIdle(pid))
  using place = scratch()
  const fifo = join(place.path, "pipe")
  Bun.spawnSync(["mkfifo", fifo])
  const pipe = openSync(fifo, constants.O_RDWR)
  const env = { ...process.env, ...SMALL, OPENTUI_WS_URL: hub.url }
  await using child = Bun.spawn([...spawned, "--plain"], { env, stdio: ["pipe", pipe, "ignore"] })
  pid = child.pid
  await hub.done
  expect(mostMb(child.pid)).toBeLessThan(MOST_MB)
  child.kill("SIGTERM")
  expect(await child.exited).toBe(143)
  closeSync(pipe)
})

/** Writes a recording of turns of eight sessions in turn, each with a reply of 128 KB that streams first. */
function writeTurns(path: string, turns: number): void {
  const reply = "the slow ferry keeps its light\n".repeat(4000)
  const half = reply.slice(reply.length / 2)
  rmSync(path, { force: true })
  for (let nth = 0; nth < turns; nth++) {
    const own = { ...ids, "session-id": `poet.${nth % 8}` }
    const content = [{ type: "text", text: `${nth} ${reply}` }]
    const lines = [
      row(4 * nth, "llm/start", own),
      row(4 * nth + 1, "llm/delta", { type: "text-delta", text: half, ...own }),
      row(4 * nth + 2, "llm/delta", { type: "text-delta", text: half, ...own }),
      row(4 * nth + 3, "llm/response", { ...own, content }),
    ]
    appendFileSync(path, `${lines.join("\n")}\n`)
  }
}

test.each(["md", "html"])("an export of five times the texts takes little more memory, as %s", async format => {
  using place = scratch()
  const path = join(place.path, "run.jsonl")
  const output = join(place.path, `run.${format}`)
  const env = { ...process.env, ...SMALL }
  const peak = async (turns: number): Promise<number> => {
    writeTurns(path, turns)
    const child = Bun.spawn([...spawned, "export", path, "-o", output], { env, stdio: ["ignore", "ignore", "ignore"] })
    let most = 0
    await until(() => {
      if (child.exitCode === null) most = Math.max(most, mostMb(child.pid))
      return child.exitCode !== null
    })
    expect(child.exitCode).toBe(0)
    expect(statSync(output).size).toBeGreaterThan(turns * 120_000)
    return most
  }
  const least = await peak(40)
  // The engine lets itself have 20 to 33 MB more; one that kept the texts would take some 70.
  expect(await peak(200)).toBeLessThan(least + 50)
})
