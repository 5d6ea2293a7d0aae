// Maps captures on disk to the session and turn that own them, as reported by the rows of the recording.
import type { EventFrame } from "../protocol/frame.ts"
import { capturePlaceOf } from "../run/model/capture-place.ts"

/** Who owns a text: a name that may be shown, and raw ids. Empty and null if unknown. */
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

  /** Records where an event of this owner is captured. */
  add(frame: EventFrame, owner: CaptureOwner): void {
    const place = capturePlaceOf(frame)
    if (place === null) return
    const visit = `${place.nodeId}/${place.visit}`
    this.owners.set(visit, { ...owner, turn: null })
    if (place.turn !== null) this.owners.set(`${visit}/${place.turn}`, owner)
  }

  /** The owner of the capture `name` (below `nodes/`); null if no recorded row names it. */
  find(name: string): CaptureOwner | null {
    const [, node, visit, turn] = CAPTURE.exec(name) ?? []
    return this.owners.get(`${node}/${visit}${turn === undefined ? "" : `/${turn}`}`) ?? null
  }
}
