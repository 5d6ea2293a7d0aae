// Keeps what sessions stream until a response tells it whole, and counts their turns.
import type { DeltaFrame, EventFrame } from "../protocol/frame.ts"

/** Where a text begins, and whether a filter let that through. */
export interface ReplyStart {
  readonly file: string
  readonly line: number
  readonly seq: number | null
  readonly passes: boolean
}

/** A text that was streamed, and that no response told again. */
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

interface Kept {
  readonly session: SearchedSession
  turns: number
  pieces: { readonly thinking: boolean; readonly texts: string[]; readonly at: ReplyStart }[]
}

export class PartialReplies {
  private readonly kept = new Map<string, Kept>()

  /** Takes a delta; one that names no session is forgotten. */
  add({ invokeid, sessionId, thinking, text }: DeltaFrame, at: ReplyStart): void {
    if (sessionId === null) return
    const { pieces } = this.of({ invokeid, sessionId })
    const last = pieces.at(-1)
    if (last?.thinking === thinking) last.texts.push(text)
    else pieces.push({ thinking, texts: [text], at })
  }

  /** Takes an event of a session: gives the turn that it is in, from 1, and what was streamed and comes no more. */
  see(
    { body }: EventFrame,
    session: SearchedSession,
  ): { readonly turn: number | null; readonly left: readonly PartialReply[] } {
    const kept = this.of(session)
    const isTold = body.type === "llm/response" && body.content !== null
    const ends = body.type === "llm/start" || body.type === "llm/error" || body.type === "llm/worker-exit"
    const left = ends ? this.leftOf(kept) : []
    if (isTold || ends) kept.pieces = []
    if (body.type === "llm/start") kept.turns++
    return { turn: turnOf(kept), left }
  }

  /** What is left at the end of the recording. */
  end(): readonly PartialReply[] {
    return [...this.kept.values()].flatMap(kept => this.leftOf(kept))
  }

  private of(session: SearchedSession): Kept {
    const key = JSON.stringify([session.invokeid, session.sessionId])
    const known = this.kept.get(key) ?? { session, turns: 0, pieces: [] }
    this.kept.set(key, known)
    return known
  }

  private leftOf(kept: Kept): readonly PartialReply[] {
    const { session, pieces } = kept
    const turn = turnOf(kept)
    return pieces.map(({ thinking, texts, at }) => ({ session, turn, thinking, text: texts.join(""), at }))
  }
}

function turnOf({ turns }: Kept): number | null {
  return turns === 0 ? null : turns
}
