// Defines the files of the session directory that the screen shows: the list, and the open one.

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
  readonly isCut: boolean
}

export interface DirectoryFiles {
  /** The latest change first; null before they were listed. */
  readonly artifacts: readonly Artifact[] | null
  readonly hasMoreArtifacts: boolean
  /** When they were listed, epoch ms: their age is reckoned from then. */
  readonly artifactsAt: number | null
  readonly artifactsWhy: string | null
  readonly open: OpenFile | null
}

export const noFiles: DirectoryFiles = {
  artifacts: null,
  hasMoreArtifacts: false,
  artifactsAt: null,
  artifactsWhy: null,
  open: null,
}

/** The agent's own log, of which the end is read. */
export const AGENT_LOG = "escapement.log"

export type DirectoryRead =
  | { readonly read: "captures"; readonly refs: readonly string[] }
  /** Starts or stops listing the artifacts again and again. */
  | { readonly read: "artifacts"; readonly on: boolean }
  /** Reads a file, and again whenever it changes, until another is asked for; null for none. */
  | { readonly read: "file"; readonly name: string | null }
