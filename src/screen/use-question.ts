// Tells when a question gets the keyboard, and when one closes whose answer could be taken back.
import { type Accessor, createEffect, createMemo, on } from "solid-js"
import { isQuestion } from "../panels/prompt/keys.ts"
import type { Screen } from "../ui/screen-context.ts"
import { frontPrompt, heldPrompt, type State } from "../view/state.ts"

/** Watches the question in front; `scope` is the id of the keys' scope. */
export function useQuestion(state: Accessor<State>, scope: Accessor<string>, ask: Screen["ask"]): void {
  const asked = createMemo(() => (isQuestion(scope()) ? frontPrompt(state())?.key : undefined))
  createEffect(on(asked, key => key !== undefined && ask({ type: "prompt/front" })))
  const isClosed = createMemo(() => state().view.heldAnswer !== null && heldPrompt(state()) === null)
  createEffect(on(isClosed, closed => closed && ask({ type: "prompt/release" })))
}
