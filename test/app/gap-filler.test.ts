// Tests that lost frames come back from disk, with a real agent, connection and file.
import { expect } from "bun:test"
import { readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { noMarkers, type TimelineMarkers, withMarkers } from "../../src/query/timeline-markers.ts"
import { fold } from "../../src/run/fold.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { missingFrames, turnTextOf } from "../../src/run/select/figures.ts"
import type { ScriptedOptions } from "../../src/scripted-agent/scripted-agent.ts"
import { agentKind, testEachAgent } from "../agent/each-kind.ts"
import { play } from "../agent/ui.ts"
import { rowsOf } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { type Attached, attach as attachTo } from "./attached.ts"

const FIXTURE = join(import.meta.dir, "../../fixtures/frames/parallel-60.jsonl")

async function agentOf(options: Partial<ScriptedOptions>) {
  const directory = join(fileScratch(), "session")
  const agent = await play(FIXTURE, { hold: false, sessionDir: directory, as: agentKind(), ...options })
  return { agent, directory, transcript: join(directory, "transcript.jsonl") }
}

/** Attaches as `main` does. */
async function attach(url: string, sessionDir: string): Promise<Attached> {
  const attached = await attachTo({ url, sessionDir, scratch: fileScratch() })
  opened(() => attached.stop())
  return attached
}

/** The run without any loss: from the transcript, numbered as the hub does. */
function undisturbed(transcript: string): Run {
  const rows = readFileSync(transcript, "utf8").trimEnd().split("\n")
  return fold(
    emptyRun,
    rows.map((row, index) => decode(JSON.stringify({ ...JSON.parse(row), kind: "event", seq: index + 1 }))),
  )
}

const events = (run: Run) =>
  rowsOf(run).flatMap(({ what, seq }) => (what.kind === "event" ? [[seq, what.name, what.data]] : []))
const texts = (run: Run) =>
  run.sessions.map((session, index) => {
    const stream = run.turnBuffers[index]
    return [session.title, session.turns, stream === undefined ? null : turnTextOf(session, stream)]
  })
const framesOf = ({ error, prompt, state }: TimelineMarkers) =>
  [error, prompt, state].map(list => slice(list, 0, list.length))
const isWhole = (run: Run) => run.status === "finished" && missingFrames(run) === 0

testEachAgent("a past moment is shown with the rows from disk, while the present goes on", async () => {
  const { agent, directory, transcript } = await agentOf({ waitForClient: false })
  await agent.finished
  const hidden = `${transcript}.hidden`
  renameSync(transcript, hidden)
  const { store, player, until } = await attach(agent.url, directory)
  const last = (await until(run => run.status === "finished")).epochs[0]?.highest ?? 0
  player.seek({ type: "seq", seq: last - 100, epoch: null })
  await until(() => rowsOf(store.get().run)[0]?.what.kind === "gap" && store.get().time.present !== null)
  renameSync(hidden, transcript)
  agent.disconnectAll()
  await until(isWhole)
  await until(() => store.get().run.epochs[0]?.highest === last - 100)
  const { run, time } = store.get()
  expect(time.present && events(time.present)).toEqual(events(undisturbed(transcript)))
  expect(framesOf(time.marks)).toEqual(framesOf(withMarkers(noMarkers, emptyRun, time.present ?? emptyRun)))
  expect(events(run)).toEqual(events(undisturbed(transcript)).filter(([seq]) => Number(seq) <= last - 100))
})

testEachAgent("without a socket the run comes from disk, and once there is one nothing is doubled", async () => {
  const { agent, directory, transcript } = await agentOf({ socket: false })
  await agent.finished
  const watched = await attach(agent.url, directory)
  await watched.until(isWhole)
  agent.serveSocket(true)
  await watched.until(run => run.frames.duplicate > 0 || run.attachment.count > 0)
  const run = await watched.until(isWhole)
  expect(events(run)).toEqual(events(undisturbed(transcript)))
  expect(texts(run)).toEqual(texts(undisturbed(transcript)))
  expect(run.epochs.length).toBe(1)
})
