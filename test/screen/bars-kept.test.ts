// Keeps what the header, the banner and the footer say of runs in every state, from wide screens to the smallest.
import { expect, test } from "bun:test"
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
import { delta, event, line } from "../run/lines.ts"
import { live, NOW, replay, URL } from "./screen.tsx"

const at = (seq: number, name: string, data: object = {}, ms = seq * 1000) => event(seq, name, data, NOW + ms)
const started = at(0, "runner/started", { "chart-id": ":tea/party" })
const boiling = ["party", "boiling"]
const config = at(1, "runner/start-config", { config: boiling })
const place = { config: boiling, breadcrumb: boiling, siblings: ["boiling", "pouring", "done"] }
const phase = line({ kind: "phase", ...place })
const ids = { invokeid: "a", "session-id": "s" }
const start = at(2, "llm/start", ids)
const usage = { "input-tokens": 64_000, "cached-tokens": 32_000, "output-tokens": 2536, "cost-usd": 0.305 }
const reply = (used: object) => at(3, "llm/response", { ...ids, content: [], usage: used })
const failed = at(4, "llm/error", { invokeid: "b", "session-id": "t", message: "no" })
const unread = line({ kind: "sidecar", at: null, what: "parser", why: "unknown" })
const [from, to] = [["boiling"], ["pouring"]]
const pours = { "event-name": "go", "config-before": from, "config-after": to, entered: to, exited: from }
const pouring = at(5, "runner/event-processed", pours)
const done = at(6, "runner/done", { "final-config": ["done"], status: "done" })
const error = at(6, "runner/error", {
  message: "deployer refused\nto deploy 4.2.1, and then once more, for the reason that it was asked to",
})
const aborted = at(6, "runner/aborted", { reason: "quit by user" })
const asks = (id: string, type = "confirm", opts: object = {}) =>
  line({ kind: "prompt", "prompt-id": id, invokeid: "a", type, opts: { prompt: "Milk?", ...opts } })
const debug = (keys: object) => line({ kind: "debug", "step-budget": 0, paused: false, ...keys })
const queue = ["a", "b", "c", "d", "e"].map((name, i) => ({ name: `move.${name}`, "external?": i === 0 }))
const awaits = at(5, "debug/awaiting-step", { "event-name": "move.made", "external?": true })
const told = [started, config, phase, start, reply(usage)]
const many = Array.from({ length: 20 }, (_, i) => delta(10 + i, "word ", { ...ids, ts: NOW + 2000 + 900 * i }))
const lost = {
  state: "lost",
  url: URL,
  since: NOW + 8000,
  retryAt: NOW + 32_000,
  why: "closed",
  everOpen: true,
} as const
const ended = { state: "ended", path: "run.jsonl", incompleteLength: 0 } as const
const exited = { state: "exited", command: "sh", code: 3 } as const
const branch = { "session-id": "s/branch-1", parent: "s", "branch-point": { "node-id": "n", visit: 0, turn: 2 } }
const notice = (text: string, level: "info" | "warning" = "info") => ({ notice: { text, level, until: NOW + 90_000 } })
const pending = (op: "step" | "rerun-from") => ({ op, sentAt: NOW })
/** 500 tokens in the five seconds before 134.31. */
const counted = [10_000, 134_310].map((ms, i) =>
  delta(3 + i, "x", { ...ids, usage: { "output-tokens": 11_931 + 500 * i }, ts: NOW + ms }),
)
const left = at(5, "llm/worker-exit", { ...ids, reason: "done" }, 134_310)
const NONE: Pending = { count: "" }

interface Scene {
  readonly lines: readonly Decoded[]
  readonly link?: Link
  readonly view?: ViewChange
  readonly title?: readonly [chart: string | null, session: string | null]
  /** How many of the lines are shown, in the past. */
  readonly past?: number
  readonly typed?: Pending
  /** Ms since the first frame. */
  readonly ms?: number
}

const SCENES: { readonly [what: string]: Scene } = {
  "before the first frame": { lines: [], link: { state: "connecting", url: URL, attempt: 1 } },
  "a run at work": { lines: [...told, ...many], title: ["tea-party-of-the-hatter", "889d14f8"] },
  "a run of one state": { lines: [started, line({ kind: "phase", ...place, siblings: ["boiling"] }), pouring] },
  "a state that was left": {
    lines: [...told, pouring, line({ kind: "phase", ...place, config: ["pouring"], breadcrumb: ["pouring"] })],
  },
  "no counted tokens": {
    lines: [started, start, at(3, "llm/delta", { ...ids, text: "x", usage: { "output-tokens": 0 } })],
  },
  trouble: {
    lines: [started, start, failed, at(9, "app/late"), line({ kind: 7 }), unread, asks("p")],
    view: { setup: { readOnly: true, recording: true } },
  },
  "a rate of 116 a second": { lines: [started, config, start, ...counted], ms: 134_310 },
  "no rate of who has left": { lines: [started, config, start, ...counted, left], ms: 134_310 },
  "a person who is asked for long": { lines: [started, config, start, ...counted, left, asks("p")], ms: 200_000 },
  silence: { lines: [started, start, ...many], ms: 400_000 },
  "one moment of tokens": { lines: [started, start, many[0] ?? start] },
  "words before the connection was lost": { lines: [started, start, ...many], link: lost },
  "a long name without a place": { lines: [started, ...many], title: [`${"tea-".repeat(20)}party`, null] },
  "one other state": { lines: [started, line({ kind: "phase", ...place, siblings: ["pouring"] })] },
  "a question in the past": { lines: [started, asks("p"), start, ...many], past: 3 },
  "a clock that is behind": { lines: told, ms: 1000 },
  "a clock of another year": { lines: told, ms: 40 * 24 * 3_600_000 },
  "a log of one row": { lines: [started], link: ended },
  "a question that was asked early": { lines: [started, asks("p", "select", { options: ["a", "b"] })] },
  "a question without options": { lines: [started, asks("p", "select")] },
  "one of several without options": { lines: [started, asks("p", "multi")] },
  "one of several": { lines: [started, asks("p", "multi", { options: ["a", "b"] })] },
  "a pause while the reader has the focus": {
    lines: [...told, failed, debug({ paused: true })],
    view: { focus: "text" },
  },
  "a question hidden": { lines: [started, asks("p", "text")], view: { questions: { promptHidden: true } } },
  "keys that are ignored": {
    lines: [started, asks("p", "text")],
    view: {
      ...notice("Answered: Yes, with the words that were typed, all of them"),
      questions: { ignored: { keys: "all", until: NOW, most: NOW } },
    },
  },
  "a long notice": {
    lines: told,
    view: notice(`Saved /home/somebody/exports/${"tea-".repeat(12)}.md; redacted 1 likely secret`),
  },
  "a notice that just fits 60 columns": { lines: [], view: notice("x".repeat(58)) },
  "a notice of a column more": { lines: [], view: notice("x".repeat(59)) },
  "a warning and an op": {
    lines: told,
    view: { ...notice("The disk is full", "warning"), control: { ops: [pending("step"), pending("rerun-from")] } },
  },
  "a count that is typed": { lines: told, typed: { count: "12" } },
  "a first stroke": { lines: [started, asks("p", "text")], typed: { count: "", first: "ctrl-x" } },
  "a pause": { lines: [...told, debug({ paused: true, "pending-events": queue })] },
  "a pause with few events": { lines: [...told, debug({ paused: true, "pending-events": queue.slice(0, 3) })] },
  "a pause with none": { lines: [...told, debug({ paused: true, "pending-events": [] })] },
  "a pause beside a question": { lines: [...told, debug({ paused: true }), awaits, asks("p")] },
  "a pause with one, which is awaited": {
    lines: [...told, debug({ paused: true, "pending-events": queue.slice(0, 1) }), awaits],
  },
  "a page over a long failure": {
    lines: [...told, debug({ branch, "branch-error": `no key ${"for openai ".repeat(20)}` })],
    view: { overlays: [{ type: "status", top: 0 }], focus: "text" },
  },
  "an event that is awaited": { lines: [...told, debug({ "step-budget": 1 }), awaits] },
  "one that is awaited after a run without pause": { lines: [started, debug({}), awaits] },
  "one that is awaited without a debugger": { lines: [started, awaits] },
  "one step": { lines: [...told, debug({ "step-budget": 1 })] },
  steps: { lines: [...told, debug({ "step-budget": 3 })] },
  "a pause before a turn": { lines: [...told, debug({ mode: "paused-at-turn", "turn-index": 0 })] },
  "a turn further on": { lines: [...told, debug({ mode: "paused-at-turn", "turn-index": 3 })] },
  "a pointer moved back": {
    lines: [...told, ...[1, 0].map(turn => debug({ mode: "paused-at-turn", "turn-index": turn }))],
  },
  "an armed breakpoint": { lines: [...told, debug({ "breakpoint-armed": true })] },
  "an event that was awaited": { lines: [...told, debug({ "step-budget": 1 }), awaits, pouring] },
  "no debugger that told of itself": { lines: [started, debug({ paused: undefined, mode: "running" })] },
  "a debugger where nothing may be sent": { lines: [started, debug({})], view: { setup: { readOnly: true } } },
  "a branch": { lines: [...told, debug({ branch })] },
  "a branch from nowhere, of a run that is over": {
    lines: [...told, debug({ branch: { ...branch, "branch-point": null } }), done],
  },
  "a failed re-run": { lines: [...told, debug({ "branch-error": `no key ${"for openai ".repeat(20)}` })] },
  "a page over a pause": {
    lines: [
      ...told,
      debug({ mode: "paused-at-turn", "turn-index": 1, "breakpoint-armed": true, "branch-error": "no" }),
    ],
    view: { overlays: [{ type: "status", top: 0 }], focus: "text" },
  },
  "a guest that is paused": {
    lines: [...told, debug({ paused: true })],
    link: { state: "running", command: "claude", talks: true },
  },
  "a guest that is paused and asks": {
    lines: [...told, debug({ paused: true }), asks("p")],
    link: { state: "running", command: "claude", talks: true },
  },
  "a guest": { lines: told, link: { state: "running", command: "claude" } },
  "a long name": { lines: told, title: ["com.fulcrologic.escapement.examples/release-with-a-review", "889d14f8"] },
  "the end": { lines: [...told, done] },
  "the end of a run from home": { lines: [...told, done], view: { setup: { isFromHome: true } } },
  "a failure": { lines: [...told, error, at(7, "debug/awaiting-quit", { msg: "press q" })] },
  "a failed command": { lines: [...told, error], link: exited },
  "a command that ended": { lines: told, link: exited },
  "an end by a person": { lines: [...told, aborted] },
  "a lost connection": { lines: told, link: lost },
  "one just lost": { lines: told, link: { ...lost, since: NOW + 29_500 } },
  "one lost from home": { lines: told, link: lost, view: { setup: { isFromHome: true } } },
  "one never had": { lines: [], link: { ...lost, everOpen: false } },
  "one over HTTP": { lines: [...told, debug({ paused: true })], link: { ...lost, api: true } },
  "one lost after the end": { lines: [...told, done], link: lost },
  "a closed one": { lines: told, link: { state: "closed" } },
  "a recording": { lines: [...told, ...many], link: replay },
  "a recording of a failed run": { lines: [...told, error], link: replay },
  "the end of a recording": { lines: told, link: ended },
  "a recording cut short": { lines: told, link: { ...ended, incompleteLength: 5 } },
  "a recording that can't be read": { lines: [...told, done], link: { ...ended, why: "can't read" } },
  "the past": { lines: [...told, ...many, debug({ paused: true })], past: 4 },
  "the past of a short run": { lines: [started, start, ...many], past: 12 },
  "a state with a long name": {
    lines: [started, line({ kind: "phase", config: ["x"], breadcrumb: ["a-state-whose-name-is-longer-than-its-row"] })],
  },
  "the past of a recording": { lines: [...told, ...many], link: ended, past: 4 },
  "the past of one that failed": { lines: [...told, error], link: ended, past: 5 },
}

const words = (spans: readonly Span[]) =>
  spans.map(({ token, bold, text }) => `${token}${bold ? "*" : ""}${JSON.stringify(text)}`).join(" ")
const rowsOf = (lines: readonly Line[]) => lines.map(one => `|${lineText(one).trimEnd()}`)

/** What the three say in so many columns. */
function bars({ lines, link = live, view = {}, title = [null, null], past, typed = NONE, ms = 30_000 }: Scene) {
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

test.each(Object.keys(SCENES))("%s", what => {
  const at = bars(SCENES[what] ?? { lines: [] })
  const rows = [160, 100, 60, 40].flatMap(columns => {
    const { header, banner, footer } = at(columns)
    return [`${columns}`, ...rowsOf([{ spans: header }, ...banner, footer])]
  })
  const { header, banner, footer } = at(120)
  const plain = at(120, ascii)
  const styled = [header, at(40).header, ...banner.map(({ spans }) => spans), footer.spans].map(words)
  expect([...rows, ...styled, ...rowsOf([{ spans: plain.header }, ...plain.banner])].join("\n")).toMatchSnapshot()
})
