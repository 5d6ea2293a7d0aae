// The line being typed at the bottom of a pane, with its mistakes below it.
import { type JSX, Show } from "solid-js"
import type { Prompt } from "../run/model/run.ts"
import { frontPrompt, type State } from "../view/state.ts"
import type { Typing } from "../view/view.ts"
import { Canvas } from "./Canvas.tsx"
import { LineField } from "./LineField.tsx"
import { line, span } from "./line.ts"
import { useScreen } from "./screen-context.ts"
import { LABEL, typingMistakes } from "./typed-error.ts"

/** The label of each line, and its placeholder. */
const FIELDS: { readonly [to in Typing["to"]]: readonly [string, string] } = {
  find: ["/", "text to find"],
  search: ["/", "text, or a filter such as error"],
  filter: ["f", "invokeid=judge* error"],
  note: ["M", "a note, or nothing"],
  goto: [":", "812  e2/812  #1204  +12.5s  14:03:22  or a condition: state=review  or: watch, branches"],
  hunt: ["F", "Search the whole run (empty: last results)"],
  watch: ["a", 'state=review  error  text~"I cannot"  or the value of: state reason model tool turn tokens'],
  breakpoint: ["a", "invokeid=judge* turn>=3"],
}

/** Takes as many rows as `typedRows` says. */
export function TypedLine(props: { columns: number; rows: number }): JSX.Element {
  const { state } = useScreen()
  const typing = () => state().view.typing
  return (
    <Show when={typing()?.to} keyed>
      {(to: Typing["to"]) => (
        <box height={props.rows} flexShrink={0} flexDirection="column">
          <box height={1} flexShrink={0} flexDirection="row">
            <box width={LABEL} flexShrink={0}>
              <Canvas lines={[line(span(FIELDS[to][0], "accent"))]} />
            </box>
            <LineField
              text={typing()?.text ?? ""}
              placeholder={FIELDS[to][1]}
              intent={text => ({ type: "typing/text", text })}
            />
          </box>
          <Canvas lines={typingMistakes(state(), props.columns).slice(0, props.rows - 1)} />
        </box>
      )}
    </Show>
  )
}

/** The prompt in front; none while a line is being typed in a pane, since a question would cover it. */
export function shownPrompt(state: State): Prompt | null {
  const { typing } = state.view
  return typing === null || typing.to === "goto" ? frontPrompt(state) : null
}
