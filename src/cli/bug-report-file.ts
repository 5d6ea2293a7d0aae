// Reads where a bug report was left: its moment and its view.
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { isObject, type Json } from "../protocol/json.ts"
import type { Moment } from "../query/moment.ts"

/** What stands in a bug report beside the frames. */
export const REPORT_FILE = "bug.json"
/** Bytes of that file above which it is none of ours. */
const MOST_BYTES = 256 * 1024
/** A moment of a bug report, and how the screen stood then: as it was read, and to be judged by whoever shows it. */
export interface ReportedMoment {
  readonly at: Extract<Moment, { readonly type: "frame" }>
  readonly view: Json
}

/** Where the bug report was left whose frames are the recording at `path`; null where that is of none. Never throws. */
export function readReportedMoment(path: string): ReportedMoment | null {
  const about = join(dirname(path), REPORT_FILE)
  try {
    const found = statSync(about)
    if (!found.isFile() || found.size > MOST_BYTES) return null
    const value: unknown = JSON.parse(readFileSync(about, "utf8"))
    if (!isObject(value) || value.kind !== "bug" || typeof value.at !== "number") return null
    if (!Number.isSafeInteger(value.at) || value.at < 0) return null
    return { at: { type: "frame", frame: value.at }, view: value.view ?? null }
  } catch {
    return null
  }
}
