import type { Command } from "../protocol/command.ts"
import { encode, encodeNote } from "../protocol/encode.ts"
import type { Action } from "./action.ts"
import type { Effect } from "./effect.ts"
import type { Inspector } from "./inspector.ts"
import { NOTICE_MS } from "./reduce.ts"
import type { View } from "./view.ts"

/** What shall happen: changes of the state, in order, and what is asked of the world. */
export interface Plan {
  readonly actions: readonly Action[]
  readonly effects: readonly Effect[]
}

export const nothing: Plan = { actions: [], effects: [] }

export function change(view: Partial<View>): Plan {
  return { actions: [{ type: "view", change: view }], effects: [] }
}

export function alter(inspector: Inspector, to: Partial<Inspector>): Plan {
  return change({ inspector: { ...inspector, ...to } })
}

/** Hands a command to the agent; it becomes part of the run, as the line that a recording keeps. */
export function telling(command: Command): Plan {
  return { actions: [{ type: "said", lines: [encode(command)] }], effects: [{ type: "send", command }] }
}

/** Says something for a while. */
export function notice(text: string, level: "info" | "warning", now: number, ms = NOTICE_MS): Plan {
  const until = now + ms
  return {
    actions: [{ type: "view", change: { notice: { text, level, until } } }],
    effects: [{ type: "wake", at: until }],
  }
}

export function both(a: Plan, b: Plan): Plan {
  return { actions: [...a.actions, ...b.actions], effects: [...a.effects, ...b.effects] }
}

/** A refused op stands in the log as well, so that nobody wonders later whether it was sent. */
export function refuse(op: string, why: string, now: number): Plan {
  const line = encodeNote(now, "refused", { op, why })
  return both(
    { actions: [{ type: "said", lines: [line] }], effects: [] },
    notice(`${op} not sent: ${why}`, "warning", now),
  )
}
