// Draws a question: its title, its text, and what was wrong with an answer.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { derived } from "../../run/model/derived.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Run } from "../../run/model/run.ts"
import { MAYBE_ANSWERED, mayBeAnswered } from "../../run/select/figures.ts"
import { beginOf } from "../../run/select/row-words.ts"
import { type Line, line, type RenderContext, span, wrapLines } from "../../ui/line.ts"
import { markdownLines } from "../../ui/markdown/render-markdown.ts"
import { clip, count, width } from "../../ui/text-width.ts"
import type { ViewContext } from "../../view/plan-result.ts"
import { askerOf } from "../../view/select/shown-session.ts"
import { answerable, nextPrompt, promptDraftOf, type State } from "../../view/state.ts"
import type { View } from "../../view/view.ts"
import { completions } from "./choice.ts"

/** The lines of a question, for the last width. Each key draws them again. */
const asked = derived<readonly Line[]>()

/** The lines of a question's text; wrapped once for each width. */
export function wrapQuestion({ frame }: Prompt, columns: number): readonly Line[] {
  return asked([frame, columns], () => markdownLines(frame.question, columns))
}

/** What is wrong with the question, and why the agent refused the answer. */
export function errorLines({ errors, frame }: Prompt, columns: number): readonly Line[] {
  const faults = frame.faults.flatMap(fault => wrapLines(fault, columns, "warn"))
  return [...faults, ...errors.flatMap(error => wrapLines(error, columns, "error"))]
}

/** How a question scrolls that is longer than its rows: the lines of a page, and the first line of the last page. */
export function questionScroll(prompt: Prompt, columns: number, rows: number): ViewContext["question"] {
  const lines = wrapQuestion(prompt, columns).length
  const room = Math.max(1, rows - errorLines(prompt, columns).length)
  return lines <= room ? undefined : { page: Math.max(1, room - 1), last: lines - room + 1 }
}

/** The rows of the question from `top` on, always with the errors below them. */
export function questionLines(prompt: Prompt, top: number, columns: number, rows: number): readonly Line[] {
  const lines = wrapQuestion(prompt, columns)
  const errors = errorLines(prompt, columns)
  const scroll = questionScroll(prompt, columns, rows)
  if (scroll === undefined) return [...lines, ...errors]
  const first = Math.min(top, scroll.last)
  const where = first < scroll.last ? `… ${count(scroll.last - first)} more lines · PgDn` : "PgUp back up"
  return [...lines.slice(first, first + scroll.page), line(span(where, "dim")), ...errors]
}

/** Who asks, in which state, and how many questions are open; without room the state goes first. */
export function promptTitle(state: State, prompt: Prompt, columns: number): string {
  const open = answerable(state)
  const at = open.findIndex(one => one.key === prompt.key) + 1
  const active = state.run.chart.config.at(-1)
  const where = active === undefined ? "" : ` · ${active}`
  const place = open.length > 1 ? ` · ${at} of ${open.length}` : ""
  const asks = askingWords(state.run, prompt)
  const name = clip(prompt.title, columns - width(` asks${place}`))
  const titles = [`${asks}${where}${place}`, `${asks}${place}`]
  return titles.find(title => width(title) <= columns) ?? `${name} asks${place}`
}

const LABEL = 60
const MOST = 4

const EARLY = "One moment…"

/** The words in the lower border of a question: whether it listens to keys, and the answer that can be taken back. */
export function promptFootnote({ run, view }: State, prompt: Prompt, columns: number): string | undefined {
  const { heldAnswer, ignored } = view.questions
  const words = mayBeAnswered(run, prompt) ? MAYBE_ANSWERED : pickedWords(view, prompt)
  const early = ignored === null ? words : EARLY
  if (heldAnswer === null) return early
  const end = " · Backspace takes it back"
  const back = `${heldAnswer.words}${end}`
  const whose = heldAnswer.key === prompt.key ? back : `Last: ${back}`
  const notes = [...(early === undefined ? [] : [`${whose} · ${early}`]), whose, back]
  return notes.find(note => width(note) <= columns) ?? `${clip(heldAnswer.words, columns - width(end))}${end}`
}

/** For a multiple choice, the number of picked options; for a text, its completions. */
function pickedWords(view: View, prompt: Prompt): string | undefined {
  const { type, options } = prompt.frame
  const [first, ...others] = completions(prompt, promptDraftOf(view, prompt))
  if (first !== undefined) {
    const label = options.find(({ value }) => value === first)?.label ?? first
    return `Tab: ${sanitizeLine(clip(label, LABEL))}${others.length === 0 ? "" : ` · ${others.slice(0, MOST).join(" ")}`}`
  }
  return type === "multi" ? `${promptDraftOf(view, prompt).picked.length} of ${options.length} picked` : undefined
}

/** A question that waits hidden, with the key that opens it; null while it is in front or the panes are covered. */
export function waitingLine(state: State, columns: number, { glyphs }: RenderContext): Line | null {
  const prompt = nextPrompt(state)
  if (prompt === null || !state.view.questions.promptHidden || state.view.overlays.length > 0) return null
  const open = answerable(state)
  const place = open.length > 1 ? ` · ${open.indexOf(prompt) + 1} of ${open.length}` : ""
  const end = `${place} · a answers`
  const doubt = mayBeAnswered(state.run, prompt) ? ` (${MAYBE_ANSWERED})` : ""
  const asks = ` ${glyphs.asks} ${askingWords(state.run, prompt)}${doubt}: ${beginOf(prompt.frame.question)}`
  const spans = [span(clip(asks, columns - 1 - width(end), glyphs.ellipsis), "warn"), span(end, "dim")]
  return { spans, click: { type: "prompt/show" } }
}

/**
 * An invocation asks, not one of its sessions: no frame says which. A question of another invocation, such as a
 * human-input step, is named behind the one that led to it.
 */
function askingWords(run: Run, prompt: Prompt): string {
  const invocation = run.invocations[run.sessions[askerOf(run, prompt) ?? -1]?.invocation ?? -1]
  const isOwn = invocation === undefined || invocation.invokeid === prompt.asker
  return isOwn ? `${prompt.title} asks` : `${invocation.title} asks: ${prompt.title}`
}
