// The readers of a whole response in `/compat`: by AutoByteus' options, they know every syntax and file calls.
import { FULL_KIT } from "../parse/formats/full-kit.ts"
import type { ParserName } from "../parse/rules.ts"
import { type ArgumentListener, ArgumentReader, readerOf } from "./argument-stream.ts"
import type { CallReader, InvocationOptions } from "./call-reader.ts"
import type { ChunkSource } from "./chunk-source.ts"
import { fileCall } from "./file-call.ts"
import { NativeCalls } from "./native-call.ts"
import { checkOrder, configFor, ParserConfig, type ParserConfigOptions, rulesOf } from "./parser-config.ts"
import type { SegmentChunk } from "./provider-chunk.ts"
import { ResponseEngine, TextBesideCalls } from "./response-engine.ts"
import { ResponseHandler } from "./response-handler.ts"
import { type SegmentOptions, type StreamingSegment, segmentsOf } from "./segment-source.ts"
import { EventStream } from "./segment-stream.ts"

export interface CompatOptions extends SegmentOptions, ParserConfigOptions, ArgumentListener {
  /** Replaces `strategyOrder` by the strategies of that name. */
  readonly parserName?: ParserName | undefined
}

/** The reader of calls beside a parser of this configuration. */
export function callsOf(
  config: ParserConfig | undefined,
  { onArgument, ...options }: InvocationOptions & ArgumentListener,
): CallReader {
  const { jsonToolParser: jsonParser, tags, safe } = config ?? {}
  return readerOf({ ...options, jsonParser, tags, safe, kit: FULL_KIT }, onArgument)
}

function compatHandler({ parserName, ...options }: CompatOptions): ResponseHandler {
  const given = new ParserConfig({ ...options, safe: options.safe ?? true })
  checkOrder(given.strategyOrder)
  const config = parserName === undefined ? given : configFor(parserName, given)
  const { segmentIdPrefix: prefix, parseToolCalls } = config
  const calls = parseToolCalls || parserName === "api_tool_call" ? new NativeCalls(prefix, fileCall) : null
  const engine = new ResponseEngine(new TextBesideCalls(rulesOf(config, FULL_KIT), FULL_KIT), prefix, calls)
  return new ResponseHandler(options, engine, callsOf(config, options))
}

/** As `segments` of the package's main export, with AutoByteus' tags and options. */
export function segments(
  source: string | ChunkSource<SegmentChunk>,
  options: CompatOptions = {},
): AsyncGenerator<StreamingSegment> {
  return segmentsOf(source, options, compatHandler)
}

/** As `SegmentStream` of the package's main export, with AutoByteus' tags and options. */
export class CompatStream extends EventStream {
  constructor(options: CompatOptions = {}) {
    super(compatHandler(options))
  }
}

/** As `ArgumentReader` of the package's main export; it knows every format without being told. */
export class CompatArguments extends ArgumentReader {
  constructor(options: Pick<InvocationOptions, "tools" | "tags"> = {}) {
    super({ kit: FULL_KIT, ...options })
  }
}
