// Copies the two records of a session for a batch that writes to them. Key by key, since a spread of so many keys costs
// several times as much, and each delta may copy one.
import type { Session, TurnBuffer } from "../model/session.ts"

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The hot record, to be written to. */
export function copyTurnBuffer(stream: TurnBuffer): Mutable<TurnBuffer> {
  return {
    status: stream.status,
    model: stream.model,
    tokens: stream.tokens,
    deltas: stream.deltas,
    hasReportedTokens: stream.hasReportedTokens,
    startTs: stream.startTs,
    startSeq: stream.startSeq,
    firstTs: stream.firstTs,
    lastTs: stream.lastTs,
    lastSeq: stream.lastSeq,
    tps: stream.tps,
    replied: stream.replied,
    pieces: stream.pieces,
    tail: stream.tail,
    tailThinking: stream.tailThinking,
    parser: stream.parser,
    parts: stream.parts,
    part: stream.part,
  }
}

/** The session, to be written to. */
export function copySession(session: Session): Mutable<Session> {
  return {
    id: session.id,
    epoch: session.epoch,
    invocation: session.invocation,
    sessionId: session.sessionId,
    title: session.title,
    turns: session.turns,
    entries: session.entries,
    heldUnits: session.heldUnits,
    replyFrom: session.replyFrom,
    system: session.system,
    stopReason: session.stopReason,
    exitReason: session.exitReason,
    error: session.error,
    errorTs: session.errorTs,
    contextTs: session.contextTs,
    repeat: session.repeat,
    retry: session.retry,
    usage: session.usage,
    replies: session.replies,
    totalUsage: session.totalUsage,
    beganTs: session.beganTs,
    lastTs: session.lastTs,
    stages: session.stages,
    pendingCalls: session.pendingCalls,
    capturePlace: session.capturePlace,
    replaySource: session.replaySource,
    contextUsed: session.contextUsed,
    coalescedRanges: session.coalescedRanges,
  }
}
