// Writes a run as lines of OTLP/JSON, each a request that a receiver of traces takes.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../run/fold.ts"
import type { Prices } from "../run/model/prices.ts"
import { initialRun, type Run } from "../run/model/run.ts"
import { newRows } from "../run/select/new-rows.ts"
import { encodeSpans } from "./otlp-request.ts"
import { SpanFold, type SpanFoldOptions } from "./span-fold.ts"
import type { TraceSpan } from "./trace-span.ts"

const SPANS_PER_LINE = 512
/** The part of the run in memory, of which spans need little: log rows, and UTF-16 units of text. */
const HELD = { rowWindow: 8192, textBudget: 1_000_000 }

type Batches = AsyncIterable<readonly { readonly frame: Decoded }[]> | Iterable<readonly { readonly frame: Decoded }[]>

export interface OtlpOptions extends SpanFoldOptions {
  readonly prices: Prices
}

/** The lines, from the frames of a run in batches. */
export async function* otlpLines(batches: Batches, options: OtlpOptions): AsyncGenerator<string> {
  const spans = new SpanFold(options)
  const decoder = new TextDecoder()
  let run: Run = initialRun({ strategy: "api_tool_call", prices: options.prices, ...HELD })
  let waiting: TraceSpan[] = []
  const line = () => `${decoder.decode(encodeSpans(waiting.splice(0, SPANS_PER_LINE), "json"))}\n`
  for await (const batch of batches) {
    for (const piece of piecesOf(batch.map(({ frame }) => frame))) {
      const before = run
      run = fold(run, piece)
      waiting = waiting.concat(spans.add(run, newRows(before, run)))
    }
    while (waiting.length >= SPANS_PER_LINE) yield line()
  }
  waiting = waiting.concat(spans.close())
  while (waiting.length > 0) yield line()
}

const ENDS: ReadonlySet<string> = new Set(["llm/worker-exit", "runner/done", "runner/error", "runner/aborted"])

/** Frames in pieces: a span that ends has what its session and its run used by the end of the piece. */
export function* piecesOf(frames: readonly Decoded[]): Generator<readonly Decoded[]> {
  let from = 0
  for (const [i, frame] of frames.entries()) {
    if (frame.kind !== "event") continue
    const { type } = frame.body
    const to = ENDS.has(type) ? i + 1 : i
    if (to === from || (to === i && type !== "runner/started")) continue
    yield frames.slice(from, to)
    from = to
  }
  yield frames.slice(from)
}
