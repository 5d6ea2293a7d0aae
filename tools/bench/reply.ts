// Measures a frame while a reply grows, at a kilobyte and at a megabyte, on the real screen.
import { decode } from "../../packages/wire/src/decode.ts"
import { endScreens } from "../../test/screen/open-screens.ts"
import { show } from "../../test/screen/screen.tsx"
import { type Found, quantile, report } from "./results.ts"

const SIZES = [1_000, 1_000_000]
const FRAMES = 250
const ROUNDS = 5
const WORDS = "the slow ferry keeps its light under the wind and "

let seq = 0
const row = (event: string, data: object) =>
  decode(
    JSON.stringify({ kind: "event", seq: ++seq, ts: seq, event, data: { invokeid: "a", "session-id": "s", ...data } }),
  )
const delta = (text: string) => row("llm/delta", { type: "text-delta", text })

/** The median of ms from a delta to its drawn frame, for a reply of this size. */
async function frameMs(size: number): Promise<number> {
  const screen = await show({ columns: 200, rows: 60 })
  screen.feed(row("runner/started", {}), row("llm/start", {}))
  for (let told = 0; told < size; told += 1000) screen.feed(delta(WORDS.repeat(20)))
  await screen.rows()
  const times: number[] = []
  for (let frame = 0; frame < FRAMES; frame++) {
    const next = delta(frame % 10 === 9 ? "light\n" : "ferry ")
    const start = performance.now()
    screen.feed(next)
    await screen.settle()
    times.push(performance.now() - start)
  }
  endScreens()
  return quantile(times, 0.5)
}

const times: number[][] = []
for (let round = 0; round <= ROUNDS; round++) {
  const one: number[] = []
  for (const size of SIZES) one.push(await frameMs(size))
  // The first is warm-up.
  if (round > 0) times.push(one)
}
const of = (size: number) => times.map(one => one[size] ?? Number.NaN)
const found: readonly Found[] = [
  { what: "a frame of a reply of 1 KB that grows, the floor", values: of(0), unit: "ms" },
  { what: "the same of 1 MB", values: of(1), unit: "ms" },
  { what: "1 MB to 1 KB", values: times.map(([small = 0, large = 0]) => large / small), unit: "×", goal: "≤ ×1.5" },
]
report("reply", found)
