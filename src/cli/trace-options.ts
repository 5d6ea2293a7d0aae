// Reads where the spans of a live run are sent.
import type { Environment, FlagValues } from "./option-table.ts"
import { tracesUrl } from "./option-value.ts"

/** A receiver of OTLP over HTTP, and what it is sent. */
export interface TraceOptions {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** Also what was said, and what tools were given and returned. */
  readonly content: boolean
}

/** Null without a receiver. Throws a one-line Error for an address or a header that can't be one. */
export function traceOptions(flags: FlagValues, env: Environment): TraceOptions | null {
  if (flags.otlp === undefined) return null
  return {
    url: tracesUrl("--otlp", flags.otlp),
    headers: headersIn(env.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
    content: flags["otlp-content"] === true,
  }
}

/** Headers as OpenTelemetry writes them: `name=value,name=value`, with percent signs for what is special. */
function headersIn(text: string): TraceOptions["headers"] {
  const pairs = text.split(",").filter(pair => pair.trim() !== "")
  return Object.fromEntries(
    pairs.map(pair => {
      const [name = "", ...rest] = pair.split("=")
      const value = rest.join("=")
      if (
        rest.length === 0 ||
        !/^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()) ||
        /%(?![0-9a-f]{2})|[\0-\x1f\x7f]/i.test(value)
      ) {
        throw new Error("OTEL_EXPORTER_OTLP_HEADERS: expected name=value, …")
      }
      return [name.trim(), decodeURIComponent(value.trim())]
    }),
  )
}
