// Counts an epoch of a run while one batch changes it.

import type { Epoch } from "../model/run.ts"
import { noSeenHashes, SeenHashesBuilder } from "./seen-hashes.ts"

/** The epoch that is being counted, in a form that can be written to. */
export interface EpochBuilder {
  first: number
  highest: number
  seen: number
  explained: number
  readonly prints: SeenHashesBuilder
}

/** The epoch, to be written to; a new one where there is none. */
export function openEpoch(epoch: Epoch | undefined): EpochBuilder {
  if (epoch === undefined) {
    return {
      first: -1,
      highest: -1,
      seen: 0,
      explained: 0,
      prints: new SeenHashesBuilder(noSeenHashes),
    }
  }
  return { ...epoch, prints: new SeenHashesBuilder(epoch.prints) }
}

/** The epoch as it stands. */
export function closeEpoch(epoch: EpochBuilder): Epoch {
  return { ...epoch, prints: epoch.prints.done() }
}
