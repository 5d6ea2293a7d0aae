// Lists the flags of the command line.
import { parseArgs } from "node:util"

const FLAGS = {
  plain: { type: "boolean" },
  times: { type: "string" },
  theme: { type: "string" },
  colors: { type: "string" },
  ascii: { type: "boolean" },
  "reduced-motion": { type: "boolean" },
  "no-mouse": { type: "boolean" },
  "read-only": { type: "boolean" },
  "no-bell": { type: "boolean" },
  "no-title": { type: "boolean" },
  "no-notify": { type: "boolean" },
  segments: { type: "string" },
  "on-agent-exit": { type: "string" },
  "allow-remote": { type: "boolean" },
  "session-dir": { type: "string" },
  timing: { type: "string" },
  speed: { type: "string" },
  "idle-limit": { type: "string" },
  at: { type: "string" },
  "pause-at": { type: "string" },
  loop: { type: "boolean" },
  record: { type: "string" },
  parser: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  doctor: { type: "boolean" },
} as const

/** Splits arguments into flags and positionals. Throws an Error that names an unknown flag. */
export function parseFlags(args: readonly string[]) {
  return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true, strict: true })
}

export type Environment = { readonly [name: string]: string | undefined }

export type Flags = ReturnType<typeof parseFlags>["values"] & {
  readonly piped: boolean
}
