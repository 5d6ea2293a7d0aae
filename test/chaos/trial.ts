// Tries one schedule: the run after connection faults must equal the run without any.
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import type { Run } from "../../src/run/model/run.ts"
import { missingFrames, turnTextOf } from "../../src/run/select/figures.ts"
import { startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { EFFECT_MS } from "../../src/view/pending-ops.ts"
import { answerable, presentOf } from "../../src/view/state.ts"
import { type Attached, attach } from "../app/attached.ts"
import { rowsOf } from "../run/lines.ts"
import { openProxy } from "./proxy.ts"
import { randomOf } from "./random.ts"
import { scheduleOf } from "./schedule.ts"
import { storyOf } from "./story.ts"

/** A line is found dead in a blink, so that many are found dead in a minute. */
const timing = { connectMs: 400, silenceMs: 400, pongMs: 300, deliveryMs: 300, steadyMs: 100 }
const LOOK_MS = 20
/**
 * Ample: what has not come together by then never does. Only looks that came in time are counted: a process that others
 * keep from the processor finds each line dead, and is not to blame. A ping needs some turns of the loop within its
 * 300 ms, and what a pause has broken takes a while to mend, so a late look takes back those of the second before it.
 */
const PATIENCE_LOOKS = 3000
const IN_TIME_MS = 3 * LOOK_MS
const TAKEN_BACK = 1000 / LOOK_MS

/** What was wrong, in words; nothing where all was well. */
export async function tryOut(seed: number): Promise<readonly string[]> {
  const scratch = await mkdtemp(join(tmpdir(), "chaos-"))
  const random = randomOf(seed ^ 0xc4a05)
  const story = storyOf(seed)
  const sessionDir = join(scratch, "session")
  const agent = await startAgent({
    recording: story.lines,
    speed: random.pick([0, 1]),
    hold: true,
    debug: true,
    as: seed % 2 === 0 ? "escapement" : "scripted",
    sessionDir,
  })
  const watch = new Ops()
  const proxy = await openProxy({
    port: agent.port,
    steps: scheduleOf(seed),
    seed,
    arrived: text => watch.arrived(text),
  })
  // Whoever attaches to the agent itself sees the undisturbed run; it begins when the first of the two is there.
  const witness = await attach({ url: agent.url, sessionDir: null, scratch: join(scratch, "witness") })
  const sidecar = await attach({
    url: proxy.url,
    sessionDir,
    scratch: join(scratch, "sidecar"),
    timing,
    random: () => 0,
    sent: line => watch.sent(line),
    link: ({ state }) => {
      if (state !== "lost") return
      watch.lost()
      proxy.givenUp()
    },
  })
  const person = new Person(sidecar, seed)
  try {
    await within(Promise.all([proxy.calm, agent.finished]), () => stateOf(sidecar))
    await within(
      settled(() => differences(sidecar, witness).length === 0),
      () => differences(sidecar, witness).join("; "),
    )
    person.stop()
    return [...watch.complaints, ...(await answeredOnce(sessionDir, story.questions, person.answers))]
  } catch (error) {
    return [...watch.complaints, error instanceof Error ? error.message : String(error)]
  } finally {
    person.stop()
    sidecar.stop()
    witness.stop()
    await proxy.close()
    await agent.stop()
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Answers each question once, and presses debugger keys now and then; a run that is paused goes on again. */
class Person {
  readonly answers = new Map<string, string>()
  readonly #timer: Timer
  #steps = 0

  constructor(sidecar: Attached, seed: number) {
    const random = randomOf(seed ^ 0x9e450)
    this.#timer = setInterval(() => {
      for (const prompt of answerable(sidecar.store.shown())) {
        const { promptId, type } = prompt.frame
        if (prompt.answer !== null || random.next() < 0.5) continue
        const value = type === "confirm" ? random.next() < 0.5 : type === "select" ? "two" : `as ${promptId} wants`
        this.answers.set(promptId, JSON.stringify(value))
        sidecar.ask({ type: "prompt/settle", key: prompt.key, answer: { value } })
      }
      const { debug } = presentOf(sidecar.store.get())
      if (debug?.paused === true) sidecar.ask({ type: "debugger/send", op: "continue", n: 1 })
      else if (random.next() < 0.05) sidecar.ask({ type: "debugger/send", op: "pause", n: 1 })
      else if (random.next() < 0.1) {
        this.#steps++
        sidecar.ask({ type: "debugger/send", op: "step", n: 1000 + this.#steps })
      }
    }, LOOK_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

interface Underway {
  readonly line: string
  readonly since: number
}

/** Watches the ops: each that arrives was sent, once, in time, on the line that the sidecar still holds. */
class Ops {
  readonly complaints: string[] = []
  #underway: Underway[] = []

  sent(line: string): void {
    if (isOp(line)) this.#underway.push({ line, since: performance.now() })
  }

  /** From now on none of them may arrive. */
  lost(): void {
    this.#underway = []
  }

  arrived(line: string): void {
    if (!isOp(line)) return
    const index = this.#underway.findIndex(one => one.line === line)
    const [op] = index < 0 ? [] : this.#underway.splice(0, index + 1).slice(-1)
    if (op === undefined) this.complaints.push(`an op arrived that was not on its way: ${line}`)
    else if (performance.now() - op.since > EFFECT_MS) this.complaints.push(`an op arrived that had expired: ${line}`)
  }
}

const isOp = (line: string): boolean => line.includes('"kind":"control"')

/** What the two runs say differently. */
function differences(sidecar: Attached, witness: Attached): readonly string[] {
  const [ours, theirs] = [presentOf(sidecar.store.get()), presentOf(witness.store.get())]
  const lost = missingFrames(ours)
  const parts = lost === 0 ? [] : [`${lost} missing`]
  const [one, other] = [meaning(ours), meaning(theirs)]
  for (const key of Object.keys(other)) {
    const [a, b] = [JSON.stringify(one[key]), JSON.stringify(other[key])]
    if (a !== b) parts.push(`${key}: ${apart(a, b)}`)
  }
  return parts
}

/** Two texts from shortly before the place where they part. */
function apart(a = "", b = ""): string {
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  const cut = (text: string): string => text.slice(Math.max(0, from - 80), from + 160)
  return `${cut(a)} instead of ${cut(b)}`
}

/** What a run says, but for what a line alone tells: attachments, gaps that were healed, times of the disk. */
function meaning(run: Run): { readonly [part: string]: unknown } {
  return {
    status: run.status,
    reason: run.reason,
    // An earlier epoch that only the disk knew has the disk's numbers.
    epochs: run.epochs.length,
    config: run.chart.config,
    events: rowsOf(run).flatMap(({ what, epoch }) => (what.kind === "event" ? [[epoch, what.name, what.data]] : [])),
    sessions: run.sessions.map((session, index) => {
      const stream = run.turnBuffers[index]
      const { title, turns, epoch } = session
      return stream === undefined
        ? null
        : {
            title,
            turns,
            epoch,
            model: stream.turn.model,
            status: stream.turn.status,
            tokens: stream.tokens,
            deltas: stream.deltas,
            ...turnTextOf(session, stream),
          }
    }),
    tokens: run.facts.tokens,
    errors: run.log.errors,
    prompts: run.prompts.map(({ frame, state }) => [frame.promptId, state]),
    debug: run.debug && { paused: run.debug.paused, mode: run.debug.mode },
  }
}

/** Each question has one answer in the transcript: the one that was given. */
async function answeredOnce(
  sessionDir: string,
  questions: readonly string[],
  answers: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const text = await readFile(join(sessionDir, "transcript.jsonl"), "utf8")
  const rows: unknown[] = text
    .trimEnd()
    .split("\n")
    .map(row => JSON.parse(row))
  const acted = rows.filter((row): row is JsonObject => isObject(row) && row.event === "human-input/answer")
  return questions.flatMap(id => {
    const own = acted.filter(({ data }) => isObject(data) && data.invokeid === id.replace(/#.*/, ""))
    const said = own.map(({ data }) => JSON.stringify(isObject(data) ? data.answer : null))
    return said.length === 1 && said[0] === answers.get(id)
      ? []
      : [`${id} was answered ${said.join(" and ") || "never"}, not ${answers.get(id)} once`]
  })
}

function stateOf({ store }: Attached): string {
  const { run, link } = store.get()
  const open = run.prompts.filter(({ state }) => state === "open").map(({ frame }) => frame.promptId)
  return `link ${link.state}, status ${run.status}, paused ${run.debug?.paused}, open ${open.join(" ")}`
}

async function settled(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(LOOK_MS)
}

async function within<T>(work: Promise<T>, state: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let [left, seen] = [PATIENCE_LOOKS, performance.now()]
  const timer = setInterval(() => {
    const before = seen
    seen = performance.now()
    if (seen - before < IN_TIME_MS) left--
    else left = Math.min(PATIENCE_LOOKS, left + TAKEN_BACK)
    if (left === 0) reject(new Error(`not within ${(PATIENCE_LOOKS * LOOK_MS) / 1000} s: ${state()}`))
  }, LOOK_MS)
  try {
    return await Promise.race([work, late])
  } finally {
    clearInterval(timer)
  }
}
