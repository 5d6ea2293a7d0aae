// Defines plans, the facts that they are made from, and how they open and close overlays.
import type { Command, Op } from "../../packages/wire/src/command.ts"
import { commandFrame, encode, noteFrame } from "../../packages/wire/src/encode.ts"
import type { Action } from "./action.ts"
import type { Outline } from "./block-reading.ts"
import type { Effect } from "./effect.ts"
import type { Direction } from "./intent.ts"
import { OP_WORDS } from "./pending-ops.ts"
import type { Sheet } from "./reading.ts"
import { listIn } from "./select/stack.ts"
import type { State } from "./state.ts"
import { isUnchanged, NOTICE_MS, type Overlay, type View, type ViewChange } from "./view.ts"

/** What a plan needs beside the state: the time, and the layout of what is in front. */
export interface ViewContext {
  /** Epoch ms. */
  readonly now: number
  readonly page: number
  readonly lines: number
  /** The terminal has room for one place alone. */
  readonly isTiny?: boolean
  readonly outline?: Outline
  /** The wrapped text in front, in a pager. */
  readonly sheet?: Sheet
  /** How the question in front scrolls where it is longer than its rows: lines of a page, first line of the last. */
  readonly question?: { readonly page: number; readonly last: number } | undefined
  /** Where the text behind a question can be read: in its own place, only elsewhere on the screen, or nowhere. */
  readonly behind?: "seen" | "elsewhere" | "covered"
}

/** Changes of the state, in order, and effects on the world. */
export interface Plan {
  readonly actions: readonly Action[]
  readonly effects: readonly Effect[]
}

export const nothing: Plan = { actions: [], effects: [] }

/** Changes the view. */
export function change(view: ViewChange): Plan {
  return { actions: [{ type: "view", change: view }], effects: [] }
}

/** Asks for one effect, and changes nothing. */
export function only(effect: Effect): Plan {
  return { actions: [], effects: [effect] }
}

/** Sends a command to the agent, and makes it part of the run, but for a secret answer. */
export function sendCommand(command: Command): Plan {
  const actions = [{ type: "local", frames: [commandFrame(command)] }] as const
  return { actions, effects: [{ type: "agent/send", command, text: encode(command) }] }
}

/** Shows a message in the footer for `ms` from `now` on, epoch ms. */
export function notice(text: string, level: "info" | "warning", now: number, ms = NOTICE_MS): Plan {
  return change({ notice: { text, level, until: now + ms } })
}

/** Says that there is no other thing of a kind in this direction. */
export function noMore(what: string, step: Direction, now: number): Plan {
  return notice(`No ${step > 0 ? "later" : "earlier"} ${what}`, "info", now)
}

/** The first plan, then the second. */
export function both(a: Plan, b: Plan): Plan {
  return { actions: [...a.actions, ...b.actions], effects: [...a.effects, ...b.effects] }
}

/** A refused op stands in the log as well, so that nobody wonders later whether it was sent. */
export function refuse(op: Op["type"], why: string, now: number): Plan {
  return both(
    { actions: [{ type: "local", frames: [noteFrame(now, "refused", { op, why })] }], effects: [] },
    notice(`Can't ${OP_WORDS[op].verb}: ${why}`, "warning", now),
  )
}

export type ListOverlay = Extract<Overlay, { readonly cursor: number }>

export type OverlayOf<T extends Overlay["type"]> = Extract<Overlay, { readonly type: T }>

/** The overlay of this type if it is in front, or the list in front; null otherwise. */
export function frontOverlay<T extends Overlay["type"]>({ view }: State, type: T): OverlayOf<T> | null {
  for (const front of [view.overlays.at(-1), listIn(view)]) if (front !== undefined && isOf(front, type)) return front
  return null
}

/** The item under the cursor of the list or menu in front; undefined if that is of another type. */
export function itemUnder<T>(state: State, type: ListOverlay["type"], items: readonly T[]): T | undefined {
  const cursor = frontOverlay(state, type)?.cursor
  // Behind the cursor on the last item the list may have become shorter.
  return cursor === undefined ? undefined : items[Math.min(cursor, items.length - 1)]
}

function isOf<T extends Overlay["type"]>(overlay: Overlay, type: T): overlay is OverlayOf<T> {
  return overlay.type === type
}

/** The overlays but those of these types. */
export function without({ view }: State, ...types: readonly Overlay["type"][]): readonly Overlay[] {
  return view.overlays.filter(one => !types.includes(one.type))
}

/** The overlays with this one in front, and no other of its type. */
export function inFront(state: State, overlay: Overlay): readonly Overlay[] {
  return [...without(state, overlay.type), overlay]
}

/** The overlays with this one in the place of the last of its type. */
export function replacing({ view }: State, overlay: Overlay): readonly Overlay[] {
  return view.overlays.with(
    view.overlays.findLastIndex(({ type }) => type === overlay.type),
    overlay,
  )
}

/** Opens an overlay, or closes the one of its type. */
export function toggleOverlay(state: State, overlay: Overlay): Plan {
  const others = without(state, overlay.type)
  const isOpen = others.length < state.view.overlays.length
  return change({ overlays: isOpen ? others : [...others, overlay] })
}

/** Opens a file of the session directory. With a line, from 0, it is shown as it is. */
export function openFile(state: State, name: string, at: number | null = null): Plan {
  return change({ overlays: inFront(state, { type: "file", name, top: at ?? 0, asIs: at !== null }) })
}

/** Why a plan does nothing, in the words of its notice; null for a plan that does something. */
export function refusalOf(view: View, { actions, effects }: Plan): string | null {
  if (effects.length > 0) return null
  let said: string | null = null
  for (const action of actions) {
    // A refused op is noted in the log as well.
    if (action.type === "local") continue
    if (action.type !== "view") return null
    const { notice, ...changes } = action.change
    if (!isUnchanged(view, changes)) return null
    said = notice?.text.replace(/^Can't [^:]+: /, "") ?? said
  }
  return said ?? "nothing to do now"
}
