// A text field of one line, in the library's own editor.
import type { InputRenderable } from "@opentui/core"
import { usePaste } from "@opentui/solid"
import { type JSX, onCleanup, onMount, untrack } from "solid-js"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { Intent } from "../view/intent.ts"
import { span } from "./line.ts"
import { useScreen } from "./screen-context.ts"

/** Takes the keys while the scope with this id is in front. */
export function LineField(props: {
  /** Its text at first. */
  text: string
  placeholder: string
  /** The intent of a change. */
  intent: (text: string) => Intent
}): JSX.Element {
  const { scope, ask, theme, setLine } = useScreen()
  let field: InputRenderable | undefined
  const isInFront = () => scope().id === "line"
  usePaste(event => {
    event.preventDefault()
    if (!isInFront()) return
    const text = new TextDecoder().decode(event.bytes)
    field?.insertText(sanitizeLine(text.trim().replace(/\s+/g, " ")))
  })
  onMount(() => field?.gotoBufferEnd())
  onCleanup(() => setLine(null))
  return (
    <input
      ref={(made: InputRenderable) => {
        field = made
        setLine({ read: () => made.plainText, intent: text => props.intent(text) })
      }}
      focused={isInFront()}
      flexGrow={1}
      value={untrack(() => props.text)}
      maxLength={4096}
      textColor={theme().paint(span("", "bright")).fg}
      focusedTextColor={theme().paint(span("", "bright")).fg}
      placeholder={props.placeholder}
      placeholderColor={theme().paint(span("", "dim")).fg}
      onContentChange={() => ask(props.intent(field?.plainText ?? ""))}
    />
  )
}
