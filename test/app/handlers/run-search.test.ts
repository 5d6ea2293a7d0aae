// Tests the search of a run and of the runs beside it, in hand-made session directories.
import { beforeAll, expect, test } from "bun:test"
import { mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { RunSearch } from "../../../src/app/handlers/run-search.ts"
import {
  type Found,
  type FoundText,
  MOST_FOUND,
  type SearchResults,
} from "../../../src/panels/search/search-results.ts"
import { fileScratch } from "../../scratch.ts"
import { until } from "../../until.ts"

const scratch = fileScratch()
const row = (seq: number, text: string) =>
  `${JSON.stringify({ event: "llm/user-message", seq, ts: 1000 + seq, data: { invokeid: "judge", "session-id": "j.1", text } })}\n`
beforeAll(async () => {
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(scratch, name)), { recursive: true })
    await Bun.write(join(scratch, name), text)
  }
  await put("tea/transcript.jsonl", row(1, "a kettle") + row(2, "a pot"))
  await put("tea/artifacts/report.md", "one\nKETTLE two\n")
  await put("soup/transcript.jsonl", row(1, "no kettle\u001b[2J here"))
  await put("long/transcript.jsonl", Array.from({ length: MOST_FOUND + 5 }, (_, i) => row(i, `spoon ${i}`)).join(""))
})

/** The results of a search once it is over. */
function resultsOf(...[directory, path, text, scope]: [string | null, string | null, string, SearchResults["scope"]]) {
  return new Promise<Found>(done => {
    const report = (one: Found) => void (one.isOver && done(one))
    new RunSearch({ recording: () => path, directory, report }).search(text, scope)
  })
}

const shown = ({ run, who, what, file, line, excerpt, from, to }: FoundText) =>
  `${run?.title ?? "-"} ${who} ${what} ${file}:${line} ${excerpt.slice(from, to)}`

test("a search finds a text in the run's rows and artifacts, then in the runs beside it", async () => {
  const tea = join(scratch, "tea")
  const own = await resultsOf(tea, join(tea, "transcript.jsonl"), "kettle", "run")
  const here = ["- judge prompt transcript.jsonl:1 kettle", "-  artifact artifacts/report.md:2 KETTLE"]
  expect(own.hits.map(shown)).toEqual(here)
  expect([own.why, own.share]).toEqual([null, 1])
  const all = await resultsOf(tea, join(tea, "transcript.jsonl"), "kettle", "runs")
  expect(all.hits.map(shown)).toEqual([...here, "soup judge prompt transcript.jsonl:1 kettle"])
  expect(all.hits[2]?.run?.directory).toBe(join(scratch, "soup"))
  expect(all.hits[2]?.excerpt).not.toContain("\u001b")
})

test("a search keeps a limited number of hits, and says what it cannot read", async () => {
  const long = join(scratch, "long")
  const full = await resultsOf(long, join(long, "transcript.jsonl"), "spoon", "run")
  expect(full.hits.length).toBe(MOST_FOUND)
  const whys = [
    [null, join(scratch, "gone.jsonl"), "runs", "No session directory, so there are no other runs to search"],
    [null, join(scratch, "gone.jsonl"), "run", `${scratch}/gone.jsonl: no such file`],
    [null, null, "run", "This run's frames are not in a file"],
    ["/none/x\x07", null, "runs", "/none: no such file"],
  ] as const
  for (const [directory, path, scope, why] of whys)
    expect(await resultsOf(directory, path, "spoon", scope)).toMatchObject({ hits: [], why, isOver: true })
  // The other runs have no place beside them.
  const { hits } = await resultsOf(long, join(long, "transcript.jsonl"), "o", "runs")
  expect(hits.every(({ run }) => run === null)).toBe(true)
})

test("a new search ends the one before, which reports nothing more", async () => {
  const long = join(scratch, "long")
  const found: Found[] = []
  const search = new RunSearch({
    recording: () => join(long, "transcript.jsonl"),
    directory: long,
    report: one => found.push(one),
  })
  search.search("spoon", "run")
  search.search("spoon 7", "run")
  await until(() => found.at(-1)?.isOver === true)
  expect(found.filter(({ isOver }) => isOver)).toHaveLength(1)
  expect(found.every(({ hits }) => hits.every(hit => hit.excerpt.startsWith("spoon 7")))).toBe(true)
})
