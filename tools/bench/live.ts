// Measures the program under load: a thousand live sessions over a real WebSocket, in a terminal of 200 by 60.
import { bin, now, start, startAgent } from "./process.ts"
import { quantile, report } from "./results.ts"

const SESSIONS = 1000
/** Of each session in a second. */
const DELTAS = Number(process.argv.find(word => /^\d+$/.test(word)) ?? 100)
const SECONDS = 20
const WARM_MS = 5000
const MEASURED_MS = 12_000
const MARK_MS = 100
const KEY_MS = 150

await using agent = await startAgent(SESSIONS, DELTAS, SECONDS, MARK_MS)
await using program = start(bin, { columns: 200, rows: 60, env: { OPENTUI_WS_URL: agent.url } })
const shown: number[] = []
const answered: number[] = []
let measuring = false
agent.hear(({ letter, at }) => {
  if (letter === undefined || at === undefined) return
  const asked = measuring
  // The last ones come after the program has been stopped.
  program.seen(letter, `the letter ${letter} of the agent`).then(
    seen => asked && shown.push(seen - at),
    () => undefined,
  )
})
await Bun.sleep(WARM_MS)

// In the field of `F` each letter that is typed is drawn once, where it stands.
program.press("F")
await Bun.sleep(500)
measuring = true
const before = { frames: program.frames(), processor: program.processorMs(), at: now() }
for (let letter = 0x430; now() - before.at < MEASURED_MS; letter++) {
  const typed = String.fromCharCode(letter)
  const at = now()
  const seen = program.seen(typed, `the letter ${typed} that was typed`)
  program.press(typed)
  answered.push((await seen) - at)
  await Bun.sleep(KEY_MS)
}
measuring = false
const seconds = (now() - before.at) / 1000
const frames = (program.frames() - before.frames) / seconds
const processor = (program.processorMs() - before.processor) / seconds / 10
await Bun.sleep(500)
const rss = program.rss() / 1e6
await program.stop()
await agent.stop()
if (shown.length === 0) throw new Error("The program has shown no letter of the agent")

const load = `${SESSIONS.toLocaleString("en")} sessions × ${DELTAS} deltas/s`
report("live", [
  { what: `${load}: frames drawn`, values: [frames], unit: "frames/s", goal: "60" },
  { what: `${load}: of one core`, values: [processor], unit: "%", goal: "< 60 %" },
  { what: `${load}: a delta on the screen, p50`, values: [quantile(shown, 0.5)], unit: "ms" },
  {
    what: `${load}: a delta on the screen, p99`,
    values: [quantile(shown, 0.99)],
    unit: "ms",
    goal: "≤ 33 ms",
  },
  { what: `${load}: a key answered, p50`, values: [quantile(answered, 0.5)], unit: "ms" },
  {
    what: `${load}: a key answered, p99`,
    values: [quantile(answered, 0.99)],
    unit: "ms",
    goal: "≤ 33 ms",
  },
  { what: `${load}: RSS`, values: [rss], unit: "MB" },
])
