import type { KeyBinding, TextareaRenderable } from "@opentui/core"
import { usePaste } from "@opentui/solid"
import { type JSX, onCleanup, onMount, Show, untrack } from "solid-js"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import type { Intent } from "../view/intent.ts"
import { Cover } from "./Canvas.tsx"
import { type Line, line, span } from "./line.ts"
import { useScreen } from "./screen-context.ts"

/** Enter alone sends: few terminals tell it from Shift-Enter, or can send the library's own undo key. */
const keys: KeyBinding[] = [
  { name: "return", meta: true, action: "newline" },
  { name: "return", shift: true, action: "newline" },
  { name: "linefeed", action: "newline" },
  { name: "j", ctrl: true, action: "newline" },
  { name: "_", ctrl: true, action: "undo" },
  { name: "u", meta: true, action: "undo" },
  { name: "e", meta: true, action: "redo" },
]

/** Draws a text field. */
export function TextEditor(props: {
  /** Its text at first, sanitized: the editor hands its bytes to the terminal. */
  text: string
  placeholder: string
  /** True to draw a mark for each column of the text; it can't be selected with the mouse either. */
  masked?: boolean
  isInFront: boolean
  intent: (text: string) => Intent
  ref: (editor: TextareaRenderable) => void
}): JSX.Element {
  const { ask, theme, context, addField } = useScreen()
  let editor: TextareaRenderable | undefined
  usePaste(event => {
    event.preventDefault()
    if (!props.isInFront) return
    // Terminals send the end of a line as CR, as they send Enter. The editor lets some control characters through.
    editor?.insertText(sanitize(new TextDecoder().decode(event.bytes).replace(/\r\n?/g, "\n")))
  })
  // Typing continues behind the text.
  onMount(() => editor?.gotoBufferEnd())
  const read = () => editor?.plainText ?? ""
  onCleanup(addField({ read, intent: text => props.intent(text) }))
  // The editor can't mask its text, so that is covered before the frame goes out to the terminal.
  const marks = (): readonly Line[] => {
    if (editor === undefined || read() === "") return []
    const mark = context().glyphs.plain ? "*" : "•"
    return editor.editorView.getLineInfo().lineWidthCols.map(columns => line(span(mark.repeat(columns), "bright")))
  }
  return (
    <>
      <textarea
        ref={(made: TextareaRenderable) => {
          editor = made
          props.ref(made)
        }}
        focused={props.isInFront}
        flexGrow={1}
        initialValue={untrack(() => props.text)}
        wrapMode={props.masked ? "char" : "word"}
        selectable={!props.masked}
        textColor={theme().paint(span("", "bright")).fg}
        focusedTextColor={theme().paint(span("", "bright")).fg}
        placeholder={props.placeholder}
        placeholderColor={theme().paint(span("", "dim")).fg}
        onContentChange={() => ask(props.intent(read()))}
        keyBindings={keys}
      />
      <Show when={props.masked}>
        <Cover lines={marks} />
      </Show>
    </>
  )
}
