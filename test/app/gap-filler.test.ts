// Tests that lost frames come back from disk: with a real agent, connection and file, and when, with a clock moved by hand.
import { expect, test } from "bun:test"
import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { GapFiller } from "../../src/app/gap-filler.ts"
import { noMarkers, type TimelineMarkers, withMarkers } from "../../src/query/timeline-markers.ts"
import { fold } from "../../src/run/fold.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { missingFrames, turnTextOf } from "../../src/run/select/figures.ts"
import { rowWords } from "../../src/run/select/row-words.ts"
import type { ScriptedOptions } from "../../src/scripted-agent/scripted-agent.ts"
import { presentOf } from "../../src/view/state.ts"
import { agentKind, testEachAgent } from "../agent/each-kind.ts"
import { play } from "../agent/ui.ts"
import { openedDirectory } from "../captured.ts"
import { fixture } from "../fixtures.ts"
import { lost, open } from "../panels/planned.ts"
import { eventText, logOf, rowsOf } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { until } from "../until.ts"
import { type Attached, attach as attachTo, liveParts } from "./attached.ts"

async function agentOf(options: Partial<ScriptedOptions>) {
  const directory = join(fileScratch(), "session")
  const agent = await play(fixture("parallel-60"), { hold: false, sessionDir: directory, as: agentKind(), ...options })
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

/** A run driven by hand; its file's rows count from 0 and are a little older. `early` came before its directory. */
async function watched(early: readonly string[] = []) {
  const scratch = fileScratch()
  const clock = new ManualClock()
  const notices: string[] = []
  const tell = (text: string) => void notices.push(text)
  const { spool, store, player } = liveParts(join(scratch, "spool"), clock, tell)
  spool.onFailure(why => expect(why).toBe(""))
  spool.append(early)
  store.dispatch({ type: "frames", frames: early.map(decode) })
  const directory = await openedDirectory(scratch)
  const filler = new GapFiller(directory, { store, spool, player, notify: tell }, clock)
  const hook = { looks: 0, over: 0, look: (_: number): void => undefined }
  const openLines = directory.openLines.bind(directory)
  directory.openLines = async (name, from) => {
    hook.look(++hook.looks)
    const opened = await openLines(name, from)
    const close = opened.value?.close.bind(opened.value)
    if (close === undefined) hook.over++
    else Object.assign(opened.value ?? {}, { close: () => close().finally(() => hook.over++) })
    return opened
  }
  opened(() => {
    filler.stop()
    player.close()
    spool.close()
  })
  return {
    ...{ clock, filler, hook, notices, spool, store, transcript: join(scratch, "transcript.jsonl") },
    /** Lets the next look at the disk come, and returns after how many ms it does; then every next one, at most nine. */
    async looks(most = 9): Promise<readonly number[]> {
      const waits: number[] = []
      while (clock.alarms > 0 && waits.length < most) {
        const { over } = hook
        waits.push(clock.step())
        // A slow look lets others work meanwhile.
        for (let turns = 0; turns < 3; await new Promise(setImmediate)) {
          clock.advance(0)
          if (hook.over > over) turns++
        }
      }
      return waits
    },
    link(link: Link): void {
      store.dispatch({ type: "link", link, now: clock.now() })
      filler.link(link)
    },
    come(...lines: readonly string[]): void {
      spool.append(lines)
      store.dispatch({ type: "frames", frames: lines.map(decode) })
      filler.folded()
    },
    write(...lines: readonly string[]): void {
      const rows = lines.map(line => {
        const { event, seq, ts, data } = JSON.parse(line)
        return `${JSON.stringify({ event, seq: seq - 1, ts: ts - 1, data })}\n`
      })
      appendFileSync(join(scratch, "transcript.jsonl"), rows.join(""))
    },
    /** Resolves once the condition holds and pending work has ended. */
    async until(isSo: (run: Run) => boolean): Promise<void> {
      await until(() => isSo(presentOf(store.get())))
      await new Promise(setImmediate)
    },
    shown: () =>
      rowsOf(presentOf(store.get())).flatMap(({ what, epoch, seq }) =>
        what.kind === "event" ? [`${epoch}/${seq} ${what.name}`] : [],
      ),
  }
}

/** The rows of a run: its start, and sessions with their names as text. */
function rowsOfRun(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const what = index === 0 ? { event: "runner/started", data: { "session-id": name } } : null
    const { event, data } = what ?? { event: "llm/start", data: { invokeid: name, "session-id": `${name}.${index}` } }
    return JSON.stringify({ kind: "event", seq: index + 1, ts: 1000 + index, event, data })
  })
}

const later = ["2", "3", "4", "5", "6"].map(seq => `0/${seq} llm/start`)
const whole = ["0/1 runner/started", ...later, "1/1 runner/started", "1/2 llm/start"]

test("a run that starts long after the attachment shows that the previous run is missing its end", async () => {
  const { clock, link, come, write, until, notices, shown } = await watched()
  const [one, two] = [rowsOfRun("one", 6), rowsOfRun("two", 2)]
  link(open)
  write(...one.slice(0, 4))
  // The third is lost, which shows after the first look at the disk.
  come(...one.slice(0, 2), ...one.slice(3, 4))
  clock.advance(300)
  await until(run => run.epochs[0]?.seen === 4)
  expect(clock.alarms).toBe(0)
  write(...one.slice(4))
  link(lost)
  clock.step()
  await until(run => run.epochs[0]?.highest === 6)
  // A look that was scheduled while disconnected falls between the attachment and its ring.
  expect(clock.alarms).toBe(1)
  link(open)
  clock.step()
  await until(run => run.epochs[0]?.highest === 4)
  expect(clock.alarms).toBe(0)
  write(...two)
  come(...two)
  expect(clock.alarms).toBe(1)
  clock.step()
  await until(run => run.epochs[0]?.highest === 6)
  expect(shown()).toEqual(whole)
  expect(notices).toEqual([])
  expect(clock.alarms).toBe(0)
})

test("a run that is not yet in the file is looked for again, and so is the end of the previous run", async () => {
  const [one, two] = [rowsOfRun("one", 6), rowsOfRun("two", 2)]
  const { link, come, write, notices, shown, looks, store } = await watched(one.slice(0, 2))
  link(open)
  write(...one.slice(0, 5))
  come(...one.slice(2, 4), ...two)
  await looks(2)
  write(...one.slice(5), ...two)
  expect([await looks(), shown(), notices]).toEqual([[1000], whole, []])
  expect(store.get().run.frames).toMatchObject({ event: 8, duplicate: 0 })
})

test("the disk is looked at soon after a loss, four times, all the time while disconnected, and no more after a stop", async () => {
  const { clock, filler, hook, link, come, write, notices, looks } = await watched()
  const rows = rowsOfRun("one", 9)
  const [, second = "", third = "", fourth = "", fifth = "", sixth = "", , eighth = ""] = rows
  write(second)
  link(open)
  come(...rows.slice(0, 2))
  expect(await looks()).toEqual([300])
  link(open)
  expect(await looks()).toEqual([1000])
  come(fourth)
  expect(await looks()).toEqual([1000, 1000, 1000, 1000])
  come(sixth)
  expect(await looks()).toEqual([1000, 1000, 1000, 1000])
  // It was late, not lost.
  come(fifth)
  expect(await looks()).toEqual([])
  link(lost)
  expect(await looks()).toEqual(Array.from({ length: 9 }, () => 1000))
  link(open)
  expect(await looks()).toEqual([1000, 1000, 1000, 1000])
  hook.look = () => clock.sleep(hook.looks % 2 === 0 ? 200 : 0)
  come(eighth)
  expect((await looks()).filter(ms => ms !== 1000)).toEqual([4000, 4000])
  write(third, ...rows.slice(3, 8))
  clock.advance(9000)
  // What comes during a look is looked for after it.
  hook.look = () => {
    hook.look = () => undefined
    link(open)
  }
  link(open)
  expect(await looks()).toEqual([300, 1000])
  link(open)
  filler.stop()
  link(open)
  expect([clock.alarms, notices]).toEqual([0, []])
})

test("why gaps can't be filled is said once, however often that is tried, and again after it went well", async () => {
  const { clock, store, link, come, write, notices, transcript, until, looks } = await watched()
  const rows = rowsOfRun("one", 6)
  link(open)
  come(...rows.slice(3, 4))
  expect(await looks()).toHaveLength(4)
  write(...rows.slice(0, 4))
  link(open)
  await looks()
  for (const make of [() => undefined, mkdirSync]) {
    rmSync(transcript, { force: true })
    make(transcript)
    link(open)
    await looks(1)
  }
  store.dispatch({ type: "frames", frames: rows.slice(4).map(decode) })
  link(open)
  clock.step()
  await until(() => notices.length === 4)
  expect(notices.map(one => one.replace("Can't fill gaps from disk: ", ""))).toEqual([
    ...["transcript.jsonl: no such file", "transcript.jsonl: no such file", "transcript.jsonl: is a directory"],
    "this run's frames were not stored",
  ])
})

test("of a long run only what follows the last part without a loss is joined, however much comes before the look", async () => {
  const { spool, store, link, come, write, notices, looks } = await watched()
  const rows = Array.from({ length: 19_500 }, (_, i) => eventText(i + 1, "app/note", { i }))
  write(...rows)
  come(...rows.slice(0, 1))
  await looks()
  const lines = spool.lines.bind(spool)
  const firsts: number[] = []
  spool.lines = (from, to) => {
    firsts.push(from)
    return lines(from, to)
  }
  // Where each look began to read.
  const first = () => Math.min(...firsts.splice(0))
  come(...rows.slice(1, 4200))
  come(...rows.slice(4200, 5300))
  come(...rows.slice(5301, 8400))
  come(...rows.slice(8400, 12_500))
  come(...rows.slice(12_500, 16_600))
  await looks()
  const began = [first()]
  const look = async () => {
    await looks()
    began.push(first())
  }
  come(...rows.slice(16_600, 16_700))
  // A ring before it may still be repeated.
  come(...rows.slice(16_701, 18_200))
  await look()
  link(open)
  come(...rows.slice(18_200, 18_300))
  come(...rows.slice(18_300, 19_400))
  await look()
  come(...rows.slice(19_401))
  await look()
  const { run } = store.get()
  // Each row from disk is a line behind a note.
  const told = [missingFrames(run), run.epochs[0]?.seen, began, notices, run.frames.lines]
  expect(told).toEqual([0, 19_500, [4200, 4200, 4200, 18_303], [], 19_504])
})

test("case 21: a transcript that shrinks is reported as history restarted, what was shown stays, and it is looked at again", async () => {
  const { store, link, come, write, transcript, looks, shown } = await watched()
  const rows = rowsOfRun("one", 6)
  write(...rows.slice(0, 4))
  link(open)
  come(...rows.slice(0, 4))
  const { run: before } = store.get()
  // Where nothing is missing the run stays as it is.
  expect([await looks(), store.get().run === before]).toEqual([[300], true])
  writeFileSync(transcript, "")
  link(open)
  expect(await looks()).toEqual([1000, 1000])
  const { run } = store.get()
  const row = rowsOf(run).find(({ what }) => what.kind === "disk" && what.restarted)
  expect(row && rowWords(run, row).text).toBe("History restarted: the transcript file was rewritten")
  expect([shown().length, logOf(run).includes("disk 0, 0 absent")]).toEqual([4, true])
})

test("a transcript that is replaced between two looks at it is not shown as the past of this run", async () => {
  const { clock, hook, link, come, write, notices, transcript, shown } = await watched()
  const text = "word ".repeat(20_000)
  // Too much to be held, so it is read once to find its rows and once more to show them.
  const rows = Array.from({ length: 100 }, (_, i) => eventText(i + 1, "llm/user-message", { invokeid: "a", text }))
  write(...rows)
  hook.look = look => {
    if (look !== 2) return
    cpSync(transcript, `${transcript}.new`)
    renameSync(`${transcript}.new`, transcript)
  }
  link(open)
  come(...rows.slice(-2))
  clock.advance(300)
  await until(() => notices.length > 0 || shown().length > 2)
  expect(notices).toEqual(["Can't fill gaps from disk: transcript.jsonl changed while it was being read"])
  expect(shown()).toEqual(["0/99 llm/user-message", "0/100 llm/user-message"])
})
