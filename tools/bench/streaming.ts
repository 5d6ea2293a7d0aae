// Measures how fast text is parsed, against a lower bound: keeping each chunk and looking for one character.
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import {
  ApiToolCallStreamingResponseHandler,
  ChunkResponse,
  createStreamingParser,
  ParsingStreamingResponseHandler,
} from "../../packages/llm-stream-segments/src/streaming/index.ts"
import { type Found, report } from "./results.ts"

/** As many at each size, so that every run meets the engine's collections. */
const CHUNKS = 60_000
const ROUNDS = 7
// The engine compiles the handlers late.
const WARM_UP = 16

const PROSE =
  "The quick brown fox jumps over the lazy dog while the parser reads on and nothing in here is a tag at all. "
const CODE = "export function add(a: number, b: number): number {\n  return a + b\n}\n"
const FILE = CODE.repeat(40)
const TALK = PROSE.repeat(4)
const ANGLES = "if (a < b && c<d) { list<Item> = new List<Item>() } // <div> </div> <tool\n"
const BLOCK = `${TALK}\n<write_file path="/src/add.ts">\n${FILE}</write_file>\n`
const MARKERS = `${TALK}\n<tool name="write_file"><arguments><arg name="path">/src/add.ts</arg><arg name="content">
__START_CONTENT__\n${FILE}__END_CONTENT__</arg></arguments></tool>\n`
const GENERIC = `${PROSE}\n<tool name="search"><arguments><arg name="q">${PROSE.repeat(2)}</arg></arguments></tool>\n`
const FILE_CALL = `${TALK}{"name": "write_file", "arguments": {"content": ${JSON.stringify(FILE)}}}\n`
const SMALL_CALL = `${PROSE.repeat(20)}{"name": "f", "arguments": {"a": 1}}\n`
const SENTINEL = `${TALK}[[SEG_START {"type":"write_file","path":"/a.ts"}]]${FILE}[[SEG_END]]\n`

/** A text, how it is read, and the sizes of its chunks with what the known implementation needs for each, if measured. */
interface Case {
  readonly what: string
  readonly text: string
  readonly parserName: ParserName
  readonly handled?: boolean
  readonly goal?: string
  readonly peers: { readonly [chunkSize: number]: string }
}

const CASES: readonly Case[] = [
  { what: "plain text", text: PROSE, parserName: "xml", goal: "≤ ×3", peers: { 64: "×6.4", 4: "×7.2" } },
  { what: "code as text, many <", text: ANGLES, parserName: "xml", peers: { 64: "×36" } },
  { what: "write_file blocks", text: BLOCK, parserName: "xml", goal: "≤ ×4", peers: { 64: "×8.6", 4: "×9.4" } },
  { what: "content between markers", text: MARKERS, parserName: "xml", goal: "≤ ×6", peers: { 64: "×7.3", 4: "×9.3" } },
  { what: "generic calls", text: GENERIC, parserName: "xml", peers: { 64: "×13" } },
  { what: "JSON, code and calls", text: FILE_CALL, parserName: "json", goal: "≤ ×8", peers: { 64: "×26" } },
  { what: "JSON, prose and calls", text: SMALL_CALL, parserName: "json", goal: "≤ ×8", peers: { 64: "×9.5" } },
  { what: "sentinels", text: SENTINEL, parserName: "sentinel", peers: { 64: "×9.7" } },
  { what: "handler, plain text", text: PROSE, parserName: "xml", handled: true, peers: { 64: "×4.8", 4: "×9.9" } },
  { what: "handler, generic calls", text: GENERIC, parserName: "xml", handled: true, peers: { 64: "×36" } },
  {
    what: "native, plain text",
    text: PROSE,
    parserName: "api_tool_call",
    handled: true,
    peers: { 64: "×1.7", 4: "×5.6" },
  },
]

function chunksOf(text: string, size: number): readonly string[] {
  const whole = text.repeat(Math.ceil((size * CHUNKS) / text.length)).slice(0, size * CHUNKS)
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

function parse(chunks: readonly string[], parserName: ParserName): number {
  const parser = createStreamingParser({ parserName })
  let events = 0
  for (const chunk of chunks) events += parser.feed(chunk).length
  return events + parser.finalize().length
}

function handle(chunks: readonly string[], parserName: ParserName): number {
  const isNative = parserName === "api_tool_call"
  const handler = isNative
    ? new ApiToolCallStreamingResponseHandler()
    : new ParsingStreamingResponseHandler({ parserName })
  let events = 0
  for (const content of chunks) events += handler.feed(new ChunkResponse({ content })).length
  return events + handler.finalize().length
}

/** Ms that `work` takes, what earlier work left behind cleared away first. */
function timed(work: () => unknown): number {
  Bun.gc(true)
  const start = performance.now()
  work()
  return performance.now() - start
}

function found({ what, text, parserName, handled = false, goal = "", peers }: Case): readonly Found[] {
  const [floor, read] = [parserName === "json" ? floorOfJson : floorOfTags, handled ? handle : parse]
  return Object.entries(peers).map(([size, peer]) => {
    const chunks = chunksOf(text, Number(size))
    const rounds = Array.from({ length: WARM_UP + ROUNDS }, () => {
      const least = timed(() => floor(chunks))
      return timed(() => read(chunks, parserName)) / least
    })
    const values = rounds.slice(WARM_UP)
    return {
      what: `${what}, chunks of ${size}, to the floor`,
      values,
      unit: "×",
      goal: size === "64" ? goal : "",
      peer,
    }
  })
}

report("streaming", CASES.flatMap(found))
