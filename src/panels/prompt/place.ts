// Divides the screen between a question and what lies behind it.
import type { Prompt } from "../../run/model/run.ts"
import { layout } from "../../ui/layout.ts"
import type { Rect } from "../../ui/rect.ts"
import { promptDraftOf, type State } from "../../view/state.ts"
import { optionRoom } from "./choice-options.ts"
import { errorLines, wrapQuestion } from "./lines.ts"

export interface PromptPlace {
  readonly rect: Rect
  /** Columns inside the border. */
  readonly columns: number
  /** Rows of the question, and of the options or the field. */
  readonly question: number
  readonly answer: number
  /** A blank row between them, where there is room for one. */
  readonly space: number
}

const FIELD_ROWS = 4
const COLUMNS = 76
/** Rows that a pane must keep above a question to be worth reading, its border included. */
const READABLE = 4

/** The question has the rows it needs up to half, the answer those it needs, both at least one. */
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
  // Where there is room it stands above the lower border of what lies behind it.
  const lift = height < body.height ? 1 : 0
  const rect = { x: Math.floor((body.width - width) / 2), y: body.y + body.height - height - lift, width, height }
  return { rect, columns, question: questionRows, answer, space }
}

/** The part of a pane that a question leaves to be read, null where that is too little. */
export function paneAbove(pane: Rect, question: Rect): Rect | null {
  const height = Math.min(pane.height, question.y - pane.y)
  return height < Math.min(READABLE, pane.height) ? null : { ...pane, height }
}

/** Where the text, or the log where it has the focus, could be read beside the question. */
export function behindQuestion(
  size: { readonly width: number; readonly height: number },
  { view }: State,
  banner: number,
  question: Rect,
): "seen" | "elsewhere" | "covered" {
  const pane = view.focus === "log" ? "log" : "text"
  const seen = (other: Partial<Pick<State["view"], "focus" | "maximized">>): boolean => {
    const rect = layout(size.width, size.height, { ...view, ...other }, banner).panes[pane]
    return rect !== undefined && paneAbove(rect, question) !== null
  }
  if (seen({})) return "seen"
  return seen(pane === "log" ? { maximized: true } : { focus: "text" }) ? "elsewhere" : "covered"
}
