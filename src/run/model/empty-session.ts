// A session and its turn buffer before their first event, and how a buffer is copied.
import { emptyList } from "./chunked-list.ts"
import { sessionId } from "./id.ts"
import { noAccount, noBill } from "./ledger.ts"
import { type Mutable, noCounts, noUsage, type Reply, type Session, type Turn, type TurnBuffer } from "./session.ts"

// All are written out in full: the engine copies a record that was made with a spread beside other keys more slowly.

/** A session that has said nothing. `findOrAddSession` fills in its ids, its names and its invocation. */
export const emptySession: Session = {
  id: sessionId(0, null, ""),
  epoch: 0,
  invocation: 0,
  sessionId: "",
  title: "",
  label: "",
  turns: 0,
  entries: emptyList,
  heldUnits: 0,
  replyFrom: 0,
  system: null,
  systemOrder: -1,
  stopReason: null,
  exitReason: null,
  error: null,
  repeat: null,
  usage: noUsage,
  replies: emptyList,
  corrected: emptyList,
  failedTools: 0,
  truncatedReplies: 0,
  inputs: { latest: null, before: null, warned: null },
  totalUsage: noUsage,
  account: noAccount,
  beganTs: null,
  lastTs: null,
  stages: emptyList,
  pendingCalls: [],
  askedMs: 0,
  callsTools: false,
  firstLine: null,
  capturePlace: null,
  replaySource: null,
  contextUsed: null,
  coalescedRanges: [],
}

export const emptyTurn: Turn = {
  model: null,
  status: "waiting",
  captured: false,
  hasReportedTokens: false,
  replied: false,
  retry: null,
  spentBefore: 0,
  startTs: null,
  startSeq: -1,
  state: null,
  requestTs: null,
  firstTs: null,
  endTs: null,
  tps: null,
  counts: noCounts,
  reported: null,
  unreported: 0,
  closed: false,
  bill: noBill,
  account: noAccount,
  models: null,
}

export const emptyReply: Reply = {
  turn: 0,
  model: null,
  usage: noUsage,
  context: { first: null, latest: null, cached: null },
  stopReason: null,
  failedTools: 0,
  captured: false,
  account: noAccount,
  models: null,
  state: null,
  startSeq: -1,
  systemOrder: -1,
  cut: null,
}

/** The turn buffer of such a session. */
export const emptyTurnBuffer: TurnBuffer = {
  turn: emptyTurn,
  tokens: 0,
  deltas: 0,
  lastTs: null,
  lastSeq: -1,
  second: -1,
  secondTokens: 0,
  earlier: [],
  units: 0,
  missing: 0,
  pieces: emptyList,
  tail: "",
  tailThinking: false,
  segments: null,
  latest: null,
}

/** A copy that may be written to. By its fields, which the engine does faster than a spread. */
export function copyOfBuffer(buffer: TurnBuffer): Mutable<TurnBuffer> {
  return {
    turn: buffer.turn,
    tokens: buffer.tokens,
    deltas: buffer.deltas,
    lastTs: buffer.lastTs,
    lastSeq: buffer.lastSeq,
    second: buffer.second,
    secondTokens: buffer.secondTokens,
    earlier: buffer.earlier,
    units: buffer.units,
    missing: buffer.missing,
    pieces: buffer.pieces,
    tail: buffer.tail,
    tailThinking: buffer.tailThinking,
    segments: buffer.segments,
    latest: buffer.latest,
  }
}
