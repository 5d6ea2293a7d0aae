// A question as it was asked, and its outcome, to be read.
import { stringifySafe } from "../../../packages/wire/src/json.ts"
import { promptByKey } from "../../run/identity/find-by-id.ts"
import { derived } from "../../run/model/derived.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import { answerWords } from "../../run/select/row-words.ts"
import { blank, type Line, line, type RenderContext, span, wrap, wrapLines } from "../../ui/line.ts"
import { markdownLines } from "../../ui/markdown/render-markdown.ts"
import { isLive, type State } from "../../view/state.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText, type PageText } from "../common/pager/pager-text.ts"
import type { Panel, Place } from "../common/panel.ts"

export const questionPanel = {
  overlays: {
    prompt: pageOverlay(
      (state, { key }, place) => ({ title: "QUESTION", text: questionText(state, key, place) }),
      "entry",
    ),
  },
} satisfies Panel

const texts = derived<PageText>()

function questionText(state: State, key: PromptKey, place: Place): PageText {
  const prompt = promptByKey(state.run, key)
  if (prompt === undefined) return linesText([line(span("This question no longer exists", "dim"))])
  const live = isLive(state)
  return texts([prompt, place.columns, live], () => linesText(askedLines(prompt, live, place)))
}

function askedLines(prompt: Prompt, live: boolean, { render, columns }: Place): readonly Line[] {
  const { frame, title, errors } = prompt
  const what = { text: "for a text", select: "for one option", multi: "for any options", confirm: "for yes or no" }
  return [
    line(span(`${title} asks ${what[frame.type]}`, "dim")),
    blank,
    ...markdownLines(frame.question, columns),
    blank,
    ...optionLines(prompt, render, columns),
    ...frame.faults.flatMap(fault => wrapLines(fault, columns, "warn")),
    ...outcome(prompt, live, columns),
    ...errors.flatMap(error => wrapLines(error, columns, "error")),
    blank,
    ...wrapLines(stringifySafe({ "prompt-id": frame.promptId, ...frame.opts }, 2), columns, "dim"),
  ]
}

/** The options, the picked ones marked; a value that differs from its label stands behind it. */
function optionLines(prompt: Prompt, { glyphs }: RenderContext, columns: number): readonly Line[] {
  const { options } = prompt.frame
  if (options.length === 0) return []
  const picked = pickedOf(prompt)
  const lines = options.flatMap(({ label, value }, index): readonly Line[] => {
    const head = `${picked.has(stringifySafe(value)) ? glyphs.ok : " "} ${index + 1} `
    const hint = value === label ? "" : `   ${stringifySafe(value)}`
    const rows = wrap(label.replaceAll("\n", " ") + hint, columns - head.length)
    return rows.map((text, i) => line(span(i === 0 ? head : " ".repeat(head.length), "accent"), span(text)))
  })
  return [...lines, blank]
}

function pickedOf({ frame, answer }: Prompt): ReadonlySet<string> {
  const value = answer?.value
  if (value === undefined || answer?.cancelled === true) return new Set()
  const values = frame.type === "multi" && Array.isArray(value) ? value : [value]
  return new Set(values.map(one => stringifySafe(one)))
}

function outcome(prompt: Prompt, live: boolean, columns: number): readonly Line[] {
  switch (prompt.state) {
    case "open":
      return wrapLines(
        live ? "open: waiting for an answer" : "not answered (recordings can't be answered)",
        columns,
        "warn",
      )
    case "cancelled":
      return wrapLines("cancelled", columns, "warn")
    case "closed":
      return wrapLines("The agent withdrew this question", columns, "warn")
    case "answered": {
      const words = answerWords(prompt)
      const head = words === null ? "answered (kept private)" : `answered: ${words.includes("\n") ? "\n" : ""}${words}`
      const open = live && !prompt.confirmed ? ["not confirmed by the agent yet"] : []
      const waits = prompt.lost ? ["may not have arrived: the agent restarted"] : open
      return [...wrapLines(head, columns, "ok"), ...waits.flatMap(text => wrapLines(text, columns, "warn"))]
    }
  }
}
