// Checks that a recording folds to the state of its run, with a real agent, connection losses and a real disk.
import { dlopen } from "bun:ffi"
import { afterEach, expect, test } from "bun:test"
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import type { LocalFrame } from "../../packages/wire/src/encode.ts"
import { GapFiller } from "../../src/app/gap-filler.ts"
import { features } from "../../src/panels/plan.ts"
import { fold } from "../../src/run/fold.ts"
import type { PromptKey } from "../../src/run/model/id.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { missingFrames, openPrompts } from "../../src/run/select/figures.ts"
import { report } from "../../src/run/select/report.ts"
import { type ScriptedOptions, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { TimelinePlayer } from "../../src/timeline/player.ts"
import { Recorder } from "../../src/timeline/recorder.ts"
import { Spool } from "../../src/timeline/spool.ts"
import { systemClock } from "../../src/transport/clock.ts"
import { decodeLine, recordingLine } from "../../src/transport/message.ts"
import { socketSource } from "../../src/transport/socket.ts"
import type { StoreState } from "../../src/view/state.ts"
import { createStore, type Store } from "../../src/view/store.ts"
import { agentKind, testEachAgent } from "../agent/each-kind.ts"
import { openedDirectory } from "../captured.ts"
import { sidecar } from "../cli/ran.ts"
import { eventText, ids } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"

const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A recorder of a spool, and its notices. */
function open(path = join(fileScratch(), "run.jsonl")) {
  const notices: string[] = []
  const shown: boolean[] = []
  const spool = new Spool(fileScratch())
  spool.onFailure(why => notices.push(why))
  const recorder = new Recorder({
    spool,
    path,
    notify: text => notices.push(text),
    now: () => 7,
    onToggle: isOn => shown.push(isOn),
  })
  closers.push(() => {
    recorder.close()
    spool.close()
  })
  const add = (...lines: string[]) => {
    spool.append(lines)
  }
  const cut = (length: number, ...lines: string[]) => {
    spool.truncate(length)
    add(...lines)
  }
  return { path, recorder, spool, notices, shown, add, cut }
}

const text = (path: string) => readFileSync(path, "utf8")

test("a recording has every line at once, is private, and remains after the run", () => {
  const path = join(fileScratch(), "deep", "run.jsonl")
  const { recorder, spool, notices, shown, add } = open(path)
  recorder.toggle()
  add("a", "b")
  expect(text(path)).toBe("a\nb\n")
  add("déjà")
  expect(text(path)).toBe("a\nb\ndéjà\n")
  expect(statSync(path).mode & 0o777).toBe(0o600)
  recorder.toggle()
  add("c")
  spool.close()
  expect(text(path)).toBe("a\nb\ndéjà\n")
  expect(notices).toEqual([`Recording to ${path}`, `Saved ${path}`])
  expect(shown).toEqual([true, false])
})

test("started late it has the beginning, and restarted it has the lines in between, also after a rewrite of the run", () => {
  const { path, recorder, add, cut } = open()
  add("a", "b")
  recorder.toggle()
  add("c")
  recorder.toggle()
  add("d")
  cut(1, "B", "C", "D", "E")
  recorder.toggle()
  expect(text(path)).toBe("a\nB\nC\nD\nE\n")
  cut(4, "e")
  expect(text(path)).toBe("a\nB\nC\nD\ne\n")
})

test("lines that come while a long rewritten run is copied are recorded after it, each once", () => {
  const { path, recorder, spool, add } = open()
  add("a", "b")
  recorder.toggle()
  const rewritten = spool.successor()
  const lines = Array.from({ length: 600 }, (_, index) => `${index} ${"x".repeat(20_000)}`)
  rewritten.append(lines)
  spool.takeOver(rewritten)
  add("c", "d")
  recorder.close()
  expect(text(path)).toBe(`${[...lines, "c", "d"].join("\n")}\n`)
})

test("a long run is copied in pieces that let keys through, and the screen says when it is done", async () => {
  const { path, recorder, notices, shown, add } = open()
  const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${"x".repeat(20_000)}`)
  add(...lines)
  recorder.toggle()
  expect(notices).toEqual([`Copying 60 MB to ${path}`])
  expect(shown).toEqual([true])
  let most = 0
  for (let before = statSync(path).size; notices.length < 2; before = statSync(path).size) {
    add(`line ${lines.length}`)
    lines.push(`line ${lines.length}`)
    await new Promise(setImmediate)
    most = Math.max(most, statSync(path).size - before)
  }
  // No turn of the event loop copies more than a slice.
  expect(most).toBeLessThan(5 * 1024 * 1024)
  add("last")
  recorder.toggle()
  expect(notices.slice(1)).toEqual([`Recording to ${path}`, `Saved ${path}`])
  expect(text(path)).toBe(`${[...lines, "last"].join("\n")}\n`)
})

test("R while a long run is copied ends the recording once it has every line", async () => {
  const { path, recorder, notices, add } = open()
  const lines = Array.from({ length: 600 }, (_, index) => `${index} ${"x".repeat(20_000)}`)
  add(...lines)
  recorder.toggle()
  recorder.toggle()
  add("later")
  while (notices.length < 2) await new Promise(setImmediate)
  expect(notices).toEqual([`Copying 12 MB to ${path}`, `Saved ${path}`])
  expect(text(path)).toBe(`${[...lines, "later"].join("\n")}\n`)
})

test("what the file contains remains, and its incomplete last line becomes a line of its own", () => {
  const path = join(fileScratch(), "run.jsonl")
  writeFileSync(path, 'earlier\n{"kind":"ev')
  const { recorder, add, cut } = open(path)
  recorder.toggle()
  add("a", "b")
  cut(1, "c")
  const start = '{"kind":"sidecar","at":7,"what":"start"}'
  expect(text(path)).toBe(`earlier\n{"kind":"ev\n${start}\na\nc\n`)
  appendFileSync(path, "somebody\n")
  cut(0, "d")
  expect(text(path)).toBe(`earlier\n{"kind":"ev\n${start}\na\nc\nsomebody\nd\n`)
})

test("a second run in the same file is another epoch, even if its numbers continue", () => {
  const path = join(fileScratch(), "run.jsonl")
  const said = (seq: number, event: string, data: object = {}) => eventText(seq, event, { ...ids, ...data })
  const first = open(path)
  first.recorder.toggle()
  first.add(said(0, "runner/started"), said(1, "llm/start"), said(2, "llm/delta", { text: "one" }))
  first.recorder.close()
  // A late client receives only the latest events of the agent.
  const second = open(path)
  second.recorder.toggle()
  second.add(said(10, "llm/start"), said(11, "llm/delta", { text: "two" }))
  second.recorder.close()
  const run = fold(emptyRun, text(path).trimEnd().split("\n").map(decodeLine))
  expect(run.epochs.map(({ first, highest, seen }) => [first, highest, seen])).toEqual([
    [0, 2, 3],
    [10, 11, 2],
  ])
  expect(missingFrames(run)).toBe(0)
  expect(run.sessions.map(({ epoch, turns }) => [epoch, turns])).toEqual([
    [0, 1],
    [1, 1],
  ])
})

test("a file that can't be written is reported once, and recording may be tried again", () => {
  const home = fileScratch()
  writeFileSync(join(home, "file"), "")
  for (const [path, why] of [
    [join(home, "file", "deep", "run.jsonl"), "no such file"],
    [home, "can't be written (EISDIR)"],
  ] as const) {
    const { recorder, notices, shown, add } = open(path)
    recorder.toggle()
    add("a")
    add("b")
    expect(notices).toEqual([`Can't record to ${path}: ${why}`])
    expect(shown).toEqual([])
  }
  const full = open("/dev/full")
  full.recorder.toggle()
  full.add("a")
  full.add("b")
  expect(full.notices).toEqual(["Recording to /dev/full", "Can't record to /dev/full: disk full"])
  expect(full.shown).toEqual([true, false])
})

test("a recording whose file was removed says so at the next line, and R then writes the whole run anew", () => {
  const { path, recorder, notices, shown, add } = open()
  recorder.toggle()
  add("a")
  rmSync(path)
  add("b")
  add("c")
  expect(notices).toEqual([`Recording to ${path}`, `Can't record to ${path}: the file was removed`])
  expect(shown).toEqual([true, false])
  recorder.toggle()
  expect(text(path)).toBe("a\nb\nc\n")
})

const { dup2 } = dlopen("libc.so.6", { dup2: { args: ["int", "int"], returns: "int" } }).symbols

/** From now on the spool can be read but not written, as on a disk that is full. */
function fillDiskOf({ path }: Spool): void {
  const fd = readdirSync("/proc/self/fd").find(name => {
    return existsSync(`/proc/self/fd/${name}`) && readlinkSync(`/proc/self/fd/${name}`) === path
  })
  const readOnly = openSync(String(path), "r")
  dup2(readOnly, Number(fd))
  closeSync(readOnly)
}

test("a recording goes on when the spool's disk is full, and R says what the spool could not keep for it", () => {
  const { path, recorder, spool, notices, shown, add } = open()
  recorder.toggle()
  add("a")
  fillDiskOf(spool)
  const long = "x".repeat(70_000)
  add(long, "b")
  add("c")
  expect(text(path)).toBe(`a\n${long}\nb\nc\n`)
  expect([spool.length, spool.lost]).toEqual([1, 3])
  const full = "can't be written (EBADF)"
  expect(notices).toEqual([`Recording to ${path}`, full])
  recorder.toggle()
  add("lost", "lost")
  recorder.toggle()
  add("d")
  expect(text(path)).toBe(`a\n${long}\nb\nc\nd\n`)
  expect(notices.slice(2)).toEqual([
    `Saved ${path}`,
    `Recording to ${path}, without 2 earlier lines, which could not be stored: ${full}`,
  ])
  expect(shown).toEqual([true, false, true])
})

test("a run whose spool can't be created is recorded all the same", () => {
  const home = fileScratch()
  writeFileSync(join(home, "file"), "")
  const spool = new Spool(join(home, "file", "spool"))
  const path = join(home, "run.jsonl")
  const recorder = new Recorder({ spool, path, notify: () => undefined, now: () => 7, onToggle: () => undefined })
  recorder.toggle()
  spool.append(["a"])
  recorder.close()
  expect(text(path)).toBe("a\n")
})

/** Attaches as the program does, and records to the file. */
async function attach(options: Partial<ScriptedOptions>, path: string) {
  const sessionDir = join(fileScratch(), "session")
  const recording = join(import.meta.dir, "../../fixtures/frames/demo.jsonl")
  const agent = await startAgent({ recording, speed: 0, debug: true, sessionDir, as: agentKind(), ...options })
  closers.push(() => agent.stop())
  const { recorder, spool, notices } = open(path)
  const keep = (frames: readonly LocalFrame[]) => spool.append(frames.map(({ text }) => text))
  const { url } = agent
  const store = createStore({ ...features, link: { state: "connecting", url, attempt: 1 }, keep })
  const directory = await openedDirectory(sessionDir)
  const tell = (text: string) => notices.push(text)
  const timing = { clock: systemClock, timing: "wallclock", at: null } as const
  const player = new TimelinePlayer({
    ...timing,
    store,
    openLog: () => spool,
    notify: tell,
    onHit: () => undefined,
  })
  const filler = new GapFiller(directory, { store, spool, player, notify: tell })
  const source = socketSource({ url, token: "s3cret-token" })
  closers.push(() => {
    source.stop()
    filler.stop()
  })
  const start = () =>
    source.start({
      frames(received) {
        spool.append(received.map(recordingLine))
        store.dispatch({ type: "frames", frames: received.map(({ frame }) => frame) })
        player.framesAdded()
        filler.folded()
      },
      link(link) {
        store.dispatch({ type: "link", link, now: Date.now() })
        filler.link(link)
      },
      restart: () => undefined,
    })
  const ask = (intent: Parameters<Store["ask"]>[0]) => {
    for (const effect of store.ask(intent, { now: Date.now(), page: 0, lines: 0 })) {
      if (effect.type === "agent/send") source.send(effect)
    }
  }
  return { store, recorder, notices, start, ask }
}

/** Answers each question with its first option until the condition holds. */
function until(
  { store, ask }: Awaited<ReturnType<typeof attach>>,
  wanted: (state: StoreState) => boolean,
): Promise<void> {
  const answered = new Set<PromptKey>()
  return new Promise(resolve => {
    const look = () => {
      const state = store.get()
      for (const { key } of openPrompts(state.run)) {
        if (answered.has(key)) continue
        answered.add(key)
        queueMicrotask(() => ask({ type: "prompt/settle", key, answer: { value: "fine" } }))
      }
      if (!wanted(state)) return
      end()
      resolve()
    }
    const end = store.subscribe(look)
    look()
  })
}

/** The output of `opentui-sidecar fold` for a file. */
async function folded(path: string): Promise<unknown> {
  const { code, out, err } = await sidecar(["fold", path], { cwd: fileScratch() })
  expect([code, err]).toEqual([0, ""])
  return JSON.parse(out)
}
const saidOf = ({ run }: StoreState) => JSON.parse(JSON.stringify(report(run)))

testEachAgent(
  "a run with answers, ops, a lost connection, garbage and rows from disk folds to the same state",
  async () => {
    const path = join(fileScratch(), "run.jsonl")
    const live = await attach(
      {
        waitForClient: false,
        faults: [
          { kind: "garbage", at: 200 },
          { kind: "cut", at: 600 },
          { kind: "drop", at: 1200 },
          { kind: "coalesce", at: 1500 },
        ],
      },
      path,
    )
    live.recorder.toggle()
    live.start()
    // While the connection is down an op is refused, so the recording doesn't have it.
    while (live.store.get().view.control.ops.length === 0) {
      await until(live, ({ run, link }) => run.log.rows.length > 4 && run.debug !== null && link.state === "open")
      live.ask({ type: "debugger/send", op: "pause", n: 1 })
    }
    live.ask({ type: "debugger/send", op: "continue", n: 1 })
    await until(live, ({ run }) => run.status === "finished" && missingFrames(run) === 0)
    const state = live.store.get()
    expect(state.run.log.rows.length).toBeGreaterThan(20)
    expect(await folded(path)).toEqual(saidOf(state))
    expect(text(path)).toContain('"what":"disk"')
    expect(text(path)).toContain('{"kind":"answer","prompt-id"')
    expect(text(path)).toContain('{"kind":"control","op":"pause"}')
    expect(text(path)).not.toContain("s3cret-token")
    expect(live.notices).toEqual([`Recording to ${path}`])
  },
)

testEachAgent(
  "a recording started after the run folds to the same state, and without its incomplete last line to the one before",
  async () => {
    const path = join(fileScratch(), "run.jsonl")
    const live = await attach({}, path)
    live.start()
    await until(live, ({ run }) => run.status === "finished")
    live.recorder.toggle()
    const state = live.store.get()
    expect(await folded(path)).toEqual(saidOf(state))
    live.recorder.toggle()
    truncateSync(path, statSync(path).size - 5)
    const torn = await folded(path)
    expect(torn).toMatchObject({ frames: { unread: 1 }, unread: [{ why: expect.stringContaining("incomplete") }] })
    expect(torn).toMatchObject({ invocations: saidOf(state).invocations })
  },
)
