// Writable form of an epoch, for the batch that counts it.
import type { Epoch } from "../model/run.ts"
import { noSeenHashes, SeenHashesBuilder } from "./seen-hashes.ts"

/** An epoch that is being counted. */
export interface EpochBuilder {
  first: number
  highest: number
  seen: number
  explained: number
  readonly seenHashes: SeenHashesBuilder
}

/** Makes an epoch writable; starts a new one if there is none. */
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

/** The epoch as it is now. */
export function closeEpoch(epoch: EpochBuilder): Epoch {
  return { ...epoch, seenHashes: epoch.seenHashes.done() }
}
