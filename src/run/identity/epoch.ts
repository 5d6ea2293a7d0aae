// Writable form of an epoch, for the batch that counts it.
import type { Epoch } from "../model/run.ts"
import { noSeenHashes, SeenHashesBuilder } from "./seen-hashes.ts"

export interface EpochBuilder {
  first: number
  highest: number
  seen: number
  explained: number
  readonly seenHashes: SeenHashesBuilder
}

const newEpoch: Epoch = { first: -1, highest: -1, seen: 0, explained: 0, seenHashes: noSeenHashes }

/** Makes an epoch writable; starts a new one if there is none. */
export function openEpoch(epoch = newEpoch): EpochBuilder {
  return { ...epoch, seenHashes: new SeenHashesBuilder(epoch.seenHashes) }
}

export function closeEpoch(epoch: EpochBuilder): Epoch {
  return { ...epoch, seenHashes: epoch.seenHashes.done() }
}
