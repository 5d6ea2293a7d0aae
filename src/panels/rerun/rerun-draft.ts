// Holds what a person changes before a turn is run again, and makes the overrides: only what differs from the capture.
import { type CapturePlace, nodeFolder } from "../../../packages/wire/src/capture-place.ts"
import type { CatalogFrame, ConversationFrame, ConversationTurn } from "../../../packages/wire/src/frame.ts"
import type { Json } from "../../../packages/wire/src/json.ts"
import { sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { Run } from "../../run/model/run.ts"
import type { Session } from "../../run/model/session.ts"
import type { RerunField } from "../../view/intent.ts"
import type { State } from "../../view/state.ts"
import { type RerunDraft, rerunDraftAt } from "../common/open-rerun.ts"
import { modelOf } from "./model-name.ts"

export type Overrides = { readonly [key: string]: Json }

/** The captured conversation of a session, null until it came. */
export function conversationOf(run: Run, id: SessionId): ConversationFrame | null {
  const session = sessionById(run, id)
  if (session === undefined) return null
  const invokeid = run.invocations[session.invocation]?.invokeid ?? null
  const found = run.facts.conversations.find(one => one.invokeid === invokeid) ?? null
  if (found === null || session.capturePlace === null) return found
  const { nodeId, visit } = session.capturePlace
  const here = nodeFolder(found.nodeId ?? nodeId) === nodeFolder(nodeId) && (found.visit ?? visit) === visit
  return here ? found : null
}

/** Why what came is not this session's conversation, as far as one can tell; null where it may be. */
export function foreignWords(run: Run, { session: id }: RerunDraft, turn: ConversationTurn | null): string | null {
  const session = sessionById(run, id)
  if (session === undefined) return null
  if (turn !== null)
    return wasAsked(session, turn) ? null : "This session was never asked this: the turn may belong to another"
  const invokeid = run.invocations[session.invocation]?.invokeid ?? null
  const other = run.facts.conversations.find(one => one.invokeid === invokeid)
  if (other === undefined || conversationOf(run, id) !== null) return null
  const { nodeId, visit } = session.capturePlace ?? { nodeId: "", visit: 0 }
  const words = (node: string | null, number: number | null) =>
    `${sanitizeLine(node ?? nodeId)}, visit ${number ?? visit}`
  return `Expected the conversation of ${words(nodeId, visit)}, got ${words(other.nodeId, other.visit)}`
}

/** False only if all that the session was asked is known, and the turn's last user text is not among it. */
function wasAsked({ entries }: Session, { messages }: ConversationTurn): boolean {
  const asked = sanitize(messages.findLast(({ role, text }) => role === "user" && text !== "")?.text ?? "")
  let known = false
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = at(entries, i)
    if (entry?.type !== "user" && entry?.type !== "tool-result") continue
    // An event may have only an excerpt.
    const own = entry.text.join("").replace(/…$/, "")
    if (entry.evicted !== undefined || asked.startsWith(own) || own.startsWith(asked)) return true
    known = true
  }
  return !known
}

/** That the agent found nothing where it was asked to look; null where the conversation has not come, or has turns. */
export function emptyWords(run: Run, id: SessionId): string | null {
  if (conversationOf(run, id)?.turns.length !== 0) return null
  const place = rerunPlace(run, id)
  const where = place === null ? "" : ` under ${sanitizeLine(place.nodeId)}, visit ${place.visit}`
  return `The agent found no captured turns${where}`
}

/** Where a session's turns are captured: as its events say, else as the agent does in the conversation. */
export function rerunPlace(run: Run, id: SessionId): Pick<CapturePlace, "nodeId" | "visit"> | null {
  const place = sessionById(run, id)?.capturePlace ?? null
  if (place !== null) return place
  const { nodeId = null, visit = null } = conversationOf(run, id) ?? {}
  return nodeId === null || visit === null ? null : { nodeId, visit }
}

/** The number of each captured turn. */
export function turnNumbers(conversation: ConversationFrame): readonly number[] {
  return conversation.turns.map(({ turn }, index) => turn ?? index)
}

/** The turn that the form is about, and its number; null until the conversation came, or where it holds no turn. */
export function capturedTurn(run: Run, draft: RerunDraft): { number: number; turn: ConversationTurn } | null {
  const conversation = conversationOf(run, draft.session)
  if (conversation === null) return null
  const numbers = turnNumbers(conversation)
  const wanted = draft.turn ?? sessionById(run, draft.session)?.capturePlace?.turn ?? null
  const found = wanted === null ? -1 : numbers.indexOf(wanted)
  const index = found >= 0 ? found : numbers.length - 1
  const turn = conversation.turns[index]
  return turn === undefined ? null : { number: numbers[index] ?? index, turn }
}

/** The fields in the order in which they stand; only the turn until there is a capture to change. */
export function rerunFields(turn: ConversationTurn | null): readonly RerunField[] {
  if (turn === null) return ["turn"]
  return ["turn", "model", "temperature", "system", ...turn.messages.keys()]
}

/** The form of a session, at the turn where the field it stood at is a message that the turn no longer has. */
export function formAt(state: State, session: SessionId): RerunDraft {
  const draft = rerunDraftAt(state, session)
  const turn = capturedTurn(state.run, draft)?.turn
  return turn === undefined || rerunFields(turn).includes(draft.field) ? draft : { ...draft, field: "turn" }
}

/** A field's captured text, sanitized; empty for the temperature, which is not captured. */
export function capturedText(turn: ConversationTurn, field: RerunField): string {
  if (field === "model") return sanitize(turn.model ?? "")
  if (field === "system") return sanitize(turn.system ?? "")
  return typeof field === "number" ? sanitize(turn.messages[field]?.text ?? "") : ""
}

/** What a field holds: as it was edited, else as captured. */
export function rerunText(turn: ConversationTurn, draft: RerunDraft, field: RerunField): string {
  return editedText(draft, field) ?? capturedText(turn, field)
}

function editedText(draft: RerunDraft, field: RerunField): string | null {
  if (field === "turn") return null
  return typeof field === "number" ? (draft.messages[field] ?? null) : draft[field]
}

/** The form with another text in a field; one that is as captured is no edit. */
export function withText(turn: ConversationTurn, draft: RerunDraft, field: RerunField, text: string): RerunDraft {
  const kept = text === capturedText(turn, field) ? null : text
  if (field === "turn" || editedText(draft, field) === kept) return draft
  if (typeof field !== "number") return { ...draft, [field]: kept }
  const length = Math.max(draft.messages.length, field + 1)
  const messages = Array.from({ length }, (_, index) => (index === field ? kept : (draft.messages[index] ?? null)))
  return { ...draft, messages }
}

/** Every field that differs from the capture, in the order of the form. */
export function changesOf(turn: ConversationTurn, draft: RerunDraft) {
  return rerunFields(turn).flatMap(field => {
    const after = editedText(draft, field)
    if (after === null) return []
    const before = capturedText(turn, field)
    const same = field === "model" || field === "temperature" ? after.trim() === before : after === before
    return same ? [] : [{ field, before, after }]
  })
}

/** A re-run's overrides (docs/contract.md section 3), or why a field is invalid. Messages go as the whole prefix. */
export function overridesOf(
  turn: ConversationTurn,
  draft: RerunDraft,
  catalog: CatalogFrame | null,
): Overrides | string {
  const changes = changesOf(turn, draft)
  const after = (field: RerunField) => changes.find(change => change.field === field)?.after
  const temperature = temperatureOf(after("temperature"))
  if (temperature === null) return "the temperature must be 0 or more"
  const model = after("model")
  const choice = model === undefined ? {} : modelOf(model, catalog)
  if (choice === null) return "type a model name"
  const system = after("system")
  const edited = changes.some(({ field }) => typeof field === "number")
  const messages = turn.messages.map(({ role, text }, index) => ({ role, text: after(index) ?? text }))
  return {
    ...choice,
    ...(temperature === undefined ? {} : { temperature }),
    ...(system === undefined ? {} : { system }),
    ...(edited ? { messages } : {}),
  }
}

/** A number of 0 or more; undefined where nothing changed, null where it is something else. */
function temperatureOf(text: string | undefined): number | null | undefined {
  const typed = text?.trim()
  if (typed === undefined) return undefined
  return /^(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : null
}
