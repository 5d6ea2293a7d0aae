// Measures what a long run costs in memory: the program in a terminal, a million deltas after the other, 2,048 sessions.
import { bin, start, startAgent } from "./process.ts"
import { report } from "./results.ts"

const SESSIONS = 2048
/** Of each session in a second: in sum what a busy machine keeps up with. */
const DELTAS = 10
const MILLION = 1_000_000
const ROUNDS = 4
/** Until what was sent is folded and what it left behind is cleared away. */
const SETTLE_MS = 3000

const seconds = (MILLION / SESSIONS / DELTAS) * ROUNDS
const agent = await startAgent(SESSIONS, DELTAS, seconds + 5)
const program = await start(bin, { columns: 200, rows: 60, env: { OPENTUI_WS_URL: agent.url } })
const rss: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  await Bun.sleep((seconds / ROUNDS) * 1000 + (round === 0 ? SETTLE_MS : 0))
  rss.push(program.rss() / 1e6)
}
await program.stop()
await agent.stop()
const growth = rss.slice(1).map((now, i) => now - (rss[i] ?? now))
report("memory", [
  {
    what: `growth per 1,000,000 deltas of ${SESSIONS.toLocaleString("en")} sessions, after the first`,
    values: growth,
    unit: "MB",
    goal: "< 5 MB",
  },
  { what: `RSS with ${SESSIONS.toLocaleString("en")} sessions, after each`, values: rss, unit: "MB", goal: "< 250 MB" },
])
