// Reads and writes the session that Paperclip stores between runs, and validates it.
import type { AdapterSessionCodec } from "@paperclipai/adapter-utils"
import { isObject } from "../../wire/src/json.ts"

/** A session of the agent. It is resumed only in the same directories and with the same chart. */
interface StoredSession {
  readonly sessionId: string
  /** Absolute paths; empty if not stored. */
  readonly cwd: string
  readonly workDir: string
  readonly chart: string
}

/** Letters, digits and `-_.` only (docs/decisions.md 8.4): never a path, a flag, or special to a shell. */
export function isSessionId(id: unknown): id is string {
  return typeof id === "string" && /^(?!\.{1,2}$)[\w.][\w.-]{0,127}$/.test(id)
}

/** The stored session; null if there is none, or its id is invalid. */
export function readStoredSession(raw: unknown): StoredSession | null {
  if (!isObject(raw) || !isSessionId(raw.sessionId)) return null
  const text = (value: unknown) => (typeof value === "string" ? value : "")
  return { sessionId: raw.sessionId, cwd: text(raw.cwd), workDir: text(raw.workDir), chart: text(raw.chart) }
}

/** Omits empty values, so that a round trip adds nothing. */
function translate(raw: unknown): Record<string, unknown> | null {
  const session = readStoredSession(raw)
  return session && Object.fromEntries(Object.entries(session).filter(([, value]) => value !== ""))
}

/** Both directions drop anything that is not a session. */
export const sessionCodec: AdapterSessionCodec = {
  deserialize: translate,
  serialize: translate,
  getDisplayId: params => readStoredSession(params)?.sessionId ?? null,
}
