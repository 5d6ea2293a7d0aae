// Floods the program: ten million hostile frames, a million unknown kinds, and lines of 100 MB.
import { open } from "node:fs/promises"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { randomOf } from "../../test/chaos/random.ts"
import { feed } from "../../test/fuzz/feed.ts"
import { deep, hostileLines } from "../../test/fuzz/hostile.ts"
import { STEERING } from "../../test/pty/sequences.ts"
import { openSidecar, spawned } from "../../test/pty/sidecar.ts"
import { scratch } from "../../test/scratch.ts"
import { limited, MOST_CHILD_MB, mostResident } from "./child.ts"
import { megabytes, type Part, say } from "./part.ts"

const RUNS = 10
const FRAMES = 1_000_000
const UNKNOWN = 1_000_000
const RECORDED = 300_000
const LARGE = 100_000_000
const LEVELS = 10_000
/** MB that runs of hostile frames, each forgotten before the next, may add up to. */
const MOST_MB = 1500
/** Of a screen on a command that prints without pause: how long, s, how much memory, MB, and its end at SIGTERM, ms. */
const ENDLESS = { seconds: 120, mb: 300, endMs: 2000 }

export const hostileFrames: Part = async ({ progress, wrong }) => {
  for (let run = 1; run <= RUNS; run++) {
    const began = performance.now()
    const known = new Set<string>()
    const fed = feed(FRAMES, randomOf(run), (messages, complaints) => {
      for (const one of complaints.filter(complaint => !known.has(complaint))) wrong(`run ${run}: ${one}`)
      for (const one of complaints) known.add(one)
      progress(`run ${run} of ${RUNS}: ${messages} messages`)
    })
    for (const one of fed.complaints.filter(complaint => !known.has(complaint))) wrong(`run ${run}: ${one}`)
    Bun.gc(true)
    const perSecond = Math.round((fed.messages * 1000) / (performance.now() - began))
    say(`  run ${run}: ${fed.lines} lines of ${fed.messages} messages, ${perSecond} a second, ${megabytes()} MB`)
    if (megabytes() > MOST_MB) wrong(`run ${run}: ${megabytes()} MB`)
    await Bun.sleep(0)
  }
}

export const unknownKinds: Part = async ({ progress, wrong }) => {
  let run = emptyRun
  for (let from = 0; from < UNKNOWN; from += 1000) {
    run = fold(
      run,
      Array.from({ length: 1000 }, (_, index) => decode(`{"kind":"k${from + index}"}`)),
    )
    progress(`${from} kinds`)
  }
  say(`  ${run.frames.malformed} counted, ${run.log.malformed.length} kept, ${megabytes()} MB`)
  if (run.frames.malformed !== UNKNOWN) wrong(`${run.frames.malformed} of ${UNKNOWN} unknown kinds were counted`)
  if (run.log.malformed.length > 1024) wrong(`${run.log.malformed.length} of them are kept`)
}

/** What is made of a recording, by each command that reads one. */
const COMMANDS = [
  ["fold"],
  ["replay", "--plain", "--timing", "instant"],
  ["export", "--as", "html"],
  ["export", "--as", "md"],
]

/** A recording with twenty lines of 100 MB, and of 10,000 levels at each place that takes a value. */
export const largeLines: Part = told =>
  recordingOf("large.jsonl", told, async write => {
    const long = "x".repeat(LARGE)
    for (let n = 0; n < 10; n++) {
      await write(`${long}\n`)
      await write(`{"kind":"event","event":"llm/delta","data":{"invokeid":"a","session-id":"s","text":"${long}"}}\n`)
    }
    for (const key of ["data", "config", "opts", "kind", "event", "seq", "ts", "turns", "branch", "pct"]) {
      await write(`{"kind":"event","event":"odd","${key}":${deep(LEVELS)}}\n`)
      await write(`{"kind":"event","event":"llm/delta","data":{"${key}":${deep(LEVELS)}}}\n`)
      await write(`{"kind":"event","event":"odd","${key}":${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}}\n`)
    }
  })

/** A recording of what no agent ought to send. */
export const hostileRecording: Part = told =>
  recordingOf("hostile.jsonl", told, async write => {
    const lines = hostileLines(randomOf(77))
    for (let n = 0; n < RECORDED; n += 1000) {
      await write(`${Array.from({ length: 1000 }, () => lines.next().value).join("\n")}\n`)
    }
  })

/** The screen on a command that prints one short line after the other. */
export const endlessLines: Part = async ({ progress, wrong }) => {
  await using sidecar = await openSidecar({ cmd: [...spawned, "run", "--", "yes"] })
  await sidecar.waitFor("y y y")
  for (let second = 1; second <= ENDLESS.seconds; second++) {
    await Bun.sleep(1000)
    progress(`${second} s`)
  }
  const mb = Math.round((await mostResident(sidecar.pid)) / 1024)
  const began = performance.now()
  sidecar.kill("SIGTERM")
  await sidecar.exited
  const ms = Math.round(performance.now() - began)
  say(`  ${mb} MB after ${ENDLESS.seconds} s, ended after ${ms} ms`)
  if (mb > ENDLESS.mb) wrong(`${mb} MB`)
  if (ms > ENDLESS.endMs) wrong(`ended after ${ms} ms`)
}

/** Has each command read what `fill` writes: none may fail, take more than its memory, or let a control out. */
async function recordingOf(
  name: string,
  { progress, wrong }: Parameters<Part>[0],
  fill: (write: (text: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  using place = scratch()
  const path = join(place.path, name)
  const file = await open(path, "w")
  await fill(async text => {
    await file.writeFile(text)
    progress(`${Math.round((await file.stat()).size / 1e6)} MB written`)
  })
  await file.close()
  for (const [command = "", ...rest] of COMMANDS) {
    const { ran, mb, seconds } = await limited([command, path, ...rest], place.path)
    say(`  ${[command, ...rest].join(" ")}: exit ${ran.code}, ${ran.out.length} characters, ${seconds} s, ${mb} MB`)
    if (ran.code !== 0) wrong(`${command}: exit ${ran.code}, ${ran.err.slice(0, 2000)}`)
    if (mb > MOST_CHILD_MB) wrong(`${command}: ${mb} MB`)
    for (const text of [ran.out, ran.err]) {
      const found = STEERING.exec(text)
      if (found !== null) wrong(`${command} let ${JSON.stringify(found[0])} out`)
    }
  }
}
