// Defines how a panel decides what an intent comes to.
import type { Intent, IntentOf } from "../../view/intent.ts"
import type { Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { ViewContext } from "../../view/view-context.ts"

/** Maps intents of one type to what shall happen. Pure: the context brings what only the caller knows. */
export type Update<T extends Intent["type"]> = (state: State, intent: IntentOf<T>, context: ViewContext) => Plan

/** An update for every type of intent. */
export type Updates = { readonly [T in Intent["type"]]: Update<T> }

/** The part of it that a panel brings. */
export type SomeUpdates = { readonly [T in Intent["type"]]?: Update<T> }
