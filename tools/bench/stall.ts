// Measures a terminal that stops reading for 3 s under load: how late the program answers, and what is lost.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { atEnd, ownDirectory } from "./left-behind.ts"
import { bin, startAgent } from "./process.ts"
import { report } from "./results.ts"
import { PATIENCE_MS, printedBy } from "./watched.ts"

const SESSIONS = 100
/** Of each session in a second. */
const DELTAS = 20
const SECONDS = 9
/** After the program has attached the sessions have come by then, and the screen is drawn. */
const BEFORE_MS = 2000
const STALL_MS = 3000
const SILENCE_MS = 15_000

const { path: home } = ownDirectory("stall")
const record = join(home, "run.jsonl")
const screen = join(home, "screen")
await using agent = await startAgent(SESSIONS, DELTAS, SECONDS)
const attached = agent.first(said => said.attached, "that the program attached", PATIENCE_MS)
const sent = agent.first(({ seq }) => seq, "how much it sent", PATIENCE_MS)
const answered = agent.first(
  ({ worstAnswerMs, unanswered = 0 }) => (unanswered > 0 ? Number.POSITIVE_INFINITY : worstAnswerMs),
  "how late its pings were answered",
  PATIENCE_MS,
)
const keeper = Bun.spawn([process.execPath, join(import.meta.dir, "../../test/pty/keeper.ts"), ...bin], {
  env: {
    PATH: process.env.PATH ?? "",
    TERM: "xterm-256color",
    HOME: home,
    OPENTUI_WS_URL: agent.url,
    OPENTUI_RECORD: record,
  },
  stdio: ["ignore", Bun.file(screen), "inherit"],
})
const killKeeper = atEnd(() => keeper.kill("SIGKILL"))
const ended = keeper.exited.then(code => Promise.reject(failure(`it has ended (exit code ${code})`)))
// Nobody may be waiting when it ends as it is told to.
ended.catch(() => undefined)
try {
  // A signal that comes before somebody has attached would end the agent.
  await Promise.race([attached, ended])
  await Bun.sleep(BEFORE_MS)
  // For four seconds the agent notes how late each ping is answered, which only the program's own event loop does.
  agent.signal("SIGUSR2")
  keeper.kill("SIGSTOP")
  await Bun.sleep(STALL_MS)
  keeper.kill("SIGCONT")
  const [worst, total] = await Promise.race([Promise.all([answered, sent]), ended])
  if (!existsSync(record)) throw failure(`${record} is missing`)
  for (let waited = 0; recorded() < total && waited < SILENCE_MS; waited += 100) await Bun.sleep(100)
  report("stall", [
    {
      what: "the worst answer to a ping while the terminal did not read",
      values: [worst],
      unit: "ms",
      goal: "< 50 ms",
    },
    { what: `frames lost of ${total.toLocaleString("en")}`, values: [total - recorded()], unit: "frames", goal: "0" },
  ])
} finally {
  keeper.kill("SIGCONT")
  keeper.kill("SIGTERM")
  const late = setTimeout(killKeeper, SILENCE_MS)
  await keeper.exited
  clearTimeout(late)
}

function recorded(): number {
  return readFileSync(record, "utf8").split('{"kind":"event"').length - 1
}

function failure(why: string): Error {
  const printed = existsSync(screen) ? readFileSync(screen, "latin1") : ""
  return new Error(`${bin.join(" ")}: ${why}. It printed:\n${printedBy(printed)}`)
}
