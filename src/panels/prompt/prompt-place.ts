// Divides the screen between a question and what lies behind it.
import type { Prompt } from "../../run/model/run.ts"
import { layout, type Rect } from "../../ui/layout.ts"
import { logIsBehind } from "../../view/select/live-rows.ts"
import { promptDraftOf, type State } from "../../view/state.ts"
import { optionRoom } from "./choice-options.ts"
import { errorLines, wrapQuestion } from "./lines.ts"

export interface PromptPlace {
  readonly rect: Rect
  /** Columns inside the border. */
  readonly columns: number
  /** Rows. */
  readonly question: number
  readonly answer: number
  /** Blank rows between the two. */
  readonly space: number
}

const FIELD_ROWS = 4
const COLUMNS = 76
/** With fewer rows above a question, its border included, a pane is not worth showing. */
const READABLE = 4

/** The question gets the rows it needs, up to half of them if the answer needs the rest; each gets at least one. */
export function promptPlace(state: State, prompt: Prompt, body: Rect): PromptPlace {
  const columns = Math.max(10, Math.min(COLUMNS, body.width - 2) - 4)
  const { type } = prompt.frame
  const wantedAnswer = type === "text" ? FIELD_ROWS : optionRoom(prompt, promptDraftOf(state.view, prompt), columns)
  const room = Math.max(2, body.height - 2)
  const wantedQuestion = wrapQuestion(prompt, columns).length + errorLines(prompt, columns).length
  const questionRows = Math.max(1, Math.min(wantedQuestion, Math.max(Math.floor(room / 2), room - wantedAnswer)))
  const answer = Math.max(1, Math.min(wantedAnswer, room - questionRows))
  const width = Math.min(columns + 4, body.width)
  const space = questionRows + answer < room ? 1 : 0
  const height = Math.min(questionRows + space + answer + 2, body.height)
  // With room to spare, the lower border of the pane behind it stays visible.
  const lift = height < body.height ? 1 : 0
  const rect = { x: Math.floor((body.width - width) / 2), y: body.y + body.height - height - lift, width, height }
  return { rect, columns, question: questionRows, answer, space }
}

/** The part of a pane that a question leaves visible; null if that is too little. */
export function paneAbove(pane: Rect, question: Rect): Rect | null {
  const height = Math.min(pane.height, question.y - pane.y)
  return height < Math.min(READABLE, pane.height) ? null : { ...pane, height }
}

/** Whether the text, or the log if that is behind, is visible beside the question, or would be in another layout. */
export function behindQuestion(
  size: { readonly width: number; readonly height: number; readonly rows: number },
  state: State,
  banner: number,
  question: Rect,
): "seen" | "elsewhere" | "covered" {
  const pane = logIsBehind(state) ? "log" : "text"
  const seen = (other: Partial<Pick<State["view"], "focus" | "maximized">>): boolean => {
    const rect = layout(size.width, size.height, { ...state.view, ...other }, banner, size.rows).panes[pane]
    return rect !== undefined && paneAbove(rect, question) !== null
  }
  if (seen({})) return "seen"
  return seen(pane === "log" ? { focus: "log", maximized: true } : { focus: "text" }) ? "elsewhere" : "covered"
}
