// Measures how fast text is parsed, against a lower bound: keeping each chunk and looking for one character.
import { createStreamingParser } from "../../src/streaming/index.ts"
import type { StreamingParser } from "../../src/streaming/streaming-parser.ts"

const SIZE = 1_000_000
const ROUNDS = 41

const PROSE =
  "The quick brown fox jumps over the lazy dog while the parser reads on and nothing in here is a tag at all. "
const CODE = "export function add(a: number, b: number): number {\n  return a + b\n}\n"
const FILE = CODE.repeat(40)
const TALK = PROSE.repeat(4)
const BLOCK = `${TALK}\n<write_file path="/src/add.ts">\n${FILE}</write_file>\n`
const SMALL = `${PROSE}\n<run_bash>ls -la</run_bash>\n`
const TOOL = `${TALK}\n<tool name="write_file"><arguments><arg name="path">/src/add.ts</arg><arg name="content">
__START_CONTENT__\n${FILE}__END_CONTENT__</arg></arguments></tool>\n`
const ANGLES = "if (a < b && c<d) { list<Item> = new List<Item>() } // <div> </div> <tool\n"
const CALL = `${TALK}{"name": "write_file", "arguments": {"path": "/a.ts", "content": ${JSON.stringify(FILE)}}}\n`
const MARK = `${TALK}[[SEG_START {"type":"write_file","path":"/a.ts"}]]${FILE}[[SEG_END]]\n`

const CASES = [
  ["plain text", PROSE, "xml", "1/3"],
  ["prose and write_file blocks", BLOCK, "xml", "1/4"],
  ["json mode, prose and calls", CALL, "json", "1/8"],
  ["json mode, code as text", FILE, "json", "1/8"],
  ["many small run_bash blocks", SMALL, "xml", ""],
  ["write_file tools with markers", TOOL, "xml", "1/6"],
  ["code as text, many <", ANGLES, "xml", ""],
  ["sentinel blocks and prose", MARK, "sentinel", ""],
  ["api_tool_call, plain text", PROSE, "api_tool_call", ""],
] as const

function chunksOf(text: string, size: number): string[] {
  const whole = text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE)
  const chunks: string[] = []
  // Through JSON, so that each chunk is a string of its own as one from a socket is.
  for (let at = 0; at < whole.length; at += size) chunks.push(JSON.parse(JSON.stringify(whole.slice(at, at + size))))
  return chunks
}

/** The floor for tags. Both floors name their character, because engines look for a literal much faster. */
function floorOfTags(chunks: readonly string[]): number {
  const kept: string[] = []
  let found = 0
  for (const chunk of chunks) {
    kept.push(chunk)
    if (chunk.indexOf("<") !== -1) found++
  }
  return found + kept.length
}

function floorOfJson(chunks: readonly string[]): number {
  const kept: string[] = []
  let found = 0
  for (const chunk of chunks) {
    kept.push(chunk)
    if (chunk.indexOf("{") !== -1) found++
  }
  return found + kept.length
}

function parse(parser: StreamingParser, chunks: readonly string[]): number {
  let events = 0
  for (const chunk of chunks) events += parser.feed(chunk).length
  return events + parser.finalize().length
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

const rate = (ms: number) => `${(SIZE / 1000 / ms).toFixed(0)} MB/s`

process.stdout.write(`median of ${ROUNDS} runs over ${SIZE / 1_000_000} MB, ${process.versions.bun ? "bun" : "node"}\n`)
for (const [title, text, parserName, goal] of CASES) {
  for (const size of [4, 64]) {
    const chunks = chunksOf(text, size)
    const floor = parserName === "json" ? floorOfJson : floorOfTags
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = -5; round < ROUNDS; round++) {
      const parser = createStreamingParser({ parserName })
      const least = timed(() => floor(chunks))
      const taken = timed(() => parse(parser, chunks))
      if (round < 0) continue
      theirs.push(least)
      ours.push(taken)
    }
    const [least, taken] = [median(theirs), median(ours)]
    const share = `1/${(taken / least).toFixed(1)}`
    const aim = size === 64 && goal !== "" ? `goal ${goal}` : ""
    const cells = [title.padEnd(32), `${size}`.padStart(3), rate(least).padStart(11), rate(taken).padStart(11)]
    process.stdout.write(`${cells.join("  ")}  ${share.padStart(7)}  ${aim}\n`)
  }
}
