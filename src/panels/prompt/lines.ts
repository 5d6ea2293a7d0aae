import type { PromptFrame } from "../../protocol/frame.ts"
import type { Prompt, Run } from "../../run/model/run.ts"
import { shortTitle } from "../../run/select/figures.ts"
import { type Line, line, span } from "../../ui/line.ts"
import { markdownLines } from "../../ui/markdown/render-markdown.ts"
import { clip, width } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"
import { askerOf } from "../../view/select/asker.ts"
import { answerable, type State } from "../../view/state.ts"

/** The lines of a question, for the width that they were asked for last: each key asks for them anew. */
const asked = new WeakMap<PromptFrame, { readonly columns: number; readonly lines: readonly Line[] }>()

/** The whole question, wrapped. */
export function wrapQuestion({ frame }: Prompt, columns: number): readonly Line[] {
  const known = asked.get(frame)
  if (known?.columns === columns) return known.lines
  const lines = markdownLines(frame.question, columns)
  asked.set(frame, { columns, lines })
  return lines
}

/** What was wrong with the answer that was given. */
export function errorLines({ errors }: Prompt, columns: number): readonly Line[] {
  return errors.flatMap(error => wrap(error, columns).map(text => line(span(text, "error"))))
}

/** The rows of the question from `top` on; errors of an answer that was not taken always stand below. */
export function questionLines(prompt: Prompt, top: number, columns: number, rows: number): readonly Line[] {
  const lines = wrapQuestion(prompt, columns)
  const errors = errorLines(prompt, columns)
  const room = Math.max(1, rows - errors.length)
  if (lines.length <= room) return [...lines, ...errors]
  const first = Math.min(top, lines.length - room + 1)
  const below = lines.length - first - room + 1
  const where = below > 0 ? `… ${below} more lines: Alt-↓` : "Alt-↑ goes back"
  return [...lines.slice(first, first + room - 1), line(span(where, "dim")), ...errors]
}

/** Who asks, in which session and state, and how many questions wait; what has no room goes, the state first. */
export function promptTitle(state: State, prompt: Prompt, columns: number): string {
  const open = answerable(state)
  const at = open.findIndex(one => one.key === prompt.key) + 1
  const active = state.run.chart.config.at(-1)
  const where = active === undefined ? "" : ` in ${active}`
  const place = open.length > 1 ? ` · ${at} of ${open.length}` : ""
  const session = sessionWords(state.run, prompt)
  const all = [`${prompt.title}${session} asks${where}${place}`, `${prompt.title}${session} asks${place}`]
  const name = clip(prompt.title, columns - width(` asks${place}`))
  return all.find(title => width(title) <= columns) ?? `${name} asks${place}`
}

/** Which of several sessions asks; a question that names nobody tells whom it follows. */
function sessionWords(run: Run, prompt: Prompt): string {
  const session = run.sessions[askerOf(run, prompt) ?? -1]
  const invocation = run.invocations[session?.invocation ?? -1]
  if (session === undefined || invocation === undefined) return ""
  const id = invocation.sessions.length > 1 ? shortTitle(run, invocation, session) : ""
  if (invocation.invokeid === prompt.frame.invokeid) return id === "" ? "" : ` · ${id}`
  return ` after ${invocation.title}${id === "" ? "" : ` · ${id}`}`
}
