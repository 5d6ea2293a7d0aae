// Collects streamed replies until a response repeats them, and counts turns.
import type { DeltaFrame, EventFrame } from "../../packages/wire/src/frame.ts"

/** Where a text begins, and whether its first frame matches the filter. */
export interface ReplyStart {
  readonly file: string
  readonly line: number
  readonly seq: number | null
  readonly passes: boolean
}

/** A streamed text that no response repeated. */
export interface PartialReply {
  readonly session: SearchedSession
  readonly turn: number | null
  readonly thinking: boolean
  readonly text: string
  readonly at: ReplyStart
}

/** Raw ids. */
export interface SearchedSession {
  readonly invokeid: string | null
  readonly sessionId: string
}

interface SessionReplies {
  readonly session: SearchedSession
  turns: number
  /** In order of their numbers, as far as these overtook each other. */
  deltas: { readonly thinking: boolean; readonly text: string; readonly at: ReplyStart }[]
}

/** How far back a delta may belong that others overtook, in deltas and in numbers; farther is another count. */
const NEAR = 64

export class PartialReplies {
  private readonly kept = new Map<string, SessionReplies>()

  /** Adds a delta. One without a session id is ignored. */
  add({ invokeid, sessionId, thinking, text }: DeltaFrame, at: ReplyStart): void {
    if (sessionId === null) return
    const { deltas } = this.of({ invokeid, sessionId })
    const overtook = (one: ReplyStart): boolean => {
      return at.seq !== null && one.seq !== null && one.seq > at.seq && one.seq < at.seq + NEAR
    }
    const passed = deltas.slice(-NEAR).findIndex(one => overtook(one.at))
    deltas.splice(passed === -1 ? deltas.length : Math.max(0, deltas.length - NEAR) + passed, 0, { thinking, text, at })
  }

  /** Adds an event of a session. Returns its turn, from 1, and the streamed texts that no response will repeat. */
  addEvent(
    { body }: EventFrame,
    session: SearchedSession,
  ): { readonly turn: number | null; readonly unrepeated: readonly PartialReply[] } {
    const kept = this.of(session)
    const isRepeated = body.type === "llm/response" && body.content !== null
    const ends = body.type === "llm/start" || body.type === "llm/error" || body.type === "llm/worker-exit"
    const unrepeated = ends ? this.partialRepliesOf(kept) : []
    if (isRepeated || ends) kept.deltas = []
    if (body.type === "llm/start") kept.turns++
    return { turn: turnOf(kept), unrepeated }
  }

  /** The remaining streamed texts, at the end of the recording. */
  end(): readonly PartialReply[] {
    return [...this.kept.values()].flatMap(kept => this.partialRepliesOf(kept))
  }

  private of(session: SearchedSession): SessionReplies {
    const key = JSON.stringify([session.invokeid, session.sessionId])
    const known = this.kept.get(key) ?? { session, turns: 0, deltas: [] }
    this.kept.set(key, known)
    return known
  }

  private partialRepliesOf(kept: SessionReplies): readonly PartialReply[] {
    const { session, deltas } = kept
    const turn = turnOf(kept)
    const replies: (PartialReply & { text: string })[] = []
    for (const { thinking, text, at } of deltas) {
      const last = replies.at(-1)
      if (last?.thinking === thinking) last.text += text
      else replies.push({ session, turn, thinking, text, at })
    }
    return replies
  }
}

function turnOf({ turns }: SessionReplies): number | null {
  return turns === 0 ? null : turns
}
