// Counts an epoch of a run while one batch changes it.

import type { Epoch } from "../model/run.ts"
import { noSeenHashes, SeenHashesBuilder } from "./seen-hashes.ts"

/** The epoch that is being counted, in a form that can be written to. */
export interface EpochBuilder {
  first: number
  highest: number
  seen: number
  explained: number
  readonly seenHashes: SeenHashesBuilder
}

/** The epoch, to be written to; a new one where there is none. */
export function openEpoch(epoch: Epoch | undefined): EpochBuilder {
  if (epoch === undefined) {
    return {
      first: -1,
      highest: -1,
      seen: 0,
      explained: 0,
      seenHashes: new SeenHashesBuilder(noSeenHashes),
    }
  }
  return { ...epoch, seenHashes: new SeenHashesBuilder(epoch.seenHashes) }
}

/** The epoch as it stands. */
export function closeEpoch(epoch: EpochBuilder): Epoch {
  return { ...epoch, seenHashes: epoch.seenHashes.done() }
}
