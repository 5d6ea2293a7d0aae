// Checks that a recording folds to the state of its run, with a real agent, connection losses and a real disk.
import { dlopen } from "bun:ffi"
import { afterEach, expect, test } from "bun:test"
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
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
import { root } from "../fixtures.ts"
import { eventText, ids } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"
import { boundFiles } from "./bound-files.ts"

const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A recorder of a spool, and its notices. */
function open(path = join(fileScratch(), "deep", "run.jsonl"), spool = new Spool(fileScratch())) {
  const notices: string[] = []
  spool.onFailure(why => notices.push(why))
  const onToggle = (isOn: boolean) => notices.push(isOn ? "on" : "off")
  const recorder = new Recorder({ spool, path, notify: text => notices.push(text), now: () => 7, onToggle })
  closers.push(() => {
    recorder.close()
    spool.close()
  })
  return { path, recorder, spool, notices, add: (...lines: string[]) => spool.append(lines) }
}

const text = (path: string) => readFileSync(path, "utf8")

const { dup2 } = dlopen("libc.so.6", { dup2: { args: ["int", "int"], returns: "int" } }).symbols

/** From now on the spool can be read but not written, as on a disk that is full; or only written. */
function spoilSpool({ path }: Spool, flags: "r" | "a"): void {
  const fd = readdirSync("/proc/self/fd").find(name => {
    return existsSync(`/proc/self/fd/${name}`) && readlinkSync(`/proc/self/fd/${name}`) === path
  })
  const spoilt = openSync(String(path), flags)
  dup2(spoilt, Number(fd))
  closeSync(spoilt)
}

const LONG = "x".repeat(70_000)

/** What a word of a script does. */
const DO: { readonly [word: string]: (of: ReturnType<typeof open>, told: readonly string[]) => unknown } = {
  R: ({ recorder }) => recorder.toggle(),
  add: ({ add }, lines) => add(...lines.map(line => (line === "long" ? LONG : line))),
  /** Lines from a number on are others. */
  cut({ spool, add }, [length, ...lines]) {
    spool.truncate(Number(length))
    add(...lines)
  },
  rewrite({ spool }, lines) {
    const other = spool.successor()
    other.append(lines)
    spool.takeOver(other)
  },
  close: ({ recorder }) => recorder.close(),
  /** Somebody else writes to the file, or removes it, or puts another in its place. */
  other({ path }, [line]) {
    mkdirSync(dirname(path), { recursive: true })
    appendFileSync(path, `${line}`.replace("⏎", "\n"))
  },
  remove: ({ path }) => rmSync(path),
  replace({ path }) {
    rmSync(path)
    writeFileSync(path, "")
  },
  full: ({ spool }) => spoilSpool(spool, "r"),
  blind: ({ spool }) => spoilSpool(spool, "a"),
  /** The disk has room for two bytes of these lines. */
  brim({ path, add }, lines) {
    boundFiles(BigInt(statSync(path).size + 2))
    add(...lines)
    boundFiles(2n ** 64n - 1n)
  },
}

const SCRIPTS = await Bun.file(join(root, "fixtures/scripts/recorder.txt")).text()

test.each(
  SCRIPTS.trim()
    .split("\n")
    .map(line => line.split("=").map(part => part.trim())),
)("a recording has %s", (what = "", script = "") => {
  const home = fileScratch()
  writeFileSync(join(home, "file"), "")
  const below = join(home, "file", "deep", "run.jsonl")
  const places = [[/full disk$/, "/dev/full"] as const, [/directory$/, home] as const, [/below/, below] as const]
  const path = places.find(([place]) => place.test(what))?.[1]
  const spool = /spool/.test(what) ? new Spool(below) : new Spool(fileScratch())
  const opened = open(path, spool)
  const told = script.split(", ").map(step => {
    const [word = "", ...more] = step.split(" ")
    DO[word]?.(opened, more)
    const isFile = opened.path.endsWith("jsonl") && existsSync(opened.path)
    const mode = isFile && (statSync(opened.path).mode & 0o777) === 0o600 ? "private " : ""
    const file = isFile ? ` ${mode}«${text(opened.path).replaceAll("\n", "⏎").replace(LONG, "long")}»` : " no file"
    return `${step}:${file} ${opened.notices.splice(0).join("; ").replaceAll(opened.path, "PATH")}`.trimEnd()
  })
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})

const many = (count: number) => Array.from({ length: count }, (_, index) => `${index} ${"x".repeat(20_000)}`)

test.each([false, true])(
  "a long run is copied in pieces that let keys through, and R meanwhile ends it once it has every line: %p",
  async isEnded => {
    const { path, recorder, notices, add } = open()
    const lines = many(600)
    add(...lines)
    recorder.toggle()
    expect(notices).toEqual(["on", `Copying 12 MB to ${path}`])
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    if (isEnded) recorder.toggle()
    expect(notices).toHaveLength(2)
    let most = 0
    for (let before = statSync(path).size; notices.length < 3; before = statSync(path).size) {
      lines.push(`line ${lines.length}`)
      add(`line ${lines.length - 1}`)
      await new Promise(setImmediate)
      most = Math.max(most, statSync(path).size - before)
    }
    // No turn of the event loop copies more than a slice.
    expect(most).toBeLessThan(5 * 1024 * 1024)
    add("last")
    if (!isEnded) recorder.toggle()
    const ends = ["off", `Saved ${path}`]
    expect(notices.slice(2)).toEqual(isEnded ? ends : [`Recording to ${path}`, ...ends])
    expect(text(path)).toBe(`${[...lines, ...(isEnded ? [] : ["last"])].join("\n")}\n`)
  },
)

test.each([false, true])(
  "lines that come while a long run is copied are recorded after it, each once, also if it is rewritten: %p",
  async isRewritten => {
    const { path, recorder, spool, notices, add } = open()
    const [before, lines] = [many(700), many(600)]
    add(...(isRewritten ? before : lines))
    recorder.toggle()
    if (isRewritten) DO.rewrite?.({ path, recorder, spool, notices, add }, lines)
    add("c", "d")
    // What was to follow the copy follows the new one.
    while (isRewritten && !notices.includes(`Recording to ${path}`)) await new Promise(setImmediate)
    recorder.close()
    expect(text(path)).toBe(`${[...lines, "c", "d"].join("\n")}\n`)
    add("e")
    recorder.toggle()
    expect(text(path)).toEndWith("\nc\nd\ne\n")
  },
)

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
  const player = new TimelinePlayer({ ...timing, store, openLog: () => spool, notify: tell, onHit: () => undefined })
  const filler = new GapFiller(directory, { store, spool, player, notify: tell })
  const source = socketSource({ url, token: "s3cret-token" })
  /** Nothing comes after it, whether sent or read from disk: what stands in the file is the state. */
  const stop = () => {
    source.stop()
    filler.stop()
  }
  closers.push(stop)
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
  return { store, recorder, notices, start, stop, ask }
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
    live.stop()
    const state = live.store.get()
    expect(state.run.log.rows.length).toBeGreaterThan(20)
    expect(await folded(path)).toEqual(saidOf(state))
    expect(text(path)).toContain('"what":"disk"')
    expect(text(path)).toContain('{"kind":"answer","prompt-id"')
    expect(text(path)).toContain('{"kind":"control","op":"pause"}')
    expect(text(path)).not.toContain("s3cret-token")
    expect(live.notices).toEqual(["on", `Recording to ${path}`])
  },
)

testEachAgent(
  "a recording started after the run folds to the same state, and without its incomplete last line to the one before",
  async () => {
    const path = join(fileScratch(), "run.jsonl")
    const live = await attach({}, path)
    live.start()
    await until(live, ({ run }) => run.status === "finished")
    live.stop()
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
