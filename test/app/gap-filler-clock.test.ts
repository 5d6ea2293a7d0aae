// Tests when the gap filler looks at the disk, with a clock moved by hand.
import { expect, test } from "bun:test"
import { appendFileSync, cpSync, renameSync } from "node:fs"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { GapFiller } from "../../src/app/gap-filler.ts"
import type { Run } from "../../src/run/model/run.ts"
import { presentOf } from "../../src/view/state.ts"
import { openedDirectory } from "../captured.ts"
import { eventText, rowsOf } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"
import { ManualClock } from "../transport/manual-clock.ts"
import { until } from "../until.ts"
import { liveParts } from "./attached.ts"

const url = "ws://127.0.0.1:1/ws"
const open: Link = { state: "open", url, since: 1 }
const lost: Link = { state: "lost", url, since: 1, retryAt: 2, why: "cut", everOpen: true }

/** A run whose connection and file are driven by hand; the file's rows count from 0 and are a little older. */
async function watched() {
  const scratch = fileScratch()
  const clock = new ManualClock()
  const notices: string[] = []
  const tell = (text: string) => void notices.push(text)
  const { spool, store, player } = liveParts(join(scratch, "spool"), clock, tell)
  spool.onFailure(why => expect(why).toBe(""))
  const directory = await openedDirectory(scratch)
  const filler = new GapFiller(directory, { store, spool, player, notify: tell }, clock)
  opened(() => {
    filler.stop()
    player.close()
    spool.close()
  })
  return {
    ...{ clock, directory, notices, transcript: join(scratch, "transcript.jsonl") },
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

const whole = [
  "0/1 runner/started",
  ...[2, 3, 4, 5, 6].map(seq => `0/${seq} llm/start`),
  "1/1 runner/started",
  "1/2 llm/start",
]

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
  const { clock, link, come, write, until, notices, shown } = await watched()
  const [one, two] = [rowsOfRun("one", 6), rowsOfRun("two", 2)]
  link(open)
  write(...one.slice(0, 5))
  come(...one.slice(0, 4), ...two)
  for (let look = 1; look <= 2; look++) {
    clock.step()
    await clock.idle()
  }
  write(...one.slice(5), ...two)
  clock.step()
  await until(run => run.epochs[0]?.highest === 6)
  expect(shown()).toEqual(whole)
  expect(notices).toEqual([])
  expect(clock.alarms).toBe(0)
})

test("why gaps can't be filled is said once, however often that is tried", async () => {
  const { clock, link, come, notices } = await watched()
  link(open)
  come(...rowsOfRun("one", 6).slice(3))
  for (let look = 0; look < 3; look++) {
    clock.step()
    await clock.idle()
  }
  expect(notices).toEqual(["Can't fill gaps from disk: transcript.jsonl: no such file"])
})

test("a transcript that is replaced between two looks at it is not shown as the past of this run", async () => {
  const { clock, link, come, write, directory, notices, transcript, shown } = await watched()
  const text = "word ".repeat(20_000)
  // Too much to be held, so it is read once to find its rows and once more to show them.
  const rows = Array.from({ length: 100 }, (_, i) => eventText(i + 1, "llm/user-message", { invokeid: "a", text }))
  write(...rows)
  const openLines = directory.openLines.bind(directory)
  let looks = 0
  directory.openLines = (name, from) => {
    looks++
    if (looks === 2) {
      cpSync(transcript, `${transcript}.new`)
      renameSync(`${transcript}.new`, transcript)
    }
    return openLines(name, from)
  }
  link(open)
  come(...rows.slice(-2))
  clock.advance(300)
  await until(() => notices.length > 0 || shown().length > 2)
  expect(notices).toEqual(["Can't fill gaps from disk: transcript.jsonl changed while it was being read"])
  expect(shown()).toEqual(["0/99 llm/user-message", "0/100 llm/user-message"])
})
