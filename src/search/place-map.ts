// Maps captures on disk to the session and turn that own them, as reported by the rows of the recording.
import { capturePlaceOf, nodeFolder, replaySourceOf } from "../../packages/wire/src/capture-place.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"

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
const NODES = "nodes/"

export class PlaceMap {
  /** By file, and by the visit or turn that a folder of captures belongs to. */
  private readonly owners = new Map<string, CaptureOwner>()

  /** Records where an event of this owner is captured. */
  add(frame: EventFrame, owner: CaptureOwner): void {
    // A branch names the captures that it is served from; they belong to the turn that made them.
    if (replaySourceOf(frame) === "captured") return
    const ref = frame.data["io/ref"]
    if (typeof ref === "string" && ref.startsWith(NODES)) this.owners.set(nameOf(ref.slice(NODES.length)), owner)
    const place = capturePlaceOf(frame)
    if (place === null) return
    const visit = `${nodeFolder(place.nodeId)}/${place.visit}`
    this.owners.set(visit, { ...owner, turn: null })
    if (place.turn !== null) this.owners.set(`${visit}/${place.turn}`, owner)
    const { body } = frame
    if (body.type === "llm/tool-result" && body.callId !== undefined)
      this.owners.set(`${visit}/tool-results/${body.callId}.edn`, owner)
  }

  /** The owner of the capture `name` (below `nodes/`); null if no recorded row names it. */
  find(name: string): CaptureOwner | null {
    const [, node, visit, turn] = CAPTURE.exec(name) ?? []
    const folder = `${nodeFolder(node ?? "")}/${visit}${turn === undefined ? "" : `/${turn}`}`
    return this.owners.get(nameOf(name)) ?? this.owners.get(folder) ?? null
  }
}

/** A node id is a keyword of the agent; some rows spell it with its colon, which files don't have. */
function nameOf(path: string): string {
  return path.replace(/^:/, "")
}
