// Reads the moment and the view that a bug report was made at.
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { isObject, type Json } from "../../packages/wire/src/json.ts"
import type { Moment } from "../query/moment.ts"

/** The file beside the frames in a bug report's directory. */
export const REPORT_FILE = "bug.json"
const MOST_BYTES = 256 * 1024
/** The moment of a bug report, and the screen's view then. The view is unchecked: its reader validates it. */
export interface ReportedMoment {
  readonly at: Extract<Moment, { readonly type: "frame" }>
  readonly view: Json
}

/** The moment of the bug report that the recording at `path` belongs to; null if it belongs to none. Never throws. */
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
