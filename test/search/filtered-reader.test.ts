// Tests that the lines that pass a filter are those whose rows in the folded run pass it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decodePrices, noPrices } from "../../src/run/model/prices.ts"
import { readFiltered } from "../../src/search/filtered-reader.ts"
import { read as filterOf } from "../query/filter/parsed.ts"
import { eventText, ids } from "../run/lines.ts"
import { fileScratch } from "../scratch.ts"

const scratch = fileScratch()

const line = (seq: number, event: string, data: object) => eventText(seq, event, { invokeid: "a", ...data })
const delta = (seq: number): string => line(seq, "llm/delta", { "session-id": "s2", type: "text-delta", text: "word" })
const MANY = 8000
/** More than is read at a time, then a tool's answer that names no session, and a delta that is none. */
const lines = [
  line(0, "llm/start", { "session-id": "s1", model: "m1" }),
  line(1, "llm/start", { "session-id": "s2", model: "m2" }),
  line(2, "llm/start", { invokeid: "b", "session-id": "s3" }),
  ...Array.from({ length: MANY - 1 }, (_, i) => delta(i + 3)),
  line(MANY + 2, "llm/tool-result", { tool: "cat", "is-error": true }),
  line(MANY + 3, "llm/response", { "session-id": "s1", usage: { "input-tokens": 9 } }),
  line(MANY + 4, "llm/delta", { "session-id": "s1", text: 7 }),
  line(MANY + 4, "llm/delta", { "session-id": "s1", text: 7 }),
  line(MANY + 5, "llm/tool-result", { invokeid: "b", tool: "wc" }),
  "no frame",
]

test.each([
  ["session=s1", [1, MANY + 4, MANY + 5, MANY + 6]],
  ["session=s2 tool=cat", [MANY + 3]],
  ["session=s2 event=llm/tool-result", [MANY + 3]],
  ["session=s3", [3, MANY + 7]],
  ["tool=cat", [MANY + 3]],
  ["error", [MANY + 3]],
  ["warning", [MANY + 3, MANY + 5, MANY + 6]],
  ["model=m1 input>8", [MANY + 4]],
  ["event=llm/start", [1, 2, 3]],
  ["text~WOR seq<4", [4]],
  ["text~/^m2/", [2]],
  ["text~said or text~none", [MANY + 4]],
  ["ts>9003 event=llm/delta", [MANY + 5, MANY + 6]],
  ["text~expected", [MANY + 5, MANY + 6]],
  ["not kind=event", []],
  [`seq>${MANY} event=llm/delta`, [MANY + 2, MANY + 5, MANY + 6]],
])("%s passes the lines of its rows, also far into a recording", async (text, expected) => {
  const path = join(scratch, "run.jsonl")
  await Bun.write(path, `${lines.join("\n")}\n`)
  const passed: number[] = []
  for await (const batch of readFiltered(path, { filter: filterOf(text), zone: 0 }))
    for (const one of batch) if (one.passes) passed.push(one.line)
  expect(passed).toEqual(expected)
})

const HOUR = 3_600_000
const priced = decodePrices('{"m1": {"input_cost_per_token": 0.001, "output_cost_per_token": 0}}') ?? noPrices

test.each<[filter: string, times: readonly number[], passed: readonly number[]]>([
  ["ts=+1s", [2000, 1000, 3000], [1]],
  ["ts=+0s", [2000], [1]],
  // Midnight is passed in the second line; the third comes late.
  ["ts=00:05", [HOUR * 23, HOUR * 24 + 300_000, HOUR * 23.5], [2]],
  ["ts=00:05", [HOUR * 23, HOUR * 24 + 300_000], [2]],
  ["cost>0.005", [1, 2, 3], [3]],
])(
  "%s passes lines by the first and the last time of the whole recording, and by prices",
  async (filter, times, passed) => {
    const path = join(scratch, "times.jsonl")
    const told = times.map((ts, i) =>
      eventText(i, "llm/response", { ...ids, model: "m1", usage: { "input-tokens": 3 * i, "output-tokens": 1 } }, ts),
    )
    // Some agents write the time first.
    await Bun.write(path, told.join("\n").replace(/\n\{(.*?)("ts":\d+,)/, "\n{$2$1"))
    const read = await Array.fromAsync(readFiltered(path, { filter: filterOf(filter), zone: 0, prices: priced }))
    expect(read.flat().flatMap(one => (one.passes ? [one.line] : []))).toEqual([...passed])
  },
)

test("without a filter each line passes, the last one too if it has no line end, but for those that are too long", async () => {
  const path = join(scratch, "lines.jsonl")
  const [skipped, shares] = [[] as number[], [] as number[]]
  const into = (list: number[]) => (one: number) => void list.push(one)
  for (const [text, lines] of [
    ["a\nb", ["1", "2, the last"]],
    [`a\n${"x".repeat(17_000_000)}\nb\n`, ["1", "3"]],
  ] as const) {
    await Bun.write(path, text)
    const options = { filter: null, zone: 0, onSkipped: into(skipped), onShare: into(shares) }
    const read = (await Array.fromAsync(readFiltered(path, options))).flat()
    expect(read.map(({ line, last }) => `${line}${last ? ", the last" : ""}`)).toEqual([...lines])
  }
  expect([skipped, shares.at(-1)]).toEqual([[2], 1])
})
