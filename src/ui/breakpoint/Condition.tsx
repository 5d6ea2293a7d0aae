import type { InputRenderable } from "@opentui/core"
import { usePaste } from "@opentui/solid"
import { type JSX, onCleanup, onMount, untrack } from "solid-js"
import { scopeOf } from "../../keys/scope.ts"
import { inertLine } from "../../protocol/inert.ts"
import { useScreen } from "../bind.ts"
import { span } from "../line.ts"

/** The field in which a condition is typed, in the library's own editor. */
export function Condition(): JSX.Element {
  const { state, ask, theme, setCondition } = useScreen()
  let field: InputRenderable | undefined
  const isInFront = () => scopeOf(state()) === "condition"
  usePaste(event => {
    event.preventDefault()
    if (!isInFront()) return
    const text = new TextDecoder().decode(event.bytes)
    field?.insertText(inertLine(text.trim().replace(/\s+/g, " ")))
  })
  onMount(() => field?.gotoBufferEnd())
  onCleanup(() => setCondition(null))
  return (
    <input
      ref={(made: InputRenderable) => {
        field = made
        setCondition(() => made.plainText)
      }}
      focused={isInFront()}
      flexGrow={1}
      value={untrack(() => state().view.breakpoints.typed?.text ?? "")}
      maxLength={4096}
      textColor={theme().paint(span("", "bright")).fg}
      focusedTextColor={theme().paint(span("", "bright")).fg}
      placeholder="invokeid=judge* turn>=3"
      placeholderColor={theme().paint(span("", "dim")).fg}
      onContentChange={() => ask({ type: "condition", text: field?.plainText ?? "" })}
    />
  )
}
