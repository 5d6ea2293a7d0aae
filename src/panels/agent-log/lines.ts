// Shows the end of the agent's own log.
import { type Line, line, span } from "../../ui/line.ts"
import { wrap } from "../../ui/wrap.ts"
import type { State } from "../../view/state.ts"

let wrapped: { readonly log: string; readonly columns: number; readonly lines: readonly string[] } | null = null

/** The lines of the agent's log, wrapped; made anew only where it has grown or the width has changed. */
export function agentLogLines({ files, directory }: State, columns: number): readonly string[] {
  if (directory === null) return ["No session directory is known: --session-dir names one"]
  if (files.log === null) return [files.logWhy ?? directory.error ?? "Reading"]
  if (wrapped === null || wrapped.log !== files.log || wrapped.columns !== columns) {
    wrapped = { log: files.log, columns, lines: files.log.split("\n").flatMap(text => wrap(text, columns)) }
  }
  return wrapped.lines
}

/** A line of the agent's log in the colour of what it warns of. */
export function agentLogLine(text: string): Line {
  const level = /\b(?:ERROR|FATAL|Exception)\b/.test(text) ? "error" : /\bWARN(?:ING)?\b/.test(text) ? "warn" : "normal"
  return line(span(text, level))
}
