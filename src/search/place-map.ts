// Keeps which session and turn each capture on disk belongs to, as the rows of the recording tell it.
import type { EventFrame } from "../protocol/frame.ts"
import { capturePlaceOf } from "../run/model/capture-place.ts"

/** Whose something is: as it may be shown, and by raw ids. Empty and null where that is not known. */
export interface CaptureOwner {
  readonly who: string
  readonly invokeid: string | null
  readonly sessionId: string | null
  /** From 1. */
  readonly turn: number | null
}

export const NOBODY: CaptureOwner = { who: "", invokeid: null, sessionId: null, turn: null }

/** `<node>/<visit>/turns/<turn>/…` or `<node>/<visit>/…`, below `nodes/`. */
const CAPTURE = /^(.+?)\/(\d{1,9})\/(?:turns\/(\d{1,9})\/)?(?:tool-results\/)?[^/]+$/

export class PlaceMap {
  private readonly owners = new Map<string, CaptureOwner>()

  /** Notes where an event of this owner is captured. */
  note(frame: EventFrame, owner: CaptureOwner): void {
    const place = capturePlaceOf(frame)
    if (place === null) return
    const visit = `${place.nodeId}/${place.visit}`
    this.owners.set(visit, { ...owner, turn: null })
    if (place.turn !== null) this.owners.set(`${visit}/${place.turn}`, owner)
  }

  /** Whose the capture `name` (below `nodes/`) is; null where no row that was noted told of it. */
  find(name: string): CaptureOwner | null {
    const [, node, visit, turn] = CAPTURE.exec(name) ?? []
    return this.owners.get(`${node}/${visit}${turn === undefined ? "" : `/${turn}`}`) ?? null
  }
}
