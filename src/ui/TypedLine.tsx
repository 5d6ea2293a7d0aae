// The line being typed at the bottom of a pane, with its mistakes below it.
import type { InputRenderable } from "@opentui/core"
import { usePaste } from "@opentui/solid"
import { createEffect, createMemo, type JSX, onCleanup, onMount, Show, untrack } from "solid-js"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { Intent } from "../view/intent.ts"
import type { Typing } from "../view/view.ts"
import { Canvas } from "./Canvas.tsx"
import { clipSpans, line, span } from "./line.ts"
import { useScreen } from "./screen-context.ts"
import { clip } from "./text-width.ts"
import { LABEL, typingMistakes } from "./typed-error.ts"

/** The label of each line, and its placeholder. */
const FIELDS: { readonly [to in Typing["to"]]: readonly [string, string] } = {
  find: ["/", "text to find"],
  sessions: ["/", "a part of a name, or asking failed running waiting done"],
  search: ["/", "text, or a filter such as error"],
  filter: ["f", "Enter alone: errors. Else words, or a filter such as invokeid=judge*"],
  note: ["M", "a note (optional)"],
  palette: [":", "what to do or where to go: export, next error, judge 4"],
  "run-search": ["F", "Search the whole run (empty: last results)"],
  watch: ["+", 'state=review  error  text~"I cannot"  or a value: state reason model tool turn tokens'],
  breakpoint: ["+", "invokeid=judge* turn>=3"],
  "home-filter": ["/", "words of a run: its name, chart, question, failed"],
  "home-path": [">", "a recording, a session directory, or the log of another agent CLI"],
  "home-url": [">", "ws://127.0.0.1:3737/ws"],
  "home-agent": [">", "opencode acp, or how another agent is started that speaks the Agent Client Protocol"],
}

/** Nothing where it has no rows. */
export function TypedLine(props: { columns: number; rows: number }): JSX.Element {
  const { state, context } = useScreen()
  const typing = () => state().view.typing
  const placeholder = (to: Typing["to"]) => clip(FIELDS[to][1], props.columns - LABEL, context().glyphs.ellipsis)
  const mistakes = () => {
    const all = typingMistakes(state(), props.columns)
    const shown = all.slice(0, props.rows - 1)
    const last = shown.at(-1)
    // A message that is cut ends with an ellipsis.
    if (last === undefined || shown.length === all.length) return shown
    const cut = clipSpans([...last.spans, span(" ".repeat(props.columns))], props.columns, context().glyphs.ellipsis)
    return [...shown.slice(0, -1), { ...last, spans: cut }]
  }
  return (
    <Show when={props.rows > 0 && typing()?.to} keyed>
      {(to: Typing["to"]) => (
        <box height={props.rows} flexShrink={0} flexDirection="column">
          <box height={1} flexShrink={0} flexDirection="row">
            <box width={LABEL} flexShrink={0}>
              <Canvas lines={[line(span(FIELDS[to][0], "accent"))]} />
            </box>
            <LineField to={to} text={typing()?.text ?? ""} placeholder={placeholder(to)} />
          </box>
          <Canvas lines={mistakes()} />
        </box>
      )}
    </Show>
  )
}

/** A field of one line that begins with `text`. It takes the keys while no other scope is in front. */
function LineField(props: { to: Typing["to"]; text: string; placeholder: string }): JSX.Element {
  const { scope, ask, theme, addField } = useScreen()
  let field: InputRenderable | undefined
  const intent = (text: string): Intent => ({ type: "typing/text", text, to: props.to })
  const isInFront = () => scope().others === "text"
  usePaste(event => {
    event.preventDefault()
    if (!isInFront()) return
    const text = new TextDecoder().decode(event.bytes)
    field?.insertText(sanitizeLine(text.trim().replace(/\s+/g, " ")))
  })
  onMount(() => field?.gotoBufferEnd())
  const text = createMemo(() => props.text)
  // What a key has completed stands in the field as if it had been typed.
  createEffect(() => {
    if (field === undefined || field.plainText === text()) return
    field.value = text()
    field.gotoBufferEnd()
  })
  const read = () => field?.plainText ?? ""
  onCleanup(addField({ read, intent }))
  return (
    <input
      ref={(made: InputRenderable) => {
        field = made
      }}
      focused={isInFront()}
      flexGrow={1}
      value={untrack(() => props.text)}
      maxLength={4096}
      textColor={theme().paint(span("", "bright")).fg}
      focusedTextColor={theme().paint(span("", "bright")).fg}
      placeholder={props.placeholder}
      placeholderColor={theme().paint(span("", "dim")).fg}
      onContentChange={() => ask(intent(read()))}
    />
  )
}
