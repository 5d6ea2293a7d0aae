// What a feature keeps of what a person did. Its own folder names it; the core of the view knows none of them.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Run } from "../run/model/run.ts"
import type { View } from "./view.ts"

/** What has happened to the run, for features that keep something of it. */
export type Happening =
  /** Frames came, the agent's or ours; `before` is the run without them. */
  | { readonly type: "frames"; readonly frames: readonly Decoded[]; readonly before: Run }
  /** This run, or this moment of it, is on the screen. */
  | { readonly type: "shown"; readonly run: Run }
  /** The run was folded again, with rows from the disk. */
  | { readonly type: "refilled" }

/** The view after something has happened, the same one where a feature doesn't mind. */
export type Follow = (view: View, happened: Happening) => View

export interface Slice<T> {
  /** Its value in a view; as it was at first, if nobody changed it. */
  of(view: Pick<View, "slices">): T
  /** The change of a view that gives it these fields. */
  put(view: Pick<View, "slices">, to: Partial<T>): Pick<View, "slices">
}

/** Makes the slice of a feature. */
export function createSlice<T extends object>(name: string, initial: T): Slice<T> {
  const key = Symbol(name)
  const of = ({ slices }: Pick<View, "slices">): T => (slices[key] as T | undefined) ?? initial
  return { of, put: (view, to) => ({ slices: { [key]: { ...of(view), ...to } } }) }
}

/** A view after a change, in which every slice stays that the change doesn't name. */
export function merged(view: View, change: Partial<View>): View {
  return {
    ...view,
    ...change,
    slices: change.slices === undefined ? view.slices : { ...view.slices, ...change.slices },
  }
}
