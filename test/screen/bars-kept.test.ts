// Keeps what the header, the banner and the footer say of runs in every state, from wide screens to the smallest.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import type { Pending } from "../../src/keys/dispatch.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { bannerLines } from "../../src/screen/banner.ts"
import { footerLine } from "../../src/screen/footer.ts"
import { headerLine } from "../../src/screen/header.ts"
import { ascii, unicode } from "../../src/ui/glyphs.ts"
import type { Line, Span } from "../../src/ui/line.ts"
import { wallClock } from "../../src/ui/link-words.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState, goneFor, timeShown } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import type { ViewChange } from "../../src/view/view.ts"
import { root } from "../fixtures.ts"
import { line } from "../run/lines.ts"
import { live, NOW } from "./screen.tsx"

type Listed = readonly (string | object)[]

interface Scene {
  readonly what: string
  /** Frames, or names of lists of them. */
  readonly lines: Listed
  readonly link?: Link
  readonly view?: ViewChange
  readonly title?: readonly [chart: string | null, session: string | null]
  /** How many of the lines are shown, in the past. */
  readonly past?: number
  readonly typed?: Pending
  /** Ms since the first frame. */
  readonly ms?: number
}

const SCRIPT = (await Bun.file(join(root, "fixtures/scripts/bars.jsonl")).text()).trimEnd().split("\n")
const READ: readonly (Scene | { readonly name: string; readonly frames: Listed })[] = SCRIPT.map(one => JSON.parse(one))
const NAMED = new Map(READ.flatMap(one => ("name" in one ? [[one.name, one.frames] as const] : [])))
const SCENES = new Map(READ.flatMap(one => ("what" in one ? [[one.what, one] as const] : [])))

const framesOf = (listed: Listed): readonly Decoded[] =>
  listed.flatMap(one => (typeof one === "string" ? framesOf(NAMED.get(one) ?? []) : [line(one)]))

const words = (spans: readonly Span[]) =>
  spans.map(({ token, bold, text }) => `${token}${bold ? "*" : ""}${JSON.stringify(text)}`).join(" ")
const rowsOf = (lines: readonly Line[]) => lines.map(one => `|${lineText(one).trimEnd()}`)

/** What the three say in so many columns. */
function bars({
  link = live,
  view = {},
  title = [null, null],
  past,
  typed = { count: "" },
  ms = 30_000,
  ...told
}: Scene) {
  const lines = framesOf(told.lines)
  const frames = reduce(emptyState(link), { type: "frames", frames: lines })
  const seen = reduce(frames, { type: "view", change: view })
  const run = past === undefined ? null : fold(emptyRun, lines.slice(0, past))
  const state = shownState(reduce(seen, { type: "show", run }))
  const now = NOW + ms
  return (columns: number, glyphs = unicode) => {
    const context = { glyphs, motion: false, now: timeShown(state, now), goneMs: goneFor(state, now) }
    return {
      header: headerLine(state, { chart: title[0], session: title[1] }, context, columns),
      banner: bannerLines(state, context, columns),
      footer: footerLine(state, columns, wallClock(context), typed),
    }
  }
}

test.each([...SCENES.keys()])("%s", what => {
  const at = bars(SCENES.get(what) ?? { what, lines: [] })
  const rows = [160, 100, 60, 40].flatMap(columns => {
    const { header, banner, footer } = at(columns)
    return [`${columns}`, ...rowsOf([{ spans: header }, ...banner, footer])]
  })
  const { header, banner, footer } = at(120)
  const plain = at(120, ascii)
  const styled = [header, at(40).header, ...banner.map(({ spans }) => spans), footer.spans].map(words)
  expect([...rows, ...styled, ...rowsOf([{ spans: plain.header }, ...plain.banner])].join("\n")).toMatchSnapshot()
})

test("a bar says less the narrower it is, and each piece whole", () => {
  const all = "a run at work,one just lost,the past of a recording,a failure,one over HTTP"
  const told = all.split(",").flatMap(what => {
    const at = bars(SCENES.get(what) ?? { what, lines: [] })
    const rows = Array.from({ length: 110 }, (_, i) => {
      const { header, footer } = at(120 - i)
      return rowsOf([{ spans: header }, footer]).map(row => row.replace(/ {4,}/g, "    ").replace(/\S+…/g, "…"))
    })
    return rows.flatMap((row, i) => row.flatMap((one, n) => (one === rows[i - 1]?.[n] ? [] : [`${120 - i} ${one}`])))
  })
  expect(told.join("\n")).toMatchSnapshot()
})
