// Shows the end of the agent's own log.
import { type Line, line, span } from "../../ui/line.ts"
import { placeWords } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"
import type { State } from "../../view/state.ts"
import type { Place } from "../common/place.ts"

let wrapped: { readonly log: string; readonly columns: number; readonly lines: readonly string[] } | null = null

/** The lines of the agent's log, wrapped; made anew only where it has grown or the width has changed. */
export function agentLogLines({ files, directory }: State, columns: number): readonly string[] {
  if (directory === null) return wrap("No session directory. Start with --session-dir DIR", columns)
  if (files.log === null) return wrap(files.logWhy ?? directory.error ?? "Reading…", columns)
  if (wrapped === null || wrapped.log !== files.log || wrapped.columns !== columns) {
    wrapped = { log: files.log, columns, lines: files.log.split("\n").flatMap(text => wrap(text, columns)) }
  }
  return wrapped.lines
}

/** The lines that fit: the last ones, or those that were scrolled to. */
export function shownAgentLog(state: State, { columns, rows }: Place): readonly Line[] {
  const all = agentLogLines(state, columns)
  const top = topOf(state, all.length, rows)
  return all.slice(top, top + rows).map(agentLogLine)
}

export function agentLogTitle(state: State, { columns, rows }: Place): string {
  const { length } = agentLogLines(state, columns)
  const follows = state.view.inspector.logTop === null
  return `escapement.log  ${follows ? "following" : placeWords(topOf(state, length, rows), rows, length)}`
}

function topOf({ view }: State, length: number, rows: number): number {
  const last = Math.max(0, length - rows)
  return Math.min(view.inspector.logTop ?? last, last)
}

function agentLogLine(text: string): Line {
  const level = /\b(?:ERROR|FATAL|Exception)\b/.test(text) ? "error" : /\bWARN(?:ING)?\b/.test(text) ? "warn" : "normal"
  return line(span(text, level))
}
