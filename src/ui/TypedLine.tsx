// The line being typed at the bottom of a pane, with its mistakes below it.
import type { InputRenderable } from "@opentui/core"
import { usePaste } from "@opentui/solid"
import { type JSX, onCleanup, onMount, Show, untrack } from "solid-js"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { Intent } from "../view/intent.ts"
import type { State } from "../view/state.ts"
import type { Typing } from "../view/view.ts"
import { Canvas } from "./Canvas.tsx"
import { type Line, line, span, wrap } from "./line.ts"
import { useScreen } from "./screen-context.ts"
import { fitting } from "./text-width.ts"

/** The label of each line, and its placeholder. */
const FIELDS: { readonly [to in Typing["to"]]: readonly [string, string] } = {
  find: ["/", "text to find"],
  search: ["/", "text, or a filter such as error"],
  filter: ["f", "invokeid=judge* error"],
  note: ["M", "a note (optional)"],
  goto: [":", "812  e2/812  #1204  +12.5s  14:03:22  or a condition: state=review  or: watch, branches"],
  "run-search": ["F", "Search the whole run (empty: last results)"],
  watch: ["a", 'state=review  error  text~"I cannot"  or a value: state reason model tool turn tokens'],
  breakpoint: ["a", "invokeid=judge* turn>=3"],
}

/** Nothing where it has no rows. */
export function TypedLine(props: { columns: number; rows: number }): JSX.Element {
  const { state } = useScreen()
  const typing = () => state().view.typing
  return (
    <Show when={props.rows > 0 && typing()?.to} keyed>
      {(to: Typing["to"]) => (
        <box height={props.rows} flexShrink={0} flexDirection="column">
          <box height={1} flexShrink={0} flexDirection="row">
            <box width={LABEL} flexShrink={0}>
              <Canvas lines={[line(span(FIELDS[to][0], "accent"))]} />
            </box>
            <LineField text={typing()?.text ?? ""} placeholder={FIELDS[to][1]} />
          </box>
          <Canvas lines={typingMistakes(state(), props.columns).slice(0, props.rows - 1)} />
        </box>
      )}
    </Show>
  )
}

/** A field of one line that begins with `text`. It takes the keys while no other scope is in front. */
function LineField(props: { text: string; placeholder: string }): JSX.Element {
  const { scope, ask, theme, addField } = useScreen()
  let field: InputRenderable | undefined
  const intent = (text: string): Intent => ({ type: "typing/text", text })
  const isInFront = () => scope().id === "line"
  usePaste(event => {
    event.preventDefault()
    if (!isInFront()) return
    const text = new TextDecoder().decode(event.bytes)
    field?.insertText(sanitizeLine(text.trim().replace(/\s+/g, " ")))
  })
  onMount(() => field?.gotoBufferEnd())
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

/** Columns of the label in front of a typed line. */
export const LABEL = 2

/** Rows that the typed line takes of `rows`; none where nothing is being typed. */
export function typedRows(state: State, columns: number, rows: number): number {
  return state.view.typing === null ? 0 : Math.min(rows - 1, 1 + typingMistakes(state, columns).length)
}

/** A mark below the mistake and what was expected there. */
function typingMistakes({ view: { typing } }: State, columns: number): readonly Line[] {
  if (typing === null || typing.error === null) return []
  const { text, error } = typing
  const { at, length, message } = error
  const before = LABEL + fitting(text.slice(0, at), Number.MAX_SAFE_INTEGER).columns
  const marked = Math.max(1, fitting(text.slice(at, at + length), Number.MAX_SAFE_INTEGER).columns)
  // A line longer than its field has scrolled, so no mark would be in the right column.
  const fits = fitting(text, columns - LABEL).units === text.length && before < columns
  const mark = fits ? [line(span(" ".repeat(before) + "^".repeat(Math.min(marked, columns - before)), "error"))] : []
  const place = fits ? "" : `at character ${at + 1}: `
  return [...mark, ...wrap(place + message, columns).map(words => line(span(words, "error")))]
}
