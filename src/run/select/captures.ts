// Finds the captures of a run, and caches those that were read from the session directory.
import { type Block, type Captured, textOfBlock } from "../../protocol/capture.ts"
import { type CapturePlace, placeOfRef } from "../../protocol/capture-place.ts"
import { at, firstIndexWhere } from "../model/chunked-list.ts"
import type { TurnPlace } from "../model/id.ts"
import type { Run } from "../model/run.ts"
import type { Session } from "../model/session.ts"

/** By raw `io/ref`, in the order they were read. */
export type Captures = ReadonlyMap<string, Captured>

/** Approximate limit of cached captures, in UTF-16 units. */
const MOST_UNITS = 48 * 1024 * 1024

/** Adds a capture and drops the oldest ones beyond the limit. */
export function withCapture(captures: Captures, ref: string, captured: Captured): Captures {
  const kept = new Map(captures).set(ref, captured)
  let units = 0
  for (const one of kept.values()) units += unitsOf(one)
  for (const [known, one] of kept) {
    if (units <= MOST_UNITS || known === ref) break
    units -= unitsOf(one)
    kept.delete(known)
  }
  return kept
}

function unitsOf(captured: Captured): number {
  if ("why" in captured) return captured.why.length
  const { capture } = captured
  if (capture.type === "result") return capture.text.length
  if (capture.type === "response") return blocksUnits(capture.blocks)
  const named = [...capture.tools, ...capture.params].reduce((sum, one) => sum + one.text.length, 0)
  const messages = capture.messages.reduce((sum, one) => sum + blocksUnits(one.blocks), 0)
  return (capture.system?.length ?? 0) + named + messages
}

function blocksUnits(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + textOfBlock(block).length, 0)
}

/** Entries that are looked at on each side of a turn that names no capture. */
const NEAR = 64

/** A turn, and where its events say that it is captured. */
interface Named {
  readonly turn: number
  readonly place: CapturePlace
}

/**
 * The raw ref of the capture that holds a turn's request; null if it is unknown. A turn whose entries name none lies
 * between two that do, and is told only where the numbers of these leave no doubt.
 */
export function requestRef(run: Run, { session: index, turn }: TurnPlace): string | null {
  const session = run.sessions[index]
  if (session === undefined) return null
  const { entries, turns, capturePlace } = session
  if (turn < 1 || turn > turns) return null
  const from = firstIndexWhere(entries, entry => entry.turn >= turn)
  const own = nearest(session, from, 1)
  if (own?.turn === turn) return refOf(own.place, own.place.turn)
  const before = nearest(session, from - 1, -1)
  const after = own ?? (capturePlace && { turn: turns, place: capturePlace })
  if (before === null || after === null) return null
  const [first, last] = [before.place.turn, after.place.turn]
  const isNode = before.place.nodeId === after.place.nodeId && before.place.visit === after.place.visit
  if (first === null || last === null || !isNode || last - first !== after.turn - before.turn) return null
  return refOf(before.place, first + turn - before.turn)
}

/** The nearest entry that names a capture, from this index on. */
function nearest({ entries }: Session, from: number, step: 1 | -1): Named | null {
  for (let i = 0; i < NEAR; i++) {
    const entry = at(entries, from + step * i)
    if (entry === undefined) return null
    const place = entry.ref === null ? null : placeOfRef(entry.ref)
    if (place !== null) return { turn: entry.turn, place }
  }
  return null
}

function refOf({ nodeId, visit }: CapturePlace, turn: number | null): string | null {
  return turn === null ? null : `nodes/${nodeId}/${visit}/turns/${turn}/request.edn`
}
