// What takes too long for every day: `bun run nightly` tries a thousand schedules, ten million frames, and the soak.
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Directory } from "../../src/disk/directory.ts"
import { decode } from "../../src/protocol/decode.ts"
import { fold } from "../../src/store/fold.ts"
import { emptyRun } from "../../src/store/run.ts"
import { tryMany } from "../chaos/many.ts"
import { randomOf } from "../chaos/random.ts"
import { feed } from "../fuzz/feed.ts"
import { faultsOf, soak } from "./soak.ts"

const SCHEDULES = 1000
const RUNS = 10
const FRAMES = 1_000_000
const UNKNOWN = 1_000_000
const FILES = 100_000
/** MB that runs of hostile frames, each forgotten before the next, may add up to. */
const MOST_MB = 1500

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const megabytes = (): number => Math.round(process.memoryUsage.rss() / 1e6)

/** What was wrong, in words. */
const parts: readonly (readonly [name: string, run: () => Promise<readonly string[]>])[] = [
  ["chaos", async () => tryMany(Array.from({ length: SCHEDULES }, (_, index) => index + 1))],
  ["frames", hostileFrames],
  ["unknown kinds", unknownKinds],
  ["files", manyFiles],
  [
    "soak",
    async () => {
      const result = await soak({ deltas: 10_000_000, sessions: 2000, settleS: 12, quietS: 60, seed: 1 }, say)
      say(JSON.stringify(result))
      return faultsOf(result)
    },
  ],
]

async function hostileFrames(): Promise<readonly string[]> {
  const complaints: string[] = []
  let most = 0
  for (let run = 1; run <= RUNS; run++) {
    const began = performance.now()
    const fed = feed(FRAMES, randomOf(run))
    Bun.gc(true)
    most = Math.max(most, megabytes())
    complaints.push(...fed.complaints)
    const perSecond = Math.round((fed.messages * 1000) / (performance.now() - began))
    say(`  run ${run}: ${fed.lines} lines of ${fed.messages} messages, ${perSecond} a second, ${megabytes()} MB`)
    await Bun.sleep(0)
  }
  return most > MOST_MB ? [...complaints, `${most} MB`] : complaints
}

async function unknownKinds(): Promise<readonly string[]> {
  let run = emptyRun
  for (let from = 0; from < UNKNOWN; from += 1000) {
    run = fold(
      run,
      Array.from({ length: 1000 }, (_, index) => decode(`{"kind":"k${from + index}"}`)),
    )
  }
  say(`  ${run.frames.unread} counted, ${run.unread.length} kept, ${megabytes()} MB`)
  return run.frames.unread === UNKNOWN && run.unread.length <= 1024 ? [] : ["not all unknown kinds were counted"]
}

async function manyFiles(): Promise<readonly string[]> {
  const path = await mkdtemp(join(tmpdir(), "sidecar-files-"))
  try {
    await mkdir(join(path, "artifacts"))
    for (let n = 0; n < FILES; n++) await Bun.write(join(path, "artifacts", `\u001b[2J ${n}`), "")
    const began = performance.now()
    const listed = await (await Directory.open(path)).value?.list("artifacts")
    const { entries = [], cut = false } = listed?.value ?? {}
    say(`  ${entries.length} of ${FILES} listed in ${Math.round(performance.now() - began)} ms, ${megabytes()} MB`)
    return entries.length === 10_000 && cut ? [] : ["the listing was not cut"]
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

/** Which of them to run; all where none is named. */
const wanted = process.argv.slice(2)
let failed = 0
for (const [name, run] of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const began = performance.now()
  const wrong = await run()
  failed += wrong.length
  say(
    `${name}: ${wrong.length === 0 ? "ok" : "FAILED"} (${Math.round((performance.now() - began) / 1000)} s, ${megabytes()} MB)`,
  )
  for (const one of wrong) say(`  ${one}`)
}
process.exit(failed === 0 ? 0 : 1)
