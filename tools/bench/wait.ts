// Measures what people wait for: a late attach to a long transcript, home with many sessions, an agent's own log.
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { scratch } from "../../test/scratch.ts"
import { linesOf, write } from "./generate.ts"
import { bin, installed, now, processorMs, root, start } from "./process.ts"
import { quantile, report, rounded } from "./results.ts"
import { FRAME_END } from "./watched.ts"

const TRANSCRIPT_BYTES = 300_000_000
const LOAD = { frames: Number.POSITIVE_INFINITY, sessions: 256, seed: 20260314 }
/** Events that a hub repeats to whoever attaches. */
const RING = 256
const KEY_MS = 80
const LOG_BYTES = 60_000_000
const SESSIONS = 500
const ROUNDS = 2
const CLAUDE = readFileSync(join(root, "fixtures/agents/sessions/claude-2.1.197.jsonl"), "utf8")
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

using scratched = scratch()
const home = scratched.path

/** Attaches to the end of a run of which the transcript has all. */
async function late() {
  const directory = join(home, "session")
  const ring = transcribe(directory)
  const { size } = statSync(join(directory, "transcript.jsonl"))
  using hub = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 404 })),
    websocket: { open: socket => void ring.map(line => socket.send(line)), message: () => undefined },
  })
  const env = { OPENTUI_WS_URL: `ws://127.0.0.1:${hub.port}/ws`, OPENTUI_SESSION_DIR: directory, HOME: home }
  const began = now()
  await using program = start(bin, { env })
  await program.seen("writer-", "a session")
  const keys: number[] = []
  let most = 0
  for (let isHelp = false; !isWhole(size); isHelp = !isHelp) {
    const pressed = now()
    const drawn = program.seen(FRAME_END, "a frame")
    program.press(isHelp ? "\x1b" : "?")
    keys.push((await drawn) - pressed)
    most = Math.max(most, program.rss())
    await Bun.sleep(KEY_MS)
  }
  const what = `a late attach to ${Math.round(size / 1e6)} MB of transcript`
  return [
    { what: `${what}: until it is whole`, values: [(now() - began) / 1000], unit: "s" as const },
    { what: `${what}: RSS at most`, values: [most / 1e6], unit: "MB" as const, goal: "< 400 MB" },
    { what: `${what}: a key, p99`, values: [quantile(keys, 0.99)], unit: "ms" as const, goal: "≤ 100 ms" },
  ]
}

/** Writes a transcript, and gives the last events as the hub sends them. */
function transcribe(directory: string): readonly string[] {
  mkdirSync(directory)
  const file = openSync(join(directory, "transcript.jsonl"), "w")
  const lines: string[] = []
  let [rows, bytes] = [0, 0]
  for (const line of linesOf(LOAD)) {
    lines.push(line)
    rows++
    if (lines.length < 10_000) continue
    const first = rows - lines.length
    const stored = lines.map((one, i) => one.replace(/^\{"kind":"event","seq":\d+/, `{"seq":${first + i}`))
    bytes += writeSync(file, `${stored.join("\n")}\n`)
    if (bytes >= TRANSCRIPT_BYTES) break
    lines.length = 0
  }
  closeSync(file)
  return lines.slice(-RING)
}

/** Whether the run that is kept on disk has as much as the transcript. */
function isWhole(bytes: number): boolean {
  const spools = join(home, ".local/state/opentui-sidecar/spool")
  const [spool, other] = readdirSync(spools)
  return spool !== undefined && other === undefined && statSync(join(spools, spool)).size >= bytes
}

/** Until home shows what the first session of an agent CLI was asked. */
async function list() {
  const projects = join(home, ".claude/projects/-work")
  mkdirSync(projects, { recursive: true })
  for (let i = 0; i < SESSIONS; i++) {
    const id = crypto.randomUUID()
    const text = CLAUDE.replaceAll(/"sessionId":"[^"]+"/g, `"sessionId":"${id}"`)
    writeFileSync(join(projects, `${id}.jsonl`), text)
  }
  const values: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = now()
    await using program = start(bin, { env: { HOME: home } })
    values.push((await program.seen("What is here?", "a session's prompt")) - began)
  }
  return [{ what: `home with ${SESSIONS} sessions: its first picture`, values, unit: "ms" as const, goal: "≤ 250 ms" }]
}

/** What folding a log of Claude Code takes, beside a recording as long; and what others take for the same log. */
function logs() {
  const [projects, recording] = [join(home, "projects/bench"), join(home, "run.jsonl")]
  const log = join(projects, "log.jsonl")
  mkdirSync(projects, { recursive: true })
  writeFileSync(log, claudeLog())
  write(recording, LOAD, LOG_BYTES)
  const own = (path: string) => [...bin, "fold", path]
  const peers = installed(["jq", "-c", ".type", log], ["ccusage", "session", "--json", "--offline"])
  const env = { CLAUDE_CONFIG_DIR: home }
  const rounds = Array.from({ length: ROUNDS }, () => {
    return [own(recording), own(log), ...peers].map(cmd => processorMs(cmd, env))
  })
  const shares = (nth: number) => rounds.map(times => (times[nth] ?? Number.NaN) / (times[0] ?? Number.NaN))
  const peer = peers.map(([name], i) => `${name} ×${rounded(quantile(shares(i + 2), 0.5))}`).join(", ")
  const what = `folding ${LOG_BYTES / 1e6} MB of Claude's log, to a recording as long`
  return [{ what, values: shares(1), unit: "×" as const, goal: "≤ ×2", peer }]
}

/** One session whose prompts follow each other. */
function claudeLog(): string {
  const parts: string[] = []
  let last = "null"
  for (let bytes = 0; bytes < LOG_BYTES; bytes += CLAUDE.length) {
    const nth = parts.length.toString(16).padStart(6, "0")
    const part = CLAUDE.trimEnd()
      .replaceAll(/"(uuid|parentUuid)":"[^"]+"/g, text => text.replace(UUID, id => id.slice(0, -6) + nth))
      .replaceAll(/"id":"(msg_\w+)"/g, `"id":"$1${nth}"`)
      .replace('"parentUuid":null', `"parentUuid":${last}`)
    last = part.match(/(?<="uuid":)"[^"]+"/g)?.at(-1) ?? "null"
    parts.push(part)
  }
  return `${parts.join("\n")}\n`
}

report("wait", [...(await list()), ...logs(), ...(await late())])
