// The end of the agent's own log.
import { derived } from "../../run/model/derived.ts"
import { type Line, line, span, wrap } from "../../ui/line.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { AGENT_LOG } from "../../view/directory-files.ts"
import type { Move } from "../../view/intent.ts"
import { both, change, openFile, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { createSlice } from "../../view/slice.ts"
import type { State } from "../../view/state.ts"
import { typingOf } from "../../view/view.ts"
import { close, follow, help, OPEN, pageUp, search } from "../common/keys.ts"
import { linesOverlay, viewCommand } from "../common/lines-overlay.ts"
import type { Panel, Place } from "../common/panel.ts"

/** The first line shown; null follows the end. */
const scrolled = createSlice<{ readonly top: number | null }>("agent-log", { top: null })

const isFilled = ({ files }: State) => (files.log ?? "") !== ""

export const agentLogPanel = {
  keys: {
    group: "Views",
    scopes: [
      {
        id: "agent-log",
        kind: "view",
        keys: [
          { ...OPEN, id: "agent-log/open", when: isFilled },
          { ...search, id: "agent-log/search", when: isFilled },
          close,
          { ...follow, when: isFilled },
          { ...pageUp, when: isFilled },
          help,
        ],
      },
    ],
  },
  updates: {
    "agent-log/open": openLog,
    "agent-log/search": state => both(openLog(state), change({ typing: typingOf("find") })),
  },
  commands: { "agent-log": viewCommand("agent-log", "follow the agent's own log", "logs stderr escapement.log") },
  overlays: {
    "agent-log": linesOverlay("agent-log", {
      scope: "agent-log",
      name: "AGENT LOG",
      move: moveAgentLog,
      measure: (state, { columns, rows }) => ({ page: rows, lines: agentLogLines(state, columns).length }),
      title: agentLogTitle,
      lines: shownAgentLog,
      seen(state, { columns, rows }) {
        const { length } = agentLogLines(state, columns)
        return { top: topOf(state, length, rows), rows, length }
      },
    }),
  },
} satisfies Panel

function openLog(state: State): Plan {
  return openFile(state, AGENT_LOG)
}

function moveAgentLog({ view }: State, by: Move, context: ViewContext): Plan {
  if (by.unit === "follow") return change(scrolled.put(view, { top: null }))
  const last = Math.max(0, context.lines - context.page)
  const from = Math.min(scrolled.of(view).top ?? last, last)
  const to = clamp(from + stepOf(by, from, context), 0, last)
  return change(scrolled.put(view, { top: to === last && to >= from ? null : to }))
}

const wrapped = derived<readonly string[]>()

/** The lines of the agent's log, wrapped; made anew only where files were read or the width has changed. */
function agentLogLines({ files, directory }: State, columns: number): readonly string[] {
  if (directory === null) return wrap("No session directory. Start with --session-dir DIR", columns)
  if (files.log === null) return wrap(files.logWhy ?? directory.error ?? "Reading…", columns)
  const { log } = files
  return wrapped([files, columns], () => log.split("\n").flatMap(text => wrap(text, columns)))
}

/** The lines that fit: the last ones, or those that were scrolled to. */
function shownAgentLog(state: State, { columns, rows }: Place): readonly Line[] {
  const all = agentLogLines(state, columns)
  const top = topOf(state, all.length, rows)
  return all.slice(top, top + rows).map(agentLogLine)
}

function agentLogTitle({ view }: State): string {
  return `escapement.log${scrolled.of(view).top === null ? " · following" : ""}`
}

function topOf({ view }: State, length: number, rows: number): number {
  const last = Math.max(0, length - rows)
  return Math.min(scrolled.of(view).top ?? last, last)
}

function agentLogLine(text: string): Line {
  const level = /\b(?:ERROR|FATAL|Exception)\b/.test(text) ? "error" : /\bWARN(?:ING)?\b/.test(text) ? "warn" : "normal"
  return line(span(text, level))
}
