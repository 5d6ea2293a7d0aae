// What Paperclip keeps of a session between two runs, and whether it may be trusted.
import type { AdapterSessionCodec } from "@paperclipai/adapter-utils"
import { isObject } from "../protocol/json.ts"

/** A session of the agent and where it lives. It is resumed only there, and only by the chart that made it. */
export interface StoredSession {
  readonly sessionId: string
  /** Absolute paths; empty where they were not kept. */
  readonly cwd: string
  readonly workDir: string
  readonly chart: string
}

/** Letters, digits, `-_.` (docs/decisions.md 8.4): no path, no flag, nothing that a shell or a file system takes for more. */
export function isSessionId(id: unknown): id is string {
  return typeof id === "string" && /^(?!\.{1,2}$)[\w.][\w.-]{0,127}$/.test(id)
}

/** The session in what was stored; null where none is, or its id is not one of ours. */
export function readStoredSession(raw: unknown): StoredSession | null {
  if (!isObject(raw) || !isSessionId(raw.sessionId)) return null
  const text = (value: unknown) => (typeof value === "string" ? value : "")
  return { sessionId: raw.sessionId, cwd: text(raw.cwd), workDir: text(raw.workDir), chart: text(raw.chart) }
}

/** The same in the other direction: only what was kept, so that both ways round nothing is added. */
function printSession({ sessionId, cwd, workDir, chart }: StoredSession): Record<string, unknown> {
  const kept = Object.entries({ cwd, workDir, chart }).filter(([, value]) => value !== "")
  return { sessionId, ...Object.fromEntries(kept) }
}

function translate(raw: unknown): Record<string, unknown> | null {
  const session = readStoredSession(raw)
  return session === null ? null : printSession(session)
}

/** Both ways drop whatever is not a session. */
export const sessionCodec: AdapterSessionCodec = {
  deserialize: translate,
  serialize: translate,
  getDisplayId: params => readStoredSession(params)?.sessionId ?? null,
}
