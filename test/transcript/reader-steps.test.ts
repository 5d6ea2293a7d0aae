// Keeps what a reader of a transcript sees: after each move, fold, search and growth, the rows and the cursor among them.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { initialRun, type Run } from "../../src/run/model/run.ts"
import {
  errorBlocks,
  findBlocks,
  foldBlocks,
  moveBlocks,
  toggleCard,
  turnBlocks,
} from "../../src/transcript/block-moves.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { type OutlineReading, readingAt, unread } from "../../src/view/block-reading.ts"
import type { Move } from "../../src/view/intent.ts"
import { fixture, readFrames, root } from "../fixtures.ts"
import { idAt } from "../run/lines.ts"

type Kind = NonNullable<Parameters<typeof initialRun>[0]>["strategy"]

const captures = new Map()

/** A reader of a session of a run, whose later lines it takes in as they come. */
class Reader {
  readonly #outline = new SessionOutline()
  #run: Run
  #reading: OutlineReading = unread
  #columns = 44
  #rows = 8

  constructor(
    private readonly lines: readonly Decoded[],
    first: number,
    strategy: Kind = "api_tool_call",
  ) {
    this.#run = fold(initialRun({ strategy }), lines.slice(0, first))
  }

  do(step: string): string {
    const [word = "", ...more] = step.split(" ")
    const outline = this.#outline
    const [told, n] = [more.join(" "), Number(more[0])]
    const [by, reading] = [n < 0 ? -1 : 1, this.#reading] as const
    const move = (by: Move) => moveBlocks(reading, by, outline)
    const doing: { readonly [word: string]: () => Partial<OutlineReading> | null } = {
      row: () => move({ unit: "row", count: n }),
      half: () => move({ unit: "half", count: n }),
      page: () => move({ unit: "page", count: n }),
      view: () => move({ unit: "view", count: n }),
      first: () => move({ unit: "first" }),
      last: () => move({ unit: "last" }),
      follow: () => move({ unit: "follow" }),
      turn: () => turnBlocks(reading, by, outline),
      error: () => errorBlocks(reading, by, outline),
      fold: () => foldBlocks(reading, told === "all" ? "all" : "fold", outline),
      unfold: () => foldBlocks(reading, "unfold", outline),
      click: () => toggleCard(reading, n, outline),
      find: () => ({ find: told === "" ? null : told }),
      next: () => findBlocks(reading, reading.find ?? "", by, outline),
      at: () => {
        const session = this.#run.sessions[0]
        return session === undefined ? null : readingAt(reading, session, n, Number(more[1] ?? Number.NaN) || null)
      },
      size: () => {
        ;[this.#columns, this.#rows] = [n, Number(more[1])]
        return {}
      },
      grow: () => {
        const { lines } = this.#run.frames
        this.#run = fold(this.#run, this.lines.slice(lines, lines + n))
        return more[1] === "folding" ? foldBlocks(reading, "all", outline) : {}
      },
    }
    const change = doing[word]?.()
    this.#reading = { ...reading, ...change, session: idAt(this.#run, 0) }
    return `── ${step}${change === null ? ": there is none" : ""}\n${this.#shown()}`
  }

  #shown(): string {
    const [outline, reading] = [this.#outline, this.#reading]
    const size = { columns: this.#columns, rows: this.#rows }
    do {
      outline.update({ run: this.#run, captures }, reading, size, { glyphs: unicode, now: 2000, motion: false })
    } while (outline.isUnfinished)
    const cursor = reading.at === null ? outline.length - 1 : outline.lineOf(reading.at)
    const { nth, count } = reading.find === null ? { nth: null, count: 0 } : outline.foundAt(reading.find, cursor)
    const found = reading.find === null ? "" : `, ${nth ?? "none"} of ${count} found`
    const how = reading.at === null ? ", followed" : ""
    const facts = `   line ${cursor} of ${outline.length}, turn ${outline.turnAt(cursor)}${how}${found}`
    const rows = outline.window(reading.at).map((line, i) => {
      const marks = `${line.selected ? ">" : " "}${line.failed ? "!" : " "}${outline.isHeading(outline.top + i) ? "+" : " "}`
      const words = line.spans.map(({ text, hit }) => (hit === true ? `«${text}»` : text))
      return `${marks}${words.join("")}`.trimEnd()
    })
    return [facts, ...rows].join("\n")
  }
}

/** A talk that a reader reads, and all that it does; its frames stand below it, or in a recording. */
interface Talk {
  readonly what: string
  readonly from?: string
  /** The frames that are there at the beginning. */
  readonly first: number
  readonly how?: Kind
  readonly steps: readonly string[]
}

const TALKS = (await Bun.file(join(root, "fixtures/scripts/readers.txt")).text()).trimEnd().split("\n\n")
const SCRIPTS = TALKS.flatMap(part => {
  const [told = "", ...frames] = part.split("\n")
  const talk: Talk = JSON.parse(told)
  return talk.steps.map(steps => [`${talk.what}: ${steps}`, steps, talk, frames] as const)
})

test.each(SCRIPTS)("%s", async (_, steps, { first, how, from }, lines) => {
  const frames = from === undefined ? lines.map(decode) : await readFrames(fixture(from))
  const reader = new Reader(frames, first, how)
  reader.do("begin")
  const told = steps.split(", ").map(step => reader.do(step))
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})
