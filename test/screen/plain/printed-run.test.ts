// Tests what plain mode prints of one run, by a clock that stands still, and what typed lines do to it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { slice } from "../../../src/run/model/chunked-list.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { LineStyle } from "../../../src/screen/plain/line-style.ts"
import { plainMarkdown } from "../../../src/screen/plain/plain-markdown.ts"
import { rowLines } from "../../../src/screen/plain/run-lines.ts"
import { root } from "../../fixtures.ts"
import { open, replaying, url } from "../../panels/planned.ts"
import { delta, event, line } from "../../run/lines.ts"
import { Printed } from "./printed.ts"

const started = event(0, "runner/started")
const ofPoet = { invokeid: "poet", "session-id": "p.1" }
const poet = (seq: number, name: string, data: object = {}) => event(seq, `llm/${name}`, { ...ofPoet, ...data })
const words = (seq: number, coalesced = 1) => delta(seq, "word ", { ...ofPoet, coalesced })
const reply = (seq: number, text: string, more: object = {}) =>
  poet(seq, "response", { content: [{ type: "text", text }], ...more })
const asked = (id: string, opts: JsonObject = {}, type = "text", number = 1) =>
  line({ kind: "prompt", "prompt-id": `${id}#${number}`, invokeid: id, type, opts: { prompt: `${id}?`, ...opts } })
const human = (seq: number, name: string, data: object = {}) => event(seq, `human-input/${name}`, data)
/** A question, with the event that it is asked by. */
const told = (seq: number, id: string, type = "text", opts: JsonObject = {}) => [
  asked(id, opts, type),
  human(seq, "start", { invokeid: id, kind: type, prompt: `${id}?` }),
]
const debug = (keys: object) => line({ kind: "debug", "step-budget": 0, ...keys })
const size = { options: ["small", { label: "Large", value: { l: 1 } }, "huge"] }
const lost = { state: "lost", url, since: 0, retryAt: 9, why: "closed", everOpen: true } as const

test("a live run asks each kind of question with how to answer it, and takes no line that is no answer", () => {
  const printed = new Printed().tell(started, asked("name", { default: "Ada" }), asked("size", size, "select"))
  printed.tell(asked("extras", { ...size, default: ["huge"] }, "multi"), asked("sure", { default: false }, "confirm"))
  printed.tell(asked("key", { prompt: "Two\nlines?", secret: true }), asked("yes", { default: true }, "confirm"))
  printed.type("", "  ", "#2", "#2 0", "#2 4", "#2 x", "#3", "#3 1, 4", "#4 perhaps", "#4", "/empty 2", "/default 5")
  printed.type("/empty 9", "#9 x", "/nothing 2", "/constructor", "/repeat", "/repeat 3", "/REPEAT 6 ", "/cancel x")
  expect(printed.text).toMatchSnapshot()
  printed.type("#2 2", "#3 3 1,  3", "#4 NO", "#6 y", "#5 hunter2", "Grace ", "none", "/help")
  expect(printed.text).toMatchSnapshot()
  printed.tell(asked("more", { ...size, default: "huge" }, "multi", 2), asked("again", {}, "confirm", 2))
  printed.tell(asked("last", { default: "x" }))
  printed.type("none", "#8 True", "/default", "/empty", "/cancel", "/default 9", "/status")
  printed.tell(asked("final", size)).type("#10", "/empty 10", "/cancel 10")
  expect(printed.text).toMatchSnapshot()
})

test("a live run tells how questions are closed, by whom and why, each once, and never answers another than was in front", () => {
  const printed = new Printed().tell(started, ...told(1, "sure", "confirm")).type("yes")
  printed.tell(human(2, "answer", { invokeid: "sure", kind: "confirm", answer: true }), ...told(3, "sign"))
  // Another screen answers, and the next question comes in the same breath.
  printed.tell(human(4, "answer", { invokeid: "sign", answer: "Ada" }), ...told(5, "last"))
  printed.type("delete nothing").tell(human(6, "interrupted", { invokeid: "last" }))
  printed.tell(...told(7, "path", "text", { default: "x" })).type("/default", "/tmp", "#4 mine")
  printed.tell(human(8, "validation-failed", { invokeid: "path", errors: ["too short", "too dull"] }))
  printed.tell(asked("path", { default: "x" }), ...told(9, "other")).type("#2: longer")
  printed.tell(human(10, "answer", { invokeid: "path", answer: "theirs" }), ...told(11, "fresh"))
  printed.type("mine").tell(human(12, "answer", { invokeid: "other", answer: "theirs" }))
  printed.tell(human(13, "cancelled", { invokeid: "fresh" }), human(14, "start", { invokeid: "unseen", prompt: "?" }))
  printed.tell(...told(15, "void")).type("/empty")
  printed.tell(human(16, "answer", { invokeid: "void", answer: "" }))
  printed.tell(...told(17, "one"), ...told(18, "two")).tell(human(19, "answer", { invokeid: "one", answer: "x" }))
  printed.type("/empty", "/cancel", "/repeat", "/cancel").pass(0, ...told(20, "late"))
  printed.type("x").tell(...told(21, "void"))
  expect(printed.text).toMatchSnapshot()
  const late = new Printed().tell(started, ...told(1, "one")).pass(0, human(2, "answer", { invokeid: "one" }))
  late.pass(0, ...told(3, "two")).type("/repeat")
  late.pass(0, human(4, "answer", { invokeid: "two" }), ...told(5, "three")).type("/errors", "mine")
  late.tell(...told(6, "four"), ...told(7, "five")).type("short")
  const refused = human(8, "validation-failed", { invokeid: "four", errors: ["too short"] })
  expect(late.tell(refused, human(9, "answer", { invokeid: "five" })).text).toMatchSnapshot()
  const dull = human(11, "validation-failed", { invokeid: "six", errors: ["too dull"] })
  expect(late.tell(...told(10, "six"), dull).text).toContain("question 6 was not answered: too dull")
})

test("a live run takes orders for the agent and for its debugger, whose holds are told once", () => {
  const printed = new Printed().tell(started, debug({ paused: false })).tell(debug({ paused: true }))
  printed.tell(debug({ paused: true }), event(1, "debug/awaiting-step", { "event-name": "go", "external?": true }))
  printed.type("/step", "/step 3", "/continue", "/arm", "/break", "/pause")
  printed.tell(debug({ paused: false, mode: "paused-at-turn", "turn-index": 1, "breakpoint-armed": true }))
  printed.type("/next", "/back").tell(debug({ mode: "running", "branch-error": "no key" }), debug({ paused: false }))
  printed.type("/interrupt").tell(event(2, "runner/error", { message: "broken" }))
  printed.type("/interrupt", "/status").store.dispatch({ type: "restart", now: 0 })
  printed.tell(started, line({ kind: "debug", mode: "running" }))
  expect(printed.text).toMatchSnapshot()
  const asks = new Printed().tell(started).type("/quit")
  asks.clock.advance(20_000)
  expect(asks.type("/quit").text).toMatchSnapshot()
})

test("a live run tells how its connection is, and prints a batch of frames together a moment after the first", () => {
  const printed = new Printed({ link: { state: "connecting", url: "ws://h\u001b[2J/", attempt: 1 } }).tell()
  printed.link({ state: "connecting", url: "ws://h\u001b[2J/", attempt: 2 })
  printed.link({ state: "open", url, since: 0 }).pass(19, started).pass(0, asked("name")).pass(1)
  for (const link of [lost, { ...lost, why: "refused" }, { ...lost, api: true }, open]) printed.link(link)
  printed.type("/status")
  printed.pass(19, event(1, "app/note")).close().pass(30, event(2, "app/note"))
  expect(printed.text).toMatchSnapshot()
  // A screen that failed has shown the rows before.
  expect(new Printed({ shown: [started, poet(1, "start")] }).tell(poet(2, "start")).text).toMatchSnapshot()
  const command = { state: "running", command: "claude" } as const
  const guest = new Printed({ link: command }).pass(0, started).link({ state: "exited", command: "claude", code: 3 })
  expect(guest.link({ state: "closed" }).text).toMatchSnapshot()
})

test("a live run says every five seconds how much models write, unless they have written nothing since", () => {
  const printed = new Printed().tell(started, poet(1, "start"), words(41, 40))
  printed.pass(4999).pass(1).pass(5000, words(81, 40)).pass(20_000).tell(reply(82, "Done")).pass(20_000)
  const judge = (seq: number, n: number, coalesced = 1) =>
    delta(seq, "word", { invokeid: `judge${n}`, "session-id": `j${n}`, coalesced })
  printed.tell(judge(90, 0)).tell(judge(91, 1, 300))
  printed.tell(judge(92, 2, 300)).pass(5000)
  printed.tell(judge(93, 3, 300)).pass(5000)
  printed.fill(true).pass(5000, judge(94, 3)).fill(false).pass(5000)
  printed.pass(5000, judge(95, 3)).close()
  printed.pass(5000, judge(96, 3))
  expect(new Printed().tell(started).close().pass(30, event(1, "app/note")).text).not.toContain("note")
  // Nobody writes once the run has ended amid a reply.
  printed.tell(event(97, "runner/aborted", { reason: "killed" })).pass(20_000)
  expect(printed.text).toMatchSnapshot()
})

test("a live run looks back at errors and the last reply, with their frames at hand only for that", () => {
  const printed = new Printed().type("/last", "/errors").tell(started, poet(1, "start"))
  const read = { type: "tool-call", name: "read", arguments: {} }
  printed.tell(poet(2, "response", { content: [read, { type: "text", text: "Snow\nfalls" }] }))
  printed.tell(poet(3, "response", { content: [read] }))
  for (let seq = 4; seq < 16; seq++) printed.tell(event(seq, "runner/warning", { message: `no. ${seq}` }))
  for (let seq = 16; seq < 28; seq++) printed.tell(poet(seq, "error", { message: `no. ${seq}` }))
  expect(printed.text).toMatchSnapshot()
  const first = new Printed().tell(poet(0, "response", { content: [{ type: "text", text: "At once" }] }))
  expect([first.text, first.type("/last").text].map(text => text.includes("At once"))).toEqual([true, true])
  printed.held.length = 0
  expect(printed.type("/last", "/errors", "/status").text).toMatchSnapshot()
  expect(printed.held.filter(count => count !== 0)).toEqual([null, 1, null, null, null, 10, null, null, null, null])
})

test("a live run is left out while nobody reads; then the latest rows come, and how many are left out", () => {
  const printed = new Printed().tell(started).fill(true)
  const rowsFrom = (seq: number) => Array.from({ length: 5000 }, (_, i) => event(seq + i, "cli/step", { n: i }))
  const rows = rowsFrom(1)
  expect(new Printed().tell(started, ...rows).text).not.toContain("left out")
  printed.tell(...rows, asked("sure")).type("yes")
  printed.fill(false).tell()
  const lines = printed.text.split("\n")
  expect([...lines.slice(0, 5), lines.length, ...lines.slice(-3)].join("\n")).toMatchSnapshot()
  expect(printed.tell(...rowsFrom(5001)).text).not.toContain("left out")
  expect(printed.fill(true).tell(event(20_000, "app/last")).text).toBe("")
  expect(printed.last().text).toContain("app/last")
})

test("a live run says that nobody can answer once stdin has ended, and is quit when it is over", () => {
  const printed = new Printed().tell(started).silence().tell(asked("sure")).silence()
  expect(printed.tell(event(1, "runner/done")).text).toMatchSnapshot()
  expect(new Printed({ link: replaying }).tell(started, event(1, "runner/done")).silence().text).not.toContain("!")
})

const ended = (incompleteLength = 0) => ({ state: "ended", path: "a\u001b[2Jb.jsonl", incompleteLength }) as const
test("a recording is printed whole, without how to answer, up to its end or to where it pauses, and again where it loops", async () => {
  const printed = new Printed({ link: { ...replaying, path: "a\u001b[2Jb.jsonl" } })
  printed.tell(started, asked("sure", size, "select"), human(1, "start", { invokeid: "sure", prompt: "sure?" }))
  printed.type("1", "/status").tell(human(2, "answer", { invokeid: "sure", answer: "small" }))
  printed.fill(true).tell(...Array.from({ length: 1500 }, (_, i) => event(3 + i, "cli/step", { n: i })))
  const rows = printed.fill(false).tell().text.split("\n")
  expect(rows.filter(one => !/cli\/step|: step/.test(one)).join("\n")).toMatchSnapshot()
  expect(printed.link(ended(1)).link(ended(12)).link(ended()).text).toMatchSnapshot()
  const { run } = printed.store.get()
  printed.store.dispatch({ type: "show", run: emptyRun })
  printed.store.dispatch({ type: "time", change: { playing: true } })
  const again = [started, asked("sure"), human(1, "answer", { invokeid: "sure" })]
  printed.tell().store.dispatch({ type: "play", frames: again })
  printed.tell().store.dispatch({ type: "time", change: { playing: false } })
  expect(printed.tell().text).toMatchSnapshot()
  printed.store.dispatch({ type: "show", run })
  expect(printed.tell().text.split("\n").slice(-2).join("\n")).toMatchSnapshot()
  // The end of a round is printed before the next may begin.
  const round = new Printed({ link: ended() }).tell(started)
  round.store.dispatch({ type: "show", run: emptyRun })
  round.tell().store.dispatch({ type: "play", frames: [started] })
  expect(round.text).toEndWith("recording: paused at frame 0")
  await Promise.resolve()
  expect(round.text).toBe("(played)")
})

test.each([
  ["full", ["+00:00.000 chart: started", "+01:08.156 chart: done"]],
  ["short", ["0s chart: started", "1m08s chart: done"]],
  ["no", ["chart: started", "chart: done"]],
] as const)("--times %s begins rows that have a time with it", (times, rows) => {
  const printed = new Printed({ times }).tell(started, event(1, "runner/done", {}, 1000 + 68_156))
  expect(printed.text.split("\n").slice(1)).toEqual([...rows])
  const short = new Printed({ times }).tell(event(0, "a", {}, null), event(1, "b", {}, 9999), event(2, "c", {}, 19_900))
  expect(short.text).toMatchSnapshot()
})

test("a session keeps the name that it was first printed with, and replies are told whole", () => {
  const start = (seq: number, session: string) =>
    event(seq, "llm/start", { invokeid: "drafter", "session-id": session, model: "m" })
  const printed = new Printed().tell(started, start(1, "d.1")).tell(start(2, "d.2"), start(3, "d.1"))
  const block = (text: string) => ({ type: "text", text })
  const usage = { usage: { "output-tokens": 3 }, "stop-reason": "end_turn" }
  printed.tell(reply(4, "Snow\n\nfalls", usage), poet(5, "response", { content: [block("a"), block("b")] }))
  const fails = [poet(7, "start"), words(8), poet(9, "error", { message: "reset" })]
  printed.tell(reply(6, "c", { usage: { "output-tokens": 0 } }), ...fails)
  printed.tell(poet(10, "error", { message: "again" }), event(11, "llm/error", { message: "nobody's" }))
  printed.tell(poet(12, "start"), words(13, 1), words(20, 1), poet(21, "error", { message: "gap" }))
  expect(printed.text).toMatchSnapshot()
  const { run } = printed.store.get()
  for (const row of slice(run.log.rows, 0, run.log.rows.length)) {
    if (row.what.kind !== "event") continue
    // Its frame has left memory, and was read back.
    const packed = { ...row, what: { kind: "evicted", ...{ type: row.what.body.type, name: row.what.name } } } as never
    const recalled = new Map([[row.line, row.what]])
    const lines = [packed, row].map(one => rowLines({ run, recalled }, one, new LineStyle()))
    expect(lines[0]).toEqual(lines[1])
  }
})

test("a reply in Markdown is printed as what it says", async () => {
  const texts = (await Bun.file(join(root, "fixtures/scripts/plain-markdown.txt")).text()).slice(0, -1)
  const parts = texts.split("\n").map(text => text.replaceAll("⏎", "\n"))
  expect(parts.map(text => plainMarkdown(text).join("\n")).join("\n=====\n")).toMatchSnapshot()
})
