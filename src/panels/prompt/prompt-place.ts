// Divides the screen between a question and what lies behind it.
import type { Prompt } from "../../run/model/prompts.ts"
import { layout, type Needs, READABLE, type Rect, type TextSize } from "../../ui/layout.ts"
import { wrap } from "../../ui/line.ts"
import { logIsBehind } from "../../view/select/shown-session.ts"
import { promptDraftOf, type State } from "../../view/state.ts"
import { optionRoom } from "./choice-options.ts"
import { errorLines, wrapQuestion } from "./lines.ts"

export type PromptPlace = Readonly<ReturnType<typeof promptPlace>>

const FIELD_ROWS = 4
/** No text is wider: its lines would be hard to follow. */
const COLUMNS = 120
/** On a screen with so many rows, a third of them stays free for the text that led to the question. */
const TALL = 16
/** As wide as there is room. The question gets its rows, up to half of them if the answer needs the rest. */
export function promptPlace(state: State, prompt: Prompt, body: Rect) {
  const columns = Math.max(10, Math.min(COLUMNS, body.width - 4))
  const { type } = prompt.frame
  const draft = promptDraftOf(state.view, prompt)
  const free = body.height < TALL ? 0 : Math.floor(body.height / 3)
  const room = Math.max(2, body.height - free - 2)
  const wantedAnswer = type === "text" ? fieldRows(draft.text, columns, room) : optionRoom(prompt, draft, columns)
  const wantedQuestion = wrapQuestion(prompt, columns).length + errorLines(prompt, columns).length
  const questionRows = Math.max(1, Math.min(wantedQuestion, Math.max(Math.floor(room / 2), room - wantedAnswer)))
  const answer = Math.max(1, Math.min(wantedAnswer, room - questionRows))
  const space = questionRows + answer < room ? 1 : 0
  const height = Math.min(questionRows + space + answer + 2, body.height)
  const rect = { ...body, y: body.y + body.height - height, height }
  return {
    rect,
    /** Columns inside the border. The sizes below are rows. */
    columns,
    question: questionRows,
    answer,
    /** Blank rows between the two. */
    space,
  }
}

/** The field grows with its text. */
function fieldRows(text: string, columns: number, most: number): number {
  return Math.max(FIELD_ROWS, Math.min(most, wrap(text.slice(0, most * columns), columns).length + 1))
}

/** The place behind a question, where only one has room: the text that led to it, else the log. */
export function behindView(state: State): Pick<State["view"], "focus" | "maximized"> {
  return state.view.maximized ? state.view : { ...state.view, focus: logIsBehind(state) ? "log" : "text" }
}

/** Whether the text, or the log if that is behind, is visible beside the question, or would be in another layout. */
export function behindQuestion(size: TextSize, state: State, needs: Needs): "seen" | "elsewhere" | "covered" {
  const isLog = logIsBehind(state)
  const seen = (view: Pick<State["view"], "focus" | "maximized">): boolean =>
    (layout(size, view, needs).panes[isLog ? "log" : "text"]?.height ?? 0) >= READABLE
  if (seen(behindView(state))) return "seen"
  return seen(isLog ? { focus: "log", maximized: true } : { focus: "text", maximized: false }) ? "elsewhere" : "covered"
}
