// The readers of a whole response in `/compat`: without options they know AutoByteus' tags, sentinels and file calls.
import type { TagFormats } from "../parse/formats/format.ts"
import { autobyteus, sentinel } from "../parse/formats/profiles.ts"
import { fileCall } from "./file-call.ts"
import {
  type SegmentOptions,
  type SegmentSource,
  SegmentStream,
  type StreamingSegment,
  segments as segmentsOf,
} from "./segment-source.ts"

const OWN: TagFormats = { ...autobyteus, ...sentinel }

function withOwn(options: SegmentOptions): SegmentOptions {
  return { ...options, nativeCall: fileCall, tags: { ...OWN, ...options.tags } }
}

/** As `segments` of the package's main export, with AutoByteus' tags. */
export function segments(source: SegmentSource, options: SegmentOptions = {}): AsyncGenerator<StreamingSegment> {
  return segmentsOf(source, withOwn(options))
}

/** As `SegmentStream` of the package's main export, with AutoByteus' tags. */
export class CompatStream extends SegmentStream {
  constructor(options: SegmentOptions = {}) {
    super(withOwn(options))
  }
}
