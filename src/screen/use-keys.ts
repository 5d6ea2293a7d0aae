// Listens for keys: the only place that does.
import { useKeyboard } from "@opentui/solid"
import { type Accessor, createSignal } from "solid-js"
import { dispatch, nonePending, type Pending } from "../keys/dispatch.ts"
import { strokesOf } from "../keys/stroke.ts"
import { scopeOf } from "../panels/front.ts"
import { beforeKey, isQuestion } from "../panels/prompt/keys.ts"
import { hasUnsafe } from "../protocol/sanitize.ts"
import type { Screen, TextField } from "../ui/screen-context.ts"
import type { Store } from "../view/store.ts"

interface Keys extends Pick<Screen, "addField"> {
  /** What was typed of a key that is not whole yet. */
  readonly pending: Accessor<Pending>
}

interface KeyReports {
  /** Notes a key that was not meant for a question. */
  readonly keyPressed: () => void
  /** Epoch ms. */
  readonly now: () => number
}

/** Turns keys of the terminal into intents; holds a count and the first of two strokes. */
export function useKeys(store: Store, ask: Screen["ask"], { keyPressed, now }: KeyReports): Keys {
  const [pending, setPending] = createSignal<Pending>(nonePending)
  const fields = new Set<TextField>()
  useKeyboard(key => {
    // The library's fields would draw it as it is; a paste brings it as a mark.
    if (hasUnsafe(key.sequence)) {
      key.preventDefault()
      return
    }
    for (const stroke of strokesOf(key)) {
      const scope = scopeOf(store.shown())
      if (!isQuestion(scope.id)) keyPressed()
      const { pending: left, decision } = dispatch(scope, pending(), stroke)
      setPending(left)
      const intent = decision.type === "intent" ? decision.intent : null
      const first = beforeKey(store.shown(), scope.id, { stroke, intent }, now())
      if (first?.isAll === true) {
        key.preventDefault()
        ask(first.intent)
        continue
      }
      const isText = decision.type === "text"
      // A person who types on need not have seen a warning.
      if (!isText || store.get().view.notice?.level === "info") ask({ type: "notice/dismiss" })
      if (first !== null) ask(first.intent)
      if (isText) continue
      key.preventDefault()
      if (decision.type === "unknown") {
        ask({ type: "notice/show", text: `${stroke} does nothing here · ? shows the keys`, level: "info" })
      }
      if (intent === null) continue
      // The field tells of a change only later; what was typed before this key counts all the same.
      for (const field of [...fields]) ask(field.intent(field.read()))
      ask(intent)
    }
  })
  return {
    pending,
    addField(field) {
      fields.add(field)
      return () => fields.delete(field)
    },
  }
}
