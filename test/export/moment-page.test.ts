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

const coder = { invokeid: "coder", "session-id": "c" }
const told = (seq: number, name: string, data: object = {}) => event(seq, name, data, 1000 * seq)
const turn = (seq: number, text: string): readonly Decoded[] => [
  told(seq, "llm/start", coder),
  told(seq + 1, "llm/request", { ...coder, "user-blocks": [{ type: "text", text: `asked ${text}` }] }),
  told(seq + 2, "llm/response", { ...coder, content: [{ type: "text", text: `said ${text}` }] }),
]
const TURNS = [
  told(0, "runner/started", { "chart-id": "c" }),
  told(1, "runner/event-processed", { entered: ["coding"], "config-after": ["coding"] }),
  ...turn(2, "one"),
  ...turn(5, "two sk-0123456789abcdefgh"),
  ...turn(8, "three"),
  told(11, "runner/event-processed", { entered: ["review"], "config-after": ["review"] }),
]
const used = (seq: number, more: object = {}, dollars = 0.25) =>
  told(seq, "llm/response", { ...coder, content: [], usage: { "input-tokens": 10, "cost-usd": dollars }, ...more })
const worker = (i: number) => ({ invokeid: `w${i}`, "session-id": "s" })
const failing = join(root, "fixtures/failing-run")
const TURN = { frame: 8, at: "#8", ts: 7000, session: 0, turn: 2 }

type Case = readonly [lines: readonly Decoded[], moment: MomentOptions["moment"], more?: Partial<MomentOptions>]

/** The pages, by what they are about. Every line is a frame. */
const PAGES: { readonly [what: string]: Case } = {
  "a turn in the middle": [TURNS, TURN],
  "a turn among many rows, of a recording elsewhere": [
    [...TURNS, ...Array.from({ length: 80 }, (_, i) => told(12 + i, "brand/new", { i }))],
    { ...TURN, frame: 60, ts: 59_000, turn: 3, at: "e1/59" },
    { recording: { path: "run.jsonl", isWhole: false } },
  ],
  "the last frame, of no recording": [TURNS, { ...TURN, frame: 12, ts: 11_000, turn: 3 }, { recording: null }],
  "a turn that streams": [
    [
      ...[...TURNS.slice(0, 5), told(5, "llm/start", coder)],
      told(6, "llm/delta", { ...coder, type: "text-delta", text: "begun" }),
    ],
    { frame: 7, at: "#7", ts: 6000, session: 0, turn: 2 },
  ],
  "no time and no session": [TURNS.slice(0, 1), { frame: 0, at: "#0", ts: null, session: null, turn: null }],
  "a session without a turn": [TURNS, { ...TURN, turn: null }],
  "a run that fails later": [
    [
      ...[...TURNS.slice(0, 3), used(3), told(4, "llm/start", coder), used(5, {}, 0.5)],
      told(6, "llm/worker-exit", { ...coder, reason: "broke", "is-error": true }),
      told(7, "runner/error", { message: "it broke" }),
    ],
    { frame: 4, at: "#4", ts: 3000, session: 0, turn: 1 },
  ],
  "a session with a sibling": [
    [...TURNS, told(12, "llm/start", { ...coder, "session-id": "d" }), used(13, { "session-id": "d" })],
    TURN,
  ],
  "a session among a hundred": [
    [
      ...TURNS,
      ...Array.from({ length: 100 }, (_, i) => [
        told(20 + 2 * i, "llm/start", worker(i)),
        told(21 + 2 * i, "llm/worker-exit", { ...worker(i), reason: "done" }),
      ]).flat(),
    ],
    { ...TURN, frame: 121, ts: 120_000 },
  ],
  "one of a hundred turns, each with a tool": [
    Array.from({ length: 100 }, (_, i) => [
      told(3 * i, "llm/start", { ...coder, model: "<b>" }),
      used(3 * i + 1),
      told(3 * i + 2, "llm/tool-result", { ...coder, tool: `tool ${i}`, "elapsed-ms": 100 }),
    ]).flat(),
    { frame: 150, at: "#150", ts: 149_000, session: 0, turn: 50 },
  ],
}

function documentOf(lines: readonly Decoded[], at: Case[1], more: Case[2] = {}, first: Run = initialRun({})): Document {
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

test.each(Object.entries(PAGES))("the page about %s", async (_, [lines, moment, more]) => {
  expect(await pictured(documentOf(lines, moment, more))).toMatchSnapshot()
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

test("a moment's page holds no secret, no script, and nothing to fetch", async () => {
  const page = (await Array.fromAsync(html(documentOf(TURNS, TURN)))).join("")
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
  const [lines] = PAGES["a run that fails later"] ?? [[]]
  const [start, ledger] = ['<h2 id="session-1"', '<h2 id="ledger">Ledger</h2>\n<p>Up to the moment. ']
  const page = (await Array.fromAsync(html(documentOf(lines, { ...TURN, frame: 4, ts: null, turn: 1 })))).join("")
  expect(page.indexOf(start)).toBeGreaterThan(0)
  expect(page.indexOf(ledger)).toBeGreaterThan(page.indexOf(start))
  const last = (await Array.fromAsync(html(documentOf(lines, { ...TURN, frame: 8, ts: null })))).join("")
  expect(last).toContain('<tr class="bad here">')
})
