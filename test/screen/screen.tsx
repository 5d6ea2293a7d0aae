// Shows the real screen with a real store in memory: frames go in, keys are pressed, rows are read.
import { join } from "node:path"
import type { CapturedFrame, CapturedSpan } from "@opentui/core"
import { ManualClock } from "@opentui/core/testing"
import { testRender } from "@opentui/solid"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { features } from "../../src/panels/plan.ts"
import type { Row } from "../../src/run/model/run.ts"
import { Screen } from "../../src/screen/Screen.tsx"
import { ascii, unicode } from "../../src/ui/glyphs.ts"
import { type Background, type Depth, makeTheme } from "../../src/ui/theme.ts"
import type { Effect } from "../../src/view/effect.ts"
import { createStore, type Store } from "../../src/view/store.ts"
import { root } from "../fixtures.ts"
import { opened } from "./open-screens.ts"

/** The wall clock of every test, epoch ms. */
export const NOW = 1_700_000_000_000
/** The columns and rows of the terminals that everything must fit. */
export const SIZES = [
  [120, 40],
  [80, 24],
  [40, 10],
] as const
/** Those that have room for more than one pane. */
export const LARGE_SIZES = [SIZES[0], SIZES[1]] as const

export const URL = "ws://127.0.0.1:3737/ws"

export const live: Link = { state: "open", url: URL, since: NOW }
export const replay: Link = { state: "replaying", path: "run.jsonl", incompleteLength: 0 }

interface Options {
  readonly columns?: number
  readonly rows?: number
  readonly link?: Link
  readonly ascii?: boolean
  /** 0, all figures at once, unless it says otherwise. */
  readonly calmMs?: number
  readonly motion?: boolean
  readonly depth?: Depth
  readonly background?: Background
  readonly chart?: string | null
  readonly session?: string | null
  readonly store?: Store
  /** The wall clock at the start, epoch ms. */
  readonly now?: number
}

export interface Shown {
  readonly store: Store
  /** Every effect, in order. */
  readonly effects: Effect[]
  /** The rows of the log that are on the screen, as it reports them. */
  readonly logRows: () => readonly Row[] | null
  /** Number of frames drawn so far. */
  readonly drawn: () => number
  /** Number of native elements in the tree. */
  readonly elements: () => number
  /** The wall clock, epoch ms. */
  readonly now: () => number
  /** Whether the terminal shows its caret. */
  readonly caret: () => boolean
  feed(...lines: readonly Decoded[]): Shown
  link(link: Link): Shown
  /** Advances the wall clock and the library's timers by so many ms; not the runtime's own timers. */
  pass(ms: number): Shown
  /** Resolves once everything pending is drawn. */
  settle(): Promise<void>
  /** Waits until the question in front listens to keys. */
  listen(): Shown
  /** Presses keys by the names of the key table, each once the question in front listens to it. */
  press(...strokes: readonly string[]): Shown
  /** Presses keys whether or not a question listens. */
  pressAtOnce(...strokes: readonly string[]): Shown
  /** Types a text, one key for each character. */
  type(text: string): Shown
  /** Does what the palette finds first by these words. */
  choose(words: string): Shown
  paste(text: string): Promise<void>
  /** Clicks on the first character of this text; throws with the whole screen if there is none. */
  click(text: string): Promise<void>
  /** Presses the mouse on a cell, and at once lets go of it. */
  clickAt(x: number, y: number): Shown
  /** Turns the wheel over this text. */
  wheel(text: string, direction: "up" | "down", turns?: number): Promise<void>
  resize(columns: number, rows: number): Shown
  rows(): Promise<readonly string[]>
  text(): Promise<string>
  frame(): Promise<CapturedFrame>
  /** The first row with `text`, trimmed at its end. Throws with the whole screen if there is none. */
  row(text: string): Promise<string>
}

/** The real one, from before any test replaces the runtime's timers. */
const nextTurn = setImmediate

/**
 * The screen on a terminal of 120 columns and 40 rows, attached to a live agent, unless the options say otherwise, with
 * these lines of the run.
 */
export async function show(options: Options = {}, ...lines: readonly Decoded[]): Promise<Shown> {
  const store = options.store ?? createStore({ ...features, link: options.link ?? live })
  const effects: Effect[] = []
  const clock = new ManualClock()
  let now = options.now ?? NOW
  let keyAt = Number.NEGATIVE_INFINITY
  let logRows: readonly Row[] | null = null
  const run = {
    store,
    title: { chart: options.chart ?? null, session: options.session ?? null },
    showRows(reported: readonly Row[] | null) {
      logRows = reported
    },
    keyPressed() {
      keyAt = now
    },
    perform: (made: readonly Effect[]) =>
      void effects.push(...made.flatMap(one => (one.type === "log/scan" ? scanned(store, now) : one))),
  }
  const setup = await testRender(
    () => (
      <Screen
        run={run}
        theme={() => makeTheme(options.depth ?? "truecolor", options.background ?? "dark")}
        glyphs={options.ascii === true ? ascii : unicode}
        motion={options.motion ?? false}
        calmMs={options.calmMs ?? 0}
        now={() => now}
      />
    ),
    { width: options.columns ?? 120, height: options.rows ?? 40, clock, exitOnCtrlC: false, consoleMode: "disabled" },
  )
  const { renderer, mockInput } = setup
  opened(() => renderer.destroy())
  let drawn = 0
  renderer.on("frame", () => {
    drawn++
  })
  const rows = async (): Promise<readonly string[]> => {
    await setup.renderOnce()
    return setup.captureCharFrame().split("\n").slice(0, renderer.height)
  }
  const placeOf = async (text: string): Promise<{ readonly x: number; readonly y: number }> => {
    const all = await rows()
    const y = all.findIndex(row => row.includes(text))
    const row = all[y]
    if (row === undefined) throw new Error(`No row says ${JSON.stringify(text)}:\n${framed(all)}`)
    return { x: Bun.stringWidth(row.slice(0, row.indexOf(text))), y }
  }
  const pass = (ms: number): void => {
    now += ms
    clock.advance(ms)
    store.dispatch({ type: "tick", now })
    const { heldAnswer } = store.get().view.questions
    if (heldAnswer !== null && heldAnswer.until <= now)
      effects.push(...store.ask({ type: "prompt/release" }, { now, page: 0, lines: 0 }))
  }
  const untilListening = (): void => {
    const { ignored } = store.get().view.questions
    if (ignored !== null) pass(ignored.until - now)
  }
  const pressOne = (stroke: string): void => {
    const { key, modifiers } = keyOf(stroke)
    mockInput.pressKey(key, modifiers)
    // A lone Esc is recognized by the time in which nothing follows.
    clock.advance(25)
  }
  const pressAt = (x: number, y: number): void => {
    void setup.mockMouse.pressDown(x, y)
    void setup.mockMouse.release(x, y)
  }
  /** Then the screen itself, so that calls can follow each other. */
  const then =
    <A extends readonly unknown[]>(act: (...given: A) => void) =>
    (...given: A): Shown => {
      act(...given)
      return shown
    }
  const feed = (...fed: readonly Decoded[]): void =>
    store.dispatch({ type: "frames", frames: fed, hands: { now, keyAt } })
  const shown: Shown = {
    store,
    effects,
    logRows: () => logRows,
    now: () => now,
    drawn: () => drawn,
    elements: () => countOf(renderer.root),
    caret: () => renderer.getCursorState().visible,
    feed: then(feed),
    link: then(link => store.dispatch({ type: "link", link, now })),
    pass: then(pass),
    listen: then(untilListening),
    async settle() {
      for (let turn = 0; turn < 5; turn++) {
        clock.advance(20)
        await new Promise(done => nextTurn(done))
      }
    },
    press: then((...strokes) =>
      strokes.forEach(stroke => {
        untilListening()
        pressOne(stroke)
      }),
    ),
    choose: then(words => {
      pressOne(":")
      ;[...words].forEach(pressOne)
      pressOne("enter")
    }),
    pressAtOnce: then((...strokes) => strokes.forEach(pressOne)),
    type: then(text => [...text].forEach(pressOne)),
    async click(text) {
      const { x, y } = await placeOf(text)
      pressAt(x, y)
    },
    clickAt: then(pressAt),
    async wheel(text, direction, turns = 1) {
      const { x, y } = await placeOf(text)
      for (let turn = 0; turn < turns; turn++) await setup.mockMouse.scroll(x, y, direction)
    },
    paste: text => mockInput.pasteBracketedText(text),
    resize: then(setup.resize),
    rows,
    text: async () => (await rows()).join("\n"),
    async frame() {
      await setup.renderOnce()
      return setup.captureSpans()
    },
    async row(text) {
      const all = await rows()
      const found = all.find(one => one.includes(text))
      if (found === undefined) throw new Error(`No row says ${JSON.stringify(text)}:\n${framed(all)}`)
      return found.trimEnd()
    },
  }
  if (lines.length > 0) feed(...lines)
  return shown
}

export function framed(rows: readonly string[]): string {
  return rows.map(row => `¦${row}¦`).join("\n")
}

/** Scans the whole log at once. */
function scanned(store: Store, now: number): readonly Effect[] {
  return store
    .ask({ type: "log/scan" }, { now, page: 0, lines: 0 })
    .flatMap(one => (one.type === "log/scan" ? scanned(store, now) : one))
}

/** The spans with `text`, anywhere on the screen. */
export function spansWith(frame: CapturedFrame, text: string): readonly CapturedSpan[] {
  return frame.lines.flatMap(line => line.spans.filter(one => one.text.includes(text)))
}

/** What a terminal sends for a key. */
const KEYS: Readonly<Record<string, string>> = await Bun.file(join(root, "fixtures/scripts/keys.json")).json()

function keyOf(stroke: string): { key: string; modifiers: { ctrl?: boolean; meta?: boolean } } {
  const named = KEYS[stroke]
  if (named !== undefined) return { key: named, modifiers: {} }
  const modified = /^(ctrl|alt)-(.)$/.exec(stroke)
  if (modified === null) return { key: stroke, modifiers: {} }
  const [, modifier, key = ""] = modified
  return { key, modifiers: modifier === "ctrl" ? { ctrl: true } : { meta: true } }
}

interface Node {
  getChildren(): readonly Node[]
}

function countOf(node: Node): number {
  return node.getChildren().reduce((sum, child) => sum + countOf(child), 1)
}

/** Characters of one unit, none of which combines with another or has no width. */
const SIMPLE = /^[\u0020-\u02ff\u2010-\u2027\u2070-\u20cf\u2100-\u27bf]*$/

/** The character at each column of a row; a wide one stands at its first. */
export function cellsOf(row: string): readonly string[] {
  if (SIMPLE.test(row) && Bun.stringWidth(row) === row.length) return row.split("")
  return [...new Intl.Segmenter().segment(row)].flatMap(({ segment }) => [
    segment,
    ...Array(Math.max(0, Bun.stringWidth(segment) - 1)).fill(""),
  ])
}
