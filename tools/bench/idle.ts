// Measures what an idle program costs: a recording at its end, and a live run without new frames.
import { bin, root, start, startAgent } from "./process.ts"
import { report } from "./results.ts"

const SETTLE_MS = 5000
const IDLE_MS = 30_000

await using agent = await startAgent(0, 0, 0)
const ways = [
  [
    "a recording at its end",
    { OPENTUI_REPLAY: `${root}/fixtures/frames/demo.jsonl`, OPENTUI_REPLAY_TIMING: "instant" },
  ],
  ["a live run, no session open", { OPENTUI_WS_URL: agent.url }],
] as const

const found = await Promise.all(
  ways.map(async ([what, env]) => {
    await using program = start(bin, { env })
    await Bun.sleep(SETTLE_MS)
    const before = { bytes: program.bytes(), processor: program.processorMs() }
    await Bun.sleep(IDLE_MS)
    const bytes = program.bytes() - before.bytes
    const processor = ((program.processorMs() - before.processor) / IDLE_MS) * 100
    const rss = program.rss() / 1e6
    return { what, bytes, processor, rss }
  }),
)
report(
  "idle",
  found.flatMap(({ what, bytes, processor, rss }) => [
    { what: `${what}: sent in half a minute`, values: [bytes], unit: "bytes" as const, goal: "0" },
    { what: `${what}: of one core`, values: [processor], unit: "%" as const, goal: "< 0.5 %" },
    { what: `${what}: RSS`, values: [rss], unit: "MB" as const },
  ]),
)
