// Maps an intent, or the line that was typed, to what shall happen.
import { keyOf } from "../keys/key-text.ts"
import { rowIndex } from "../run/identity/find-by-id.ts"
import type { Effect } from "../view/effect.ts"
import type { Intent, IntentOf } from "../view/intent.ts"
import { both, change, nothing, notice, type Plan, refusalOf, type ViewContext } from "../view/plan-result.ts"
import { listIn, overIn, withoutPages } from "../view/select/stack.ts"
import { isRecording, type State } from "../view/state.ts"
import { atPresent, type CursorFollower, type StoreOptions } from "../view/store.ts"
import { changed, type Typing, type View } from "../view/view.ts"
import { follow } from "./common/keys.ts"
import { rowReading } from "./common/open-entry.ts"
import type { PanelCommand, Reading, SomeUpdates, TypedLineRule, Updates } from "./common/panel.ts"
import { selectionIn } from "./common/session-rows.ts"
import { frontOf, frontUpdates, scopeOf } from "./front.ts"
import { commands, follow as followRun, keymapOf, overlayPanel, updates as panelUpdates, typingRules } from "./index.ts"
import type { KnownKeys } from "./palette/actions.ts"
import { chosenEntry, planAsk, planOpenPalette, remembering, underPalette } from "./palette/index.ts"
import { followFront } from "./prompt/follow-front.ts"
import { planGoal } from "./time/index.ts"

const rules: { readonly [T in Typing["to"]]: TypedLineRule } = {
  ...typingRules,
  find: {
    take: (state, { text }, context) =>
      both(change({ typing: null }), frontOf(state).finder?.take(state, text, context) ?? nothing),
  },
}

const typingUpdates = {
  "typing/text": (state, { text, to }) => {
    const { typing } = state.view
    if (typing === null || typing.text === text || (to ?? typing.to) !== typing.to) return nothing
    const rule = rules[typing.to]
    const read = text.trim() === "" ? undefined : rule.reads?.(text)
    const typed = { ...typing, text, error: read !== undefined && "error" in read ? read.error : null }
    return both(change({ typing: typed }), rule.changed?.(state, typed) ?? nothing)
  },
  "typing/take": (state, _, context) => {
    const { typing } = state.view
    return typing === null ? nothing : rules[typing.to].take(state, typing, context)
  },
  "time/goto": (state, { text }, { now }) => planCommand(state, text, now),
  "typing/drop": (state, _, { now }) => {
    const { typing } = state.view
    return typing === null ? nothing : change({ ...typing.before, typing: null, backKey: { by: "escape", at: now } })
  },
} satisfies SomeUpdates

/** A command is one word of its own, which no condition of the filter language can be, and its argument. */
function planCommand(state: State, text: string, now: number): Plan {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*)$/s.exec(text) ?? []
  const known: ReadonlyMap<string, PanelCommand> = new Map(Object.entries(commands))
  return known.get(word)?.run(state, rest, now) ?? planGoal(state, text, now)
}

/** One update for every intent: a forgotten one does not compile. */
const updates: Updates = {
  ...panelUpdates,
  ...frontUpdates,
  ...typingUpdates,
  "palette/open": state => planOpenPalette(state, keysAt(state), false),
  "help/toggle": state => planOpenPalette(state, keysAt(state), true),
  "palette/choose": planChoose,
}

function keysAt(state: State): KnownKeys {
  const keymap = keymapOf(state.view.setup.keys)
  return { bindings: keymap.bindings, commands, state, scope: scopeOf(state), placeOf: id => keymap.placeOf(id) }
}

/** Why nothing is sent while the past is shown. */
export function locked({ view }: Pick<State, "view">): string {
  return `You're in the past. ${keyOf(view, follow)} returns to live`
}

/** Why nothing is sent with `--read-only`. */
export const READ_ONLY = "Nothing is sent: this screen is read-only"

/** Intents that are not about what is shown. */
const OF_PRESENT: readonly Intent["type"][] = [
  "conditions/tell",
  "prompt/resend",
  "program/quit",
  "prompt/edited",
  "prompt/release",
  "prompt/text",
]

/** Maps an intent to actions and effects. Pure. In the past or read-only, what would send something says why not. */
export function plan(state: State, intent: Intent, context: ViewContext): Plan {
  const made = planAtMoment(state, intent, context)
  if (!state.view.setup.readOnly || isRecording(state) || !sends(intent, made)) return made
  // Leaving is still possible, without a word to the agent.
  if (isLeaving(made)) return { actions: [], effects: made.effects.filter(one => !isSending(one)) }
  return notice(READ_ONLY, "warning", context.now)
}

function planAtMoment(state: State, intent: Intent, context: ViewContext): Plan {
  if (!state.isPast || isRecording(state)) return decide(state, intent, context)
  if (OF_PRESENT.includes(intent.type)) return decide(atPresent(state), intent, context)
  const made = decide(state, intent, context)
  return sends(intent, made) && !isLeaving(made) ? notice(locked(state), "warning", context.now) : made
}

/** Closes the palette and does what the row under its cursor does where it was opened; a row that cannot stays. */
function planChoose(state: State, _: Intent, context: ViewContext): Plan {
  const entry = chosenEntry(state)
  if (entry === undefined) return nothing
  if (entry.why !== null) return notice(`${entry.title}: ${entry.why}`, "warning", context.now)
  const asked = planAsk(state)
  if (asked !== null) return asked
  const { view } = underPalette(state)
  const under = { overlays: view.overlays, typing: null, ...remembering(view, entry.id) }
  const below = { ...state, view: changed(view, under) }
  const [first = nothing, ...others] = [entry.does, ...(entry.else ?? [])].map(intent => plan(below, intent, context))
  const why = refusalOf(below.view, first)
  if (why === null) return both(change(under), first)
  const other = others.find(made => refusalOf(below.view, made) === null)
  return other === undefined ? notice(`${entry.title}: ${why}`, "warning", context.now) : both(change(under), other)
}

function sends(intent: Intent, made: Plan): boolean {
  return intent.type === "debugger/send" || made.effects.some(isSending)
}

function isLeaving({ effects }: Plan): boolean {
  return effects.some(({ type }) => type === "program/exit")
}

function isSending({ type }: Effect): boolean {
  return type === "agent/send" || type === "answer/hold"
}

function decide<T extends Intent["type"]>(state: State, intent: IntentOf<T>, context: ViewContext): Plan {
  const update: Updates[T] = updates[intent.type as T]
  return update(state, intent, context)
}

export const reader: CursorFollower = {
  /** Null while the reader itself is read. */
  place(state, now) {
    const { view } = state
    if (view.focus === "text" || view.focus === "home" || overIn(view) !== undefined) return null
    if (view.focus === "log") return `log ${JSON.stringify(view.log.cursor)}`
    const list = listIn(view)
    if (list === undefined) return `sessions ${JSON.stringify(selectionIn(state))}`
    return `${list.type} ${JSON.stringify(readingOf(state, now))}`
  },
  follow(state, now) {
    const { view } = state
    const reading = readingOf(state, now)
    const others = withoutPages(view)
    const page = reading !== null && "page" in reading ? [reading.page] : []
    const isSame = page.length === 0 && others.length === view.overlays.length
    const text = reading !== null && "text" in reading ? reading.text : view.reader.text
    const reads: View["reader"]["reads"] = reading !== null && "text" in reading ? "row" : "selection"
    const selected = selectionIn(state)
    return {
      ...(!isSame && { overlays: [...others, ...page], focus: view.focus }),
      ...(selected !== view.list.selected && { list: { selected, pinned: true } }),
      reader: { reads, text },
    }
  },
}

/** What the cursor is on; null for the selected session. */
function readingOf(state: State, now: number): Reading | null {
  const { view, present } = state
  if (view.focus === "log") {
    const reading = view.log.cursor === null ? null : rowReading(state, rowIndex(present, view.log.cursor))
    return reading !== null && "text" in reading ? reading : null
  }
  const overlay = listIn(view)
  const drawn = overlay === undefined ? undefined : overlayPanel(overlay).drawn
  if (overlay === undefined || drawn?.type !== "list") return null
  return drawn.list.reads?.(state, drawn.list.cursorOf(state, overlay, now), now) ?? null
}

/** All that a store needs to know of the features. */
export const features = { plan, follow: followRun, reader, questions: followFront } satisfies Partial<StoreOptions>
