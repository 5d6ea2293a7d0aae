import { useKeyboard, usePaste, useRenderer } from "@opentui/solid"
import { type Accessor, createSignal } from "solid-js"
import { hasUnsafe } from "../../packages/wire/src/sanitize.ts"
import type { Stroke } from "../keys/binding.ts"
import { dispatch, nonePending, type Pending, strokesOf } from "../keys/dispatch.ts"
import { keyOf } from "../keys/key-text.ts"
import { help as showKeys } from "../panels/common/keys.ts"
import type { KeyScope } from "../panels/common/panel.ts"
import { scopeOf } from "../panels/front.ts"
import { beforeKey, isEarly } from "../panels/prompt/keys.ts"
import type { Screen, TextField } from "../ui/screen-context.ts"
import type { PaneId } from "../view/pane-names.ts"
import type { ViewContext } from "../view/plan-result.ts"
import { isIgnoring } from "../view/questions/ignored-keys.ts"
import type { ShownRun } from "./surface.ts"

interface Keys extends Pick<Screen, "addField" | "ask" | "click"> {
  /** The strokes and digits of a key that is not whole yet. */
  readonly pending: Accessor<Pending>
}

/**
 * Turns keys of the terminal and clicks into intents, and does them; holds a count and the first of two strokes.
 * `measure` tells the layout of a pane, else of the panel in front; `now` is in epoch ms.
 */
export function useKeys(
  run: Pick<ShownRun, "store" | "perform" | "keyPressed">,
  measure: (pane?: PaneId) => Omit<ViewContext, "now">,
  now: () => number,
): Keys {
  const { store } = run
  const [pending, setPending] = createSignal<Pending>(nonePending)
  const fields = new Set<TextField>()
  const ask: Screen["ask"] = intent =>
    run.perform(store.ask(intent, { now: now(), ...measure(intent.type === "cursor/move" ? intent.pane : undefined) }))
  // A field reports its change later; the text before this key counts all the same.
  const askBehindFields: Screen["ask"] = intent => {
    for (const field of [...fields]) ask(field.intent(field.read()))
    ask(intent)
  }
  const { keyInput } = useRenderer()
  /** Notes a key, a click or a paste; gives the scope that it comes to. */
  const heard = (): KeyScope => {
    run.keyPressed()
    const { ignored } = store.get().view.questions
    // The keyboard is given back on time, however late a timer may be.
    if (ignored !== null && !isIgnoring(ignored, now())) store.dispatch({ type: "tick", now: now() })
    return scopeOf(store.shown())
  }
  /** Returns false if the stroke belongs to the text field in front. */
  const press = (stroke: Stroke): boolean => {
    const scope = heard()
    const { pending: left, decision } = dispatch(scope, pending(), stroke)
    setPending(left)
    const intent = decision.type === "intent" ? decision.intent : null
    const first = beforeKey(store.shown(), scope.id, { stroke, intent }, now())
    if (first?.isAll === true) {
      ask(first.intent)
      return true
    }
    const isText = decision.type === "text"
    // A person who types on may not have seen a warning, and `q` asks whether its own still stands.
    if (intent?.type !== "front/quit" && (!isText || store.get().view.notice?.level === "info"))
      ask({ type: "notice/dismiss" })
    if (first !== null) ask(first.intent)
    if (decision.type === "unknown") {
      const help = keyOf(store.get().view, showKeys)
      ask({ type: "notice/show", text: `${stroke} does nothing here · ${help} shows the keys`, level: "info" })
    }
    const kept = intent?.type === "text/yank" ? store.get().view.questions.kept.at(-1) : undefined
    if (kept !== undefined) keyInput.processPaste(new TextEncoder().encode(kept.text))
    else if (intent !== null) askBehindFields(intent)
    return !isText
  }
  useKeyboard(key => {
    // The library's fields would draw it as it is; a paste brings it as a mark.
    if (hasUnsafe(key.sequence)) {
      key.preventDefault()
      return
    }
    for (const stroke of strokesOf(key)) if (press(stroke)) key.preventDefault()
  })
  // The field in front takes the paste itself.
  usePaste(() => {
    const scope = heard()
    if (isEarly(store.shown(), scope.id, null, now())) ask({ type: "prompt/early", stroke: null })
  })
  return {
    ask,
    pending,
    click(click) {
      if (typeof click === "string") {
        press(click)
        return
      }
      if (isEarly(store.shown(), heard().id, click, now())) ask({ type: "prompt/early", stroke: null })
      else askBehindFields(click)
    },
    addField(field) {
      fields.add(field)
      return () => fields.delete(field)
    },
  }
}
