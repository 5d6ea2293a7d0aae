// Makes a list of watched conditions from their texts.
import { type Conditions, noConditions, withCondition } from "../../src/query/conditions.ts"
import { read } from "./filter/parsed.ts"

export function watching(...texts: readonly string[]): Conditions {
  return texts.reduce((all, text) => withCondition(all, read(text), "watch"), noConditions)
}
