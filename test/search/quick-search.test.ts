// Tests that the search by bytes finds what stands in the rows and the streamed texts of the folded run.
import { fullGC, heapSize } from "bun:jsc"
import { expect, spyOn, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { fold } from "../../src/run/fold.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { LineSearch } from "../../src/search/line-search.ts"
import { NOBODY, PlaceMap } from "../../src/search/place-map.ts"
import { hitsOfFrame, type SearchHit, TextFinder } from "../../src/search/search-hit.ts"
import { searchRecording } from "../../src/search/search-run.ts"
import { SessionReplies, type StreamedText } from "../../src/search/streamed-replies.ts"
import { decodeLine } from "../../src/transport/message.ts"
import { forAll } from "../for-all.ts"
import { read } from "../query/filter/parsed.ts"
import { eventText, ids as OWNER } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

/** A hit but for its session's name, whose number is learnt at different times. */
const shown = ({ who: _, ...hit }: SearchHit): string => JSON.stringify(hit)

/** What the search by bytes finds. */
async function found(lines: readonly string[], text: string, chunk: number, where = ""): Promise<readonly string[]> {
  const recording = join(scratch, "run.jsonl")
  await Bun.write(recording, lines.join("\n"))
  const [searched, sizes] = [
    { finder: new TextFinder(text), places: null },
    { least: 0, piece: 200, chunk },
  ]
  const options = { filter: where === "" ? null : read(where), zone: 0, warn: () => undefined }
  return (await Array.fromAsync(searchRecording({ recording }, options, searched, sizes))).map(shown).sort()
}

/** What stands in the rows of the folded run, and in the deltas that no response repeats. */
function expected(lines: readonly string[], text: string): readonly string[] {
  const [finder, hits, place] = [new TextFinder(text), [] as SearchHit[], { recording: "run.jsonl" }]
  const search = ({ thinking, text, line, seq }: StreamedText, { ids, turn }: SessionReplies) => {
    const at = { file: place.recording, line, seq }
    return [...finder.in(text, thinking ? "thinking" : "reply", at, { who: "", ...ids, turn })]
  }
  // Half a character is written as another one.
  const read = Buffer.from(lines.join("\n")).toString().split("\n")
  const { log, sessions: folded } = fold(emptyRun, read.map(decodeLine))
  const { rows } = log
  const byLine = new Map(slice(rows, 0, rows.length).map(row => [row.line, row]))
  const sessions = new Map<string, SessionReplies>()
  for (const [at, raw] of read.entries()) {
    const frame = decodeLine(raw)
    const row = byLine.get(at)
    const isOfSession = frame.kind === "delta" || (frame.kind === "event" && row?.session != null)
    const { invokeid, sessionId: id } = "sessionId" in frame ? frame : NOBODY
    const sessionId = id ?? folded[row?.session ?? -1]?.sessionId ?? null
    const session =
      isOfSession && sessionId !== null
        ? (sessions.get(`${invokeid} ${sessionId}`) ?? new SessionReplies({ invokeid, sessionId }, search, () => ""))
        : null
    if (session !== null) sessions.set(`${invokeid} ${sessionId}`, session)
    if (frame.kind === "delta" && id !== null) session?.add({ raw, line: at + 1, seq: frame.seq })
    if (frame.kind === "event" && row !== undefined) hits.push(...(session?.addEvent(frame.body) ?? []))
    if (frame.kind !== "prompt" && (frame.kind !== "event" || row === undefined)) continue
    const owner = { who: "", invokeid, sessionId: session && sessionId, turn: session?.turn ?? null }
    hits.push(...hitsOfFrame({ frame, own: at + 1, place, owner }, finder))
  }
  for (const session of sessions.values()) hits.push(...session.rest())
  return hits.map(shown).sort()
}

const WORDS =
  "kettle|KETTLE|\u212aettle|strasse|straße|STRAẞE|ſoft|grüße|GRÜSSE|ΣΟΦΟΣ|σοφος|東京|東|42|1e3|1000|u0041|A|n|ket\u00adtle|" +
  'ket\u200btle|ket\\tle|a\\nb|say "kettle"|C:\\kettle|🚢|\u001b[2J|é|e\u0301'
const word = fc.constantFrom(...WORDS.split("|"))
const said = fc.array(word, { maxLength: 4 }).chain(words => fc.constantFrom(" ", "", "\n").map(gap => words.join(gap)))
const of = (invokeid: string, session: string) => ({ invokeid, "session-id": session })
const ids = fc.constantFrom(of("a", "s.1"), of("a", "s.2"), of("b", ":session/ü"), { invokeid: "a" })
const json = fc.oneof(said, fc.constantFrom<unknown>(1e3, 1000, 42, 1e21, true, null, ["kettle"], { kettle: "A" }))
/** Deltas whose texts make words where they meet. */
const piece = fc.oneof(said, fc.constantFrom("k", "ket", "tle", " KET", "\n", "gr", "üße"))
const streamed = fc
  .tuple(fc.constantFrom("text", "thinking"), piece)
  .map(([type, text]) => ["llm/delta", { type: `${type}-delta`, text }] as const)
const data = fc.oneof(
  said.map(text => ["llm/user-message", { text }] as const),
  said.map(text => ["llm/request", { "system-preview": text, "user-blocks": [{ type: "text", text }] }] as const),
  fc.tuple(said, json).map(([text, what]) => {
    const call = { type: "tool_use", name: "boil", input: { what } }
    return ["llm/response", { content: [{ type: "text", text }, call] }] as const
  }),
  said.map(text => ["llm/tool-result", { tool: "boil", "content-preview": `[{:type "x" :text "${text}"}]` }] as const),
  said.map(message => ["llm/error", { message }] as const),
  json.map(value => ["custom/event", { value }] as const),
  said.map(prompt => ["human-input/start", { prompt }] as const),
  json.map(answer => ["human-input/answer", { answer }] as const),
  streamed,
  streamed,
  said.map(text => ["llm/delta", { text, type: "thinking-delta" }] as const),
  fc.constantFrom(["llm/worker-exit", {}] as const, ["llm/response", { content: null }] as const),
  fc.constant(["llm/start", { model: "m" }] as const),
  fc.constant(["runner/started", { "chart-id": "kettle" }] as const),
)

/** JSON whose characters are escaped here and there, as some agents write all of them. */
function written(value: object, every: number): string {
  let count = 0
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`
  return JSON.stringify(value).replace(/[a-z\u0080-\uffff]/gi, (one, at: number, all: string) =>
    all[at - 1] !== "\\" && every > 0 && ++count % every === 0 ? escaped(one) : one,
  )
}

/** `skip`: numbers that are left out before it; below 0, an earlier line comes once more. */
type Told = Readonly<Record<"event" | "inner" | "end", string>> & { readonly skip: number }

const told: fc.Arbitrary<Told> = fc
  .tuple(data, ids, fc.constantFrom(0, 0, 0, 0, 0, 3, -2), fc.constantFrom(0, 0, 0, 3, 1), fc.constantFrom("", "\r"))
  // What a line is must not be hidden; only its texts are escaped. What begins or ends a turn names its session.
  .map(([[event, more], of, skip, every, end]) => {
    const ids = /start|response|exit/.test(event) ? { "session-id": "s.1", ...of } : of
    return { event, inner: written({ ...ids, ...more }, every), skip, end }
  })

/** The lines of a run whose sessions have begun: some come twice, as after a reconnect, and it may be resumed. */
function runOf(all: readonly (Told | string)[]): readonly string[] {
  let [seq, ts, begun] = [0, 1000, 0]
  const row = (event: string, inner: string): string =>
    `{"kind":"event","seq":${++seq},"ts":${++ts},"event":"${event}","data":${inner}}`
  const starts = () => ["s.1", "s.2"].map(one => row("llm/start", JSON.stringify(of("a", one))))
  const rows = starts()
  for (const one of all) {
    const before = rows.at(-2) ?? ""
    if (typeof one !== "string" && one.skip < 0 && before.startsWith("{") && rows.length > begun + 2) rows.push(before)
    if (typeof one !== "string" && one.event === "runner/started") [seq, begun] = [0, rows.length]
    if (typeof one !== "string") seq += Math.max(0, one.skip)
    rows.push(typeof one === "string" ? one : row(one.event, one.inner) + one.end)
    if (typeof one !== "string" && one.event === "runner/started") rows.push(...starts())
  }
  return rows
}

const other = fc.oneof(
  said.map(text => JSON.stringify({ kind: "prompt", "prompt-id": "p", type: "text", opts: { prompt: text } })),
  fc.constantFrom("", "kettle", "{", '{"kind":"sidecar","at":1,"what":"link","state":"open"}', '"kettle"'),
)
const lines = fc
  .array(fc.oneof({ weight: 9, arbitrary: told }, { weight: 1, arbitrary: other }), { maxLength: 40, size: "max" })
  .map(runOf)
const searched = fc.oneof(
  word,
  fc.tuple(word, word).map(([a, b]) => `${a} ${b}`),
  fc.constantFrom(
    "/kettle|42/",
    "/kettle/",
    "/KET+LE/i",
    "/ke.*le/",
    "/^A$/",
    "/grü.e/i",
    "boil {",
    '{"what"',
    "true",
    "etc",
    "_",
  ),
)

test("the search by bytes finds the same as that which folds every line (property)", async () => {
  let count = 0
  await forAll(
    [lines, searched, fc.constantFrom(300, 1000, 100_000)],
    { numRuns: 1500, seed: 36 },
    async (all, text, chunk) => {
      const hits = await found(all, text, chunk)
      expect(hits).toEqual(expected(all, text))
      count += hits.length
    },
  )
  // It must not be empty-handed.
  expect(count).toBeGreaterThan(300)
}, 120_000)

const term = fc.constantFrom(
  ..."event=llm/*|event~response|kind=event|kind!=event|invokeid=a|session=s.1|session!=s.1|text~kettle|tool=boil".split(
    "|",
  ),
  ..."not text~e|reason~etc|seq>3|seq<9|ts>=+0.004s|ts<1006|ts>00:00:01|error|warning|prompt|failed=0|turn=1".split(
    "|",
  ),
)
const where = fc.oneof(
  term,
  fc.tuple(term, fc.constantFrom("and", "or", "and not", "or not"), term).map(parts => parts.join(" ")),
)

test("a filter that is asked of each line's own frame finds the same as of the folded run (property)", async () => {
  let count = 0
  const chunk = fc.constantFrom(300, 100_000)
  await forAll([lines, searched, where, chunk], { numRuns: 1500, seed: 36 }, async (all, text, filter, size) => {
    const hits = await found(all, text, size, filter)
    // Only the folded run knows a cost, which either is nothing or not.
    expect(hits).toEqual(await found(all, text, size, `(${filter}) and (cost=0 or cost!=0)`))
    count += hits.length
  })
  expect(count).toBeGreaterThan(300)
}, 120_000)

test.each([0, 3, 6])(
  "what stands at the end of a part of a streamed line that is too long, %p in it, is found once",
  many => {
    const finder = new TextFinder("needle")
    const search = ({ text }: StreamedText) => [...finder.in(text, "reply", { file: "", line: 1, seq: null }, NOBODY)]
    // A part ends behind 320 deltas.
    for (let at = 316; at < 322; at++) {
      const replies = new SessionReplies({ invokeid: null, sessionId: "s" }, search, () => "")
      for (let i = 0; i < 400; i++) {
        const words = [i === at + 1 ? "needle".slice(many) : "", "-".repeat(1000), i === 350 ? "\nneedle" : ""]
        const text = words.join("") + (i === at ? "needle".slice(0, many) : "")
        replies.add({
          raw: JSON.stringify({ event: "llm/delta", data: { "session-id": "s", text } }),
          line: 1,
          seq: null,
        })
      }
      // In their order: the second begins its line.
      const told = [replies.rest(), replies.rest()].map(hits => hits.map(({ from }) => from > 0))
      expect(told).toEqual([[true, false], []])
    }
  },
)

test("what a search read leaves memory, whether its reply is open, said or ended", () => {
  const texts: string[] = []
  const search = ({ text }: StreamedText) => {
    texts.push(text)
    return []
  }
  const replies = new SessionReplies({ invokeid: null, sessionId: "s" }, search, String)
  fullGC()
  const before = heapSize()
  for (let seq = 0; seq < 40; seq++) {
    const read = Buffer.alloc(1024 * 1024, eventText(seq, "llm/delta", { ...OWNER, text: "." })).toString("latin1")
    replies.add({ raw: read.slice(0, read.indexOf("}}") + 2), line: seq, seq })
  }
  replies.own()
  fullGC()
  expect(heapSize() - before).toBeLessThan(20 * 1024 * 1024)
  replies.rest()
  expect(texts).toEqual([".".repeat(40)])
  const owned = spyOn(SessionReplies.prototype, "own")
  const finder = new TextFinder("x")
  const lines = new LineSearch({ place: { recording: "x" }, finder, passes: () => true, places: null, streams: true })
  for (const [i, name] of ["llm/start", "llm/response", "llm/error"].entries())
    lines.addLine(eventText(i, name, { ...OWNER, "session-id": name, content: [] }), i)
  lines.own()
  const states = (owned.mock.contexts as unknown as SessionReplies[]).map(({ state }) => state)
  owned.mockRestore()
  expect(states).toEqual(["open", "replied", "ended"])
})

test("a long recording gives up most of its lines unread, and what spans deltas follows", async () => {
  const row = (seq: number, event: string, more: object) => eventText(seq, event, { ...OWNER, ...more })
  const recording = join(scratch, "long.jsonl")
  const filler = Array.from({ length: 60_000 }, (_, i) =>
    row(i + 3, "llm/delta", { type: "text-delta", text: "word " }),
  )
  const all = [
    row(1, "llm/start", {}),
    row(2, "llm/request", { "user-blocks": [{ type: "text", text: "Find the needle." }], "io/ref": "nodes/n/0/a.edn" }),
    ...filler,
    row(60_003, "llm/delta", { type: "text-delta", text: "nee" }),
    row(60_004, "llm/delta", { type: "text-delta", text: "dle " }),
    row(60_005, "llm/error", { message: "no needle" }),
  ]
  await Bun.write(recording, `${all.join("\n")}\n`)
  const shares: number[] = []
  const options = { filter: null, zone: 0, warn: () => undefined, onShare: (share: number) => void shares.push(share) }
  const searched = { finder: new TextFinder("needle"), places: new PlaceMap() }
  const hits = await Array.fromAsync(searchRecording({ recording }, options, searched))
  expect(hits.map(({ line, what, turn }) => `${line} ${what} ${turn}`)).toEqual([
    "2 prompt 1",
    "60005 error 1",
    "3 reply 1",
  ])
  // Whose a file is, a line tells that was searched by its bytes.
  expect(searched.places.find("n/0/a.edn")).toMatchObject({ sessionId: "s", turn: 1 })
  // Given up, it ends with the piece that it has read.
  const stop = new AbortController()
  const early: number[] = []
  const again = { finder: new TextFinder("needle"), places: null }
  for await (const { line } of searchRecording({ recording }, { ...options, signal: stop.signal }, again))
    if (early.push(line) > 0) stop.abort()
  expect(early).toEqual([2])
  expect(shares.at(-1)).toBe(1)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
})
