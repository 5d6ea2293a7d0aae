// Runs what takes too long for every day: `bun run nightly [PART …]`.
import { tryMany } from "../../test/chaos/many.ts"
import { hammer } from "../../test/fuzz/hammer.ts"
import { manyFiles } from "./files.ts"
import { endlessLines, hostileFrames, hostileRecording, largeLines, unknownKinds } from "./floods.ts"
import { megabytes, type Part, say } from "./part.ts"
import { growingSessions } from "./sessions.ts"
import { faultsOf, soak } from "./soak.ts"

const SCHEDULES = 1000
/** Seeds, and keys, sizes and changed files of each. */
const HAMMERED = 20
const PRESSED = 300

const parts: { readonly [name: string]: Part } = {
  frames: hostileFrames,
  kinds: unknownKinds,
  lines: largeLines,
  recording: hostileRecording,
  endless: endlessLines,
  files: manyFiles,
  sessions: growingSessions,
  keys: hammered,
  chaos: schedules,
  soak: longSoak,
}

async function schedules({ progress, wrong }: Parameters<Part>[0]): Promise<void> {
  let tried = 0
  const seeds = Array.from({ length: SCHEDULES }, (_, index) => index + 1)
  await tryMany(seeds, complaints => {
    tried++
    for (const complaint of complaints) wrong(complaint)
    progress(`${tried} of ${SCHEDULES} schedules`)
  })
}

async function hammered({ progress, wrong }: Parameters<Part>[0]): Promise<void> {
  for (let seed = 1; seed <= HAMMERED; seed++) {
    for (const kind of ["recording", "directory", "live"] as const) {
      for (const fault of await hammer(kind, seed, PRESSED)) wrong(`${kind}, seed ${seed}: ${fault}`)
      progress(`${seed} of ${HAMMERED} seeds`)
    }
  }
}

async function longSoak({ progress, wrong }: Parameters<Part>[0]): Promise<void> {
  const result = await soak({ deltas: 10_000_000, sessions: 2000, settleS: 12, quietS: 60, seed: 1 }, progress)
  say(`  ${JSON.stringify(result)}`)
  for (const fault of faultsOf(result)) wrong(fault)
}

/** Ms between two words of how far a part is. */
const PROGRESS_MS = 10_000

/** Runs a part, tells at once what is wrong, and gives how many things were. */
async function tried(name: string, part: Part): Promise<number> {
  const began = performance.now()
  const seconds = (): number => Math.round((performance.now() - began) / 1000)
  let [told, faults] = [began, 0]
  const wrong = (words: string): void => {
    faults++
    say(`  FAILED ${name}: ${words}`)
  }
  const progress = (words: string): void => {
    if (performance.now() - told < PROGRESS_MS) return
    told = performance.now()
    say(`  ${words}, ${seconds()} s, ${megabytes()} MB`)
  }
  say(`${name} …`)
  try {
    await part({ progress, wrong })
  } catch (error) {
    wrong(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  say(`${name}: ${faults === 0 ? "ok" : `${faults} FAILED`} (${seconds()} s)`)
  return faults
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => parts[name] === undefined)
if (unknown.length > 0) {
  say(`no such part: ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`)
  process.exit(2)
}
let faults = 0
for (const [name, part] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) faults += await tried(name, part)
}
say(faults === 0 ? "all is well" : `${faults} FAILED`)
process.exit(faults === 0 ? 0 : 1)
