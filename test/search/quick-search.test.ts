// Tests that the search by bytes finds what the search of every decoded line finds, on the lines it is done with.
import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { searchRecording } from "../../src/search/in-recording.ts"
import { PlaceMap } from "../../src/search/place-map.ts"
import { quickSearch } from "../../src/search/quick-search.ts"
import { type SearchHit, TextFinder } from "../../src/search/search-hit.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

/** A hit but for its session's name, whose number both learn at different times. */
const shown = ({ who: _, ...hit }: SearchHit) => hit

/** What both searches find: that of every line, and that of the lines which the one by bytes is done with. */
async function bothOf(lines: readonly string[], text: string, chunk: number) {
  const recording = join(scratch, "run.jsonl")
  await Bun.write(recording, lines.join("\n"))
  const options = { filter: null, zone: 0, warn: () => undefined }
  const finder = new TextFinder(text)
  const whole = await Array.fromAsync(searchRecording({ recording }, options, { finder, places: new PlaceMap() }))
  const done = new Set<number>()
  const { needle } = finder.matcher
  const quick =
    needle === null
      ? []
      : await Array.fromAsync(
          quickSearch({ recording }, undefined, { finder, needle, done }, { least: 0, first: chunk, chunk }),
        )
  return { whole: whole.map(shown), quick: quick.map(shown), done }
}

const WORDS = [
  ..."kettle KETTLE \u212aettle strasse straße STRAẞE ſoft grüße GRÜSSE ΣΟΦΟΣ σοφος 東京 東 42 1e3 1000 u0041 A n".split(
    " ",
  ),
  ...[
    "ket\u00adtle",
    "ket\u200btle",
    "ket\\tle",
    "a\\nb",
    'say "kettle"',
    "C:\\kettle",
    "🚢",
    "\u001b[2J",
    "é",
    "e\u0301",
  ],
]
const word = fc.constantFrom(...WORDS)
const said = fc.array(word, { maxLength: 4 }).chain(words => fc.constantFrom(" ", "", "\n").map(gap => words.join(gap)))
const ids = fc.constantFrom(
  { invokeid: "a", "session-id": "s.1" },
  { invokeid: "a", "session-id": "s.2" },
  { invokeid: "b", "session-id": ":session/ü" },
  { invokeid: "a" },
)
const json = fc.oneof(said, fc.constantFrom<unknown>(1e3, 1000, 42, 1e21, true, null, ["kettle"], { kettle: "A" }))
const data = fc.oneof(
  said.map(text => ["llm/user-message", { text }] as const),
  said.map(text => ["llm/request", { "system-preview": text, "user-blocks": [{ type: "text", text }] }] as const),
  fc.tuple(said, json).map(([text, input]) => {
    const content = [
      { type: "text", text },
      { type: "tool_use", name: "boil", input: { what: input } },
    ]
    return ["llm/response", { content }] as const
  }),
  said.map(
    text => ["llm/tool-result", { tool: "boil", "content-preview": `[{:type "text" :text "${text}"}]` }] as const,
  ),
  said.map(message => ["llm/error", { message }] as const),
  json.map(value => ["custom/event", { value }] as const),
  said.map(prompt => ["human-input/start", { prompt }] as const),
  json.map(answer => ["human-input/answer", { answer }] as const),
  said.map(text => ["llm/delta", { type: "text-delta", text }] as const),
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

interface Told {
  readonly event: string
  readonly inner: string
  /** Numbers that are left out before it; below 0, an earlier line comes once more. */
  readonly skip: number
  readonly end: string
}

const told: fc.Arbitrary<Told> = fc
  .tuple(data, ids, fc.constantFrom(0, 0, 0, 0, 0, 3, -2), fc.constantFrom(0, 0, 0, 3, 1), fc.constantFrom("", "\r"))
  // What a line is must not be hidden; only its texts are escaped.
  .map(([[event, more], of, skip, every, end]) => ({ event, inner: written({ ...of, ...more }, every), skip, end }))

/** The lines of a run whose sessions have begun: some come twice, as after a reconnect, and it may be resumed. */
function runOf(all: readonly (Told | string)[]): readonly string[] {
  let [seq, ts] = [0, 1000]
  const row = (event: string, inner: string): string =>
    `{"kind":"event","seq":${++seq},"ts":${++ts},"event":"${event}","data":${inner}}`
  const rows = ["s.1", "s.2"].map(one => row("llm/start", JSON.stringify({ invokeid: "a", "session-id": one })))
  for (const one of all) {
    const before = rows.at(-2) ?? ""
    if (typeof one !== "string" && one.skip < 0 && before.startsWith("{")) rows.push(before)
    if (typeof one !== "string" && one.event === "runner/started") seq = 0
    if (typeof one !== "string") seq += Math.max(0, one.skip)
    rows.push(typeof one === "string" ? one : row(one.event, one.inner) + one.end)
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
  fc.constantFrom("/kettle/", "/KET+LE/i", "/ke.*le/", "/^A$/", "/grü.e/i", "boil {", '{"what"', "true", "etc", "_"),
)

test("the search by bytes finds the same as that of every line, on the lines that it is done with (property)", async () => {
  let finished = 0
  await fc.assert(
    fc.asyncProperty(lines, searched, fc.constantFrom(300, 1000, 100_000), async (all, text, chunk) => {
      const { whole, quick, done } = await bothOf(all, text, chunk)
      expect(quick).toEqual(whole.filter(hit => done.has(hit.line) && !isStreamed(all, hit.line)))
      finished += quick.length
    }),
    { numRuns: 1500, seed: 36 },
  )
  // It must not be empty-handed.
  expect(finished).toBeGreaterThan(300)
}, 120_000)

function isStreamed(all: readonly string[], number: number): boolean {
  return all[number - 1]?.includes("llm/delta") === true
}

test("a long recording gives up most of its lines unread, and what spans deltas follows", async () => {
  const of = { invokeid: "a", "session-id": "s" }
  const row = (seq: number, event: string, more: object) =>
    JSON.stringify({ kind: "event", seq, ts: seq, event, data: { ...of, ...more } })
  const filler = Array.from({ length: 60_000 }, (_, i) =>
    row(i + 3, "llm/delta", { type: "text-delta", text: "a word " }),
  )
  const all = [
    row(1, "llm/start", {}),
    row(2, "llm/request", { "user-blocks": [{ type: "text", text: "Find the needle." }] }),
    ...filler,
    row(60_003, "llm/delta", { type: "text-delta", text: "nee" }),
    row(60_004, "llm/delta", { type: "text-delta", text: "dle " }),
    row(60_005, "llm/error", { message: "no needle" }),
  ]
  const recording = join(scratch, "long.jsonl")
  await Bun.write(recording, `${all.join("\n")}\n`)
  const shares: number[] = []
  const options = { filter: null, zone: 0, warn: () => undefined, onShare: (share: number) => void shares.push(share) }
  const finder = new TextFinder("needle")
  const hits = await Array.fromAsync(searchRecording({ recording }, options, { finder, places: new PlaceMap() }))
  expect(hits.map(({ line, what, turn }) => [line, what, turn])).toEqual([
    [2, "prompt", 1],
    [60_005, "error", 1],
    [3, "reply", 1],
  ])
  expect(shares.at(-1)).toBe(1)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
})
