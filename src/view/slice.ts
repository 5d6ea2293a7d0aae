// A slice is the state of one feature in the view. The feature's folder declares it; the core of the view knows none.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Run } from "../run/model/run.ts"
import type { View } from "./view.ts"

/** An event of the run that slices may follow. */
export type Happening =
  /** Frames came, the agent's or ours; `before` is the run without them. */
  | { readonly type: "frames"; readonly frames: readonly Decoded[]; readonly before: Run }
  | { readonly type: "shown"; readonly run: Run }
  /** The run was folded again, with rows from the disk. */
  | { readonly type: "refilled" }

/** The view after an event of the run; the same one if the feature has nothing to change. */
export type Follow = (view: View, happened: Happening) => View

export interface Slice<T> {
  /** Its value in a view, initially that of `createSlice`. */
  of(view: Pick<View, "slices">): T
  /** The change of a view that sets these fields of it. */
  put(view: Pick<View, "slices">, to: Partial<T>): Pick<View, "slices">
}

/** Makes the slice of a feature. */
export function createSlice<T extends object>(name: string, initial: T): Slice<T> {
  const key = Symbol(name)
  const of = ({ slices }: Pick<View, "slices">): T => (slices[key] as T | undefined) ?? initial
  return { of, put: (view, to) => ({ slices: { [key]: { ...of(view), ...to } } }) }
}
