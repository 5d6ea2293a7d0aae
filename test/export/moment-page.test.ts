// Keeps the pages about moments: which turn, log rows, sessions and sums each has; none keeps a secret or runs anything.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { readPrices } from "../../src/cli/option-value.ts"
import type { Document } from "../../src/export/document.ts"
import { html } from "../../src/export/html.ts"
import { markdown } from "../../src/export/markdown.ts"
import { type MomentOptions, momentDocument } from "../../src/export/moment-page.ts"
import { Redactor } from "../../src/export/redact.ts"
import { fold } from "../../src/run/fold.ts"
import { frameNumber, initialRun, type Run } from "../../src/run/model/run.ts"
import { sessionName } from "../../src/run/select/figures.ts"
import { textsInMemory } from "../../src/run/select/run-texts.ts"
import { fixture, readFrames, root } from "../fixtures.ts"
import { event } from "../run/lines.ts"

const failing = join(root, "fixtures/failing-run")

/** An event, the number that the next one has, or events that come many times: `#` says how often they came before. */
type Told =
  | number
  | readonly [name: string, data: object]
  | { readonly times: number; readonly events: readonly Told[] }

interface Page {
  readonly about: string
  readonly events: readonly Told[]
  readonly moment: MomentOptions["moment"]
  readonly more?: Partial<MomentOptions>
}

const lines = (await Bun.file(join(root, "fixtures/scripts/moments.jsonl")).text()).trimEnd().split("\n")
const PAGES = lines.map((line): Page => JSON.parse(line))
const [TURN] = PAGES

/** The frames of a page, one a second. Every line is a frame. */
function framesOf(page: Page | undefined): readonly Decoded[] {
  let seq = 0
  const frames = (told: Told): readonly Decoded[] => {
    if (typeof told === "number") seq = told
    else if ("times" in told) {
      const text = JSON.stringify(told.events)
      const each = Array.from({ length: told.times }, (_, i) => text.replaceAll('"#"', `${i}`).replaceAll("#", `${i}`))
      return each.flatMap((one): readonly Told[] => JSON.parse(one)).flatMap(frames)
    } else return [event(seq, ...told, 1000 * seq++)]
    return []
  }
  return page?.events.flatMap(frames) ?? []
}

function documentOf(
  lines: readonly Decoded[],
  at: Page["moment"],
  more: Page["more"] = {},
  first: Run = initialRun({}),
): Document {
  const usual = { title: "run", session: null, where: null, redactor: new Redactor(), read: null, recall: null }
  const recording = { path: "runs/my run.jsonl", isWhole: true }
  let atMoment = first
  for (const line of lines) if (frameNumber(atMoment) < at.frame) atMoment = fold(atMoment, [line])
  const options = { ...usual, moment: at, atMoment, recording, ...more }
  return momentDocument(textsInMemory(fold(first, lines)), options)
}

/** The page in Markdown, and what Markdown doesn't tell: the waterfall, and which rows are those of the moment. */
async function pictured(document: Document): Promise<string> {
  const { waterfall, ledger, log } = document
  const rows = (waterfall?.rows ?? []).map(({ name, pieces, turns }) => {
    return `  ${name}: ${pieces.length} pieces, turns ${turns.map(one => one.turn).join(" ")}`
  })
  const here = [
    ...[...log.pieces()].flat().flatMap(({ isHere, text, time }) => (isHere ? [`${time} ${text}`] : [])),
    ...ledger.flatMap(table => table.rows.flatMap(({ isHere, name }) => (isHere ? [`${table.title}: ${name}`] : []))),
  ]
  const drawn =
    waterfall === null
      ? ["no waterfall"]
      : [
          `waterfall of ${waterfall.ms} ms, mark at ${waterfall.mark}, ${waterfall.isWhole ? "whole" : "cut"}`,
          `  states ${waterfall.states.map(({ name, at }) => `${name} at ${at}`).join(", ")}`,
          ...rows,
        ]
  const text = (await Array.fromAsync(markdown(document))).join("")
  for (const [, anchor = ""] of text.matchAll(/\]\(#([^)]*)/g)) expect(text).toContain(`id="${anchor}"`)
  return `\n${text}\nhere: ${here.join(" | ")}\n${drawn.join("\n")}\n`
}

test.each(PAGES.map(page => [page.about, page] as const))("the page about %s", async (_, page) => {
  expect(await pictured(documentOf(framesOf(page), page.moment, page.more))).toMatchSnapshot()
})

test("the pages about a turn and a failure of real runs", async () => {
  const first = initialRun({ prices: readPrices(join(failing, "prices.json")) })
  const lines = await readFrames(join(failing, "transcript.jsonl"))
  const whole = fold(first, lines)
  const session = whole.sessions.findIndex((_, index) => sessionName(whole, index) === "coder 2")
  const at = { frame: 90, at: "#90", ts: null, session, turn: 2 }
  expect(await pictured(documentOf(lines, at, {}, first))).toMatchSnapshot()
  const tea = await readFrames(fixture("tea"))
  expect(
    await pictured(documentOf(tea, { frame: 40, at: "+4s", ts: 1_773_478_804_000, session: 0, turn: 1 })),
  ).toMatchSnapshot()
})

/** Of the second turn. */
const at = { frame: 8, at: "#8", ts: 7000, session: 0, turn: 2 }

test("a moment's page holds no secret, no script, and nothing to fetch", async () => {
  const page = (await Array.fromAsync(html(documentOf(framesOf(TURN), at)))).join("")
  expect(page).not.toContain("sk-0123456789abcdefgh")
  expect(page).toContain("said two")
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/<script|<link|<img|<iframe|src=|url\(|@import/)
  expect(page).toContain('<tr class="here">')
  expect(page).toContain('<line class="mark"')
  expect(page).toContain("<details open>")
  expect(page).toContain("<p>The line from top to bottom is the moment: +00:07.000 of +00:11.000.</p>")
  expect(page).toContain('<use href="#waterfall"/>')
})

test("a page about a moment without a time has its ledger, up to then, after its session, and its row may be an error", async () => {
  const lines = framesOf(PAGES.find(({ about }) => about === "a run that fails later"))
  const [start, ledger] = ['<h2 id="session-1"', '<h2 id="ledger">Ledger</h2>\n<p>Up to the moment. ']
  const page = (await Array.fromAsync(html(documentOf(lines, { ...at, frame: 4, ts: null, turn: 1 })))).join("")
  expect(page.indexOf(start)).toBeGreaterThan(0)
  expect(page.indexOf(ledger)).toBeGreaterThan(page.indexOf(start))
  const last = (await Array.fromAsync(html(documentOf(lines, { ...at, frame: 8, ts: null })))).join("")
  expect(last).toContain('<tr class="bad here">')
  const one = (await Array.fromAsync(html(documentOf(lines.slice(0, 1), { ...at, frame: 1, ts: null })))).join("")
  expect(one).toContain("<summary>1 row</summary>")
})
