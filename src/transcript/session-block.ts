// The blocks of a session's text, and their sources.
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import type { Captured } from "../../packages/wire/src/capture.ts"
import type { EntryId } from "../run/model/id.ts"
import type { Entry } from "../run/model/session.ts"
import type { Passage } from "../run/select/passages.ts"
import type { Glyphs } from "../ui/glyphs.ts"
import type { LazyBody } from "./lazy-body.ts"
import type { BlockHeading } from "./passage-blocks.ts"
import type { Carded } from "./tool-card.ts"

export interface SessionBlock extends Carded, BlockHeading {
  readonly body: LazyBody
}

/** A change of any of these makes all blocks again. */
export interface Shape {
  readonly session: number
  readonly columns: number
  readonly strategy: ParserName
  readonly glyphs: Glyphs
}

export interface EntryGroup {
  readonly ids: readonly EntryId[]
  readonly entries: readonly Entry[]
  readonly captured: Captured | undefined
}

/** A block of a transcript. */
export function sessionBlock(
  key: string,
  { type, name, turn, callId }: Passage,
  { label, aside, outcome, token }: BlockHeading,
  body: LazyBody,
): SessionBlock {
  const call = callId === undefined ? {} : { callId }
  return {
    label,
    aside,
    ...(outcome !== undefined && { outcome }),
    token,
    key,
    card: key,
    type,
    name,
    turn,
    ...call,
    body,
  }
}

/** The key of a block of an entry, the first of them by the entry's id alone. */
export function blockKey(id: EntryId | undefined, ...parts: readonly number[]): string {
  return parts.every(part => part === 0) ? `${id}` : [id, ...parts].join(".")
}
