// What was read of the session directory for the screen: its artifacts, one file, and the agent's own log.

/** A named output of the run (docs/contract.md section 5). */
export interface Artifact {
  /** Below the session directory, raw. */
  readonly name: string
  /** Its name among the artifacts, which may be shown. */
  readonly title: string
  readonly size: number
  /** Epoch ms of the last change. */
  readonly changedAt: number
  /** It leads out of the session directory, or is no file: it is not read. */
  readonly refused: boolean
}

/** A file that was opened. All of it may be shown. */
export interface OpenFile {
  readonly name: string
  readonly title: string
  /** Its text, or in one line why there is none. */
  readonly text: string | null
  readonly why: string | null
  /** It is longer than what was read. */
  readonly isCut: boolean
}

export interface DirectoryFiles {
  /** The latest change first; null before they were listed. */
  readonly artifacts: readonly Artifact[] | null
  /** There are more artifacts than are listed. */
  readonly hasMoreArtifacts: boolean
  /** When they were listed, epoch ms: their age is reckoned from then. */
  readonly artifactsAt: number | null
  readonly artifactsWhy: string | null
  readonly open: OpenFile | null
  /** The end of the agent's log, sanitized; null before it was read. */
  readonly log: string | null
  readonly logWhy: string | null
}

export const noFiles: DirectoryFiles = {
  artifacts: null,
  hasMoreArtifacts: false,
  artifactsAt: null,
  artifactsWhy: null,
  open: null,
  log: null,
  logWhy: null,
}

export const AGENT_LOG = "escapement.log"
/** UTF-16 units of the agent's log that are kept; what is older is in the file. */
export const LOG_UNITS = 262_144

export type DirectoryRead =
  | { readonly read: "captures"; readonly refs: readonly string[] }
  /** List the artifacts, again and again, or do so no more. */
  | { readonly read: "artifacts"; readonly on: boolean }
  | { readonly read: "file"; readonly name: string }
  /** Follow the agent's log, or do so no more. */
  | { readonly read: "log"; readonly on: boolean }

/** The log with more lines at its end; the oldest lines make room. */
export function longerLog(log: string | null, lines: readonly string[]): string {
  const whole = [...(log === null || log === "" ? [] : [log]), ...lines].join("\n")
  if (whole.length <= LOG_UNITS) return whole
  const cut = whole.slice(-LOG_UNITS)
  return cut.slice(cut.indexOf("\n") + 1)
}
