// Tells when a question gets the keyboard or closes by itself, and when one does whose answer could be taken back.
import { type Accessor, createEffect, createMemo, on } from "solid-js"
import type { Screen } from "../ui/screen-context.ts"
import { askedPrompt, heldPrompt, type State } from "../view/state.ts"

/** Watches the question in front. */
export function useQuestion(state: Accessor<State>, ask: Screen["ask"]): void {
  const asked = createMemo(() => askedPrompt(state())?.key)
  createEffect(on(asked, key => key !== undefined && ask({ type: "prompt/front" })))
  const last = createMemo(() => state().view.questions.kept.at(-1))
  const isNobodys = createMemo(() => state().view.questions.ignored?.keys === "all")
  const isHeldClosed = createMemo(() => state().view.questions.heldAnswer !== null && heldPrompt(state()) === null)
  const tell = on([last, isNobodys, isHeldClosed], ([text, nobodys, held], before) => {
    if (held || (nobodys && before?.[1] !== true) || text !== before?.[0]) ask({ type: "prompt/closed" })
  })
  createEffect(tell)
}
