// Measures a terminal that stops reading for 3 s under load: how late the program answers, and what is lost.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bin, startAgent } from "./process.ts"
import { report } from "./results.ts"

const SESSIONS = 100
/** Of each session in a second. */
const DELTAS = 20
const SECONDS = 9
/** After the program has attached the sessions have come by then, and the screen is drawn. */
const BEFORE_MS = 2000
const STALL_MS = 3000
const SILENCE_MS = 15_000
/** What takes longer has failed. */
const PATIENCE_MS = 60_000

const home = mkdtempSync(join(tmpdir(), "bench-stall-"))
const record = join(home, "run.jsonl")
const agent = await startAgent(SESSIONS, DELTAS, SECONDS)
const attached = agent.first(said => said.attached, "that the program attached", PATIENCE_MS)
const sent = agent.first(({ seq }) => seq, "how much it sent", PATIENCE_MS)
const answered = agent.first(
  ({ worstAnswerMs, unanswered = 0 }) => (unanswered > 0 ? Number.POSITIVE_INFINITY : worstAnswerMs),
  "how late its pings were answered",
  PATIENCE_MS,
)
const keeper = Bun.spawn([process.execPath, join(import.meta.dir, "../pty/keeper.ts"), ...bin], {
  env: {
    PATH: process.env.PATH ?? "",
    TERM: "xterm-256color",
    HOME: home,
    OPENTUI_WS_URL: agent.url,
    OPENTUI_RECORD: record,
  },
  stdio: ["ignore", "ignore", "inherit"],
})
try {
  // A signal that comes before somebody has attached would end the agent.
  await attached
  await Bun.sleep(BEFORE_MS)
  // For four seconds the agent notes how late each ping is answered, which only the program's own event loop does.
  agent.signal("SIGUSR2")
  keeper.kill("SIGSTOP")
  await Bun.sleep(STALL_MS)
  keeper.kill("SIGCONT")
  const [worst, total] = await Promise.all([answered, sent])
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
  if ((await Promise.race([keeper.exited, Bun.sleep(SILENCE_MS)])) === undefined) keeper.kill("SIGKILL")
  await agent.stop()
  rmSync(home, { recursive: true, force: true })
}

function recorded(): number {
  return readFileSync(record, "utf8").split('{"kind":"event"').length - 1
}
