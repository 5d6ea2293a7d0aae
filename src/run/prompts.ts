import type { AnswerFrame, EventFrame, PromptFrame } from "../protocol/frame.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { askingSession } from "./asking-session.ts"
import { frameNumber, type Prompt } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"
import { recordStage } from "./stages.ts"

/** Questions whose prompt never came that are kept; of one invokeid there is mostly one. */
const UNHEARD_KEPT = 64

/** A prompt opens, unless the hub only repeats one that stands already (docs/decisions.md 3.1). */
export function foldPrompt(draft: RunBuilder, frame: PromptFrame): void {
  hear(draft, frame.invokeid)
  const known = draft.prompts[draft.latestPrompt(frame.promptId)]
  if (known !== undefined && isRepeat(draft, known)) {
    // Whoever attaches is told before any event whether the run is another one: then this is its own question.
    if (draft.attach.beforeFirstEvent)
      draft.setPrompt(known.key - 1, { ...known, frame, repeatedIn: draft.attach.count })
    return
  }
  const prompt: Prompt = {
    key: draft.prompts.length + 1,
    frame,
    title: frame.invokeid === null ? sanitizeLine(frame.promptId) : sanitizeLine(frame.invokeid),
    session: askingSession(draft, frame.invokeid),
    state: "open",
    answer: null,
    reportedAnswer: null,
    confirmed: false,
    lost: false,
    errors: [],
    attachment: draft.attach.count,
    beforeFirstEvent: draft.attach.beforeFirstEvent,
    repeatedIn: null,
    ts: draft.lastTs,
  }
  draft.setPrompt(draft.prompts.length, prompt)
}

/** Open ones are repeated; so is one whose answer is under way, until the agent is seen to have it. */
function isRepeat(draft: RunBuilder, known: Prompt): boolean {
  if (known.state === "open") return true
  return known.answer !== null && !known.confirmed && known.attachment !== draft.attach.count
}

/** Our own answer, live or recorded: the prompt is answered, the agent has yet to say that it knows. */
export function foldAnswer(draft: RunBuilder, frame: AnswerFrame): void {
  const index = draft.latestPrompt(frame.promptId)
  const prompt = draft.prompts[index]
  if (prompt === undefined || prompt.state !== "open") return
  draft.setPrompt(index, {
    ...prompt,
    state: frame.cancelled ? "cancelled" : "answered",
    answer: frame,
    errors: [],
    repeatedIn: null,
  })
}

/** Folds a `human-input/*` event: who it closes is settled in docs/decisions.md 3.2. */
export function foldHumanInput(draft: RunBuilder, frame: EventFrame): void {
  const body = frame.body
  foldAsked(draft, frame)
  switch (body.type) {
    case "human-input/start":
      foldStart(draft, frame, body)
      return
    case "human-input/answer": {
      hear(draft, frame.invokeid)
      const index = pick(draft, frame.invokeid)
      if (index >= 0) close(draft, index, "answered", body.shown)
      return
    }
    case "human-input/cancelled": {
      hearUnnamed(draft)
      const index = pickUnnamed(draft)
      if (index >= 0) close(draft, index, "cancelled")
      return
    }
    case "human-input/interrupted": {
      hearUnnamed(draft)
      const index = pickUnnamed(draft)
      if (index >= 0) close(draft, index, "closed")
      return
    }
    case "human-input/error": {
      hear(draft, frame.invokeid)
      const index = pick(draft, frame.invokeid)
      const prompt = draft.prompts[index]
      if (prompt?.state === "open")
        draft.setPrompt(index, { ...prompt, state: "closed", errors: [body.message ?? "error"] })
      return
    }
    case "human-input/validation-failed": {
      const index = pick(draft, frame.invokeid)
      if (index >= 0) refuse(draft, index, body.errors)
      return
    }
  }
}

/** On whose behalf a person is waited for; what names nobody ends the latest wait. */
function foldAsked(draft: RunBuilder, { body, invokeid, ts }: EventFrame): void {
  const asker = askingSession(draft, invokeid)
  if (body.type === "human-input/start") {
    if (asker === null || body.inputKind === "progress" || body.inputKind === "custom") return
    draft.asked = [...draft.asked, asker].slice(-UNHEARD_KEPT)
    recordStage(draft, asker, ts)
    return
  }
  if (draft.asked.length === 0 || body.type === "human-input/validation-failed") return
  const named = asker === null ? -1 : draft.asked.indexOf(asker)
  const place = named < 0 ? draft.asked.length - 1 : named
  const settled = draft.asked[place]
  draft.asked = draft.asked.toSpliced(place, 1)
  if (settled !== undefined) recordStage(draft, settled, ts)
}

/** A question that is asked of somebody, whose prompt we do not have. */
function foldStart(draft: RunBuilder, { invokeid, ts }: EventFrame, { inputKind, prompt }: Start): void {
  if (inputKind === "progress" || inputKind === "custom") return
  const known = draft.prompts.some(
    one => one.frame.invokeid === invokeid && (one.state === "open" || isSent(one, one.state)),
  )
  if (known) return
  const unheard = { invokeid, question: prompt ?? "", session: askingSession(draft, invokeid), ts }
  draft.unheard = [...draft.unheard, unheard].slice(-UNHEARD_KEPT)
}

type Start = Extract<EventFrame["body"], { readonly type: "human-input/start" }>

/** The oldest question of an invokeid whose prompt was missing has come, or is settled. */
function hear(draft: RunBuilder, invokeid: string | null): void {
  const at = draft.unheard.findIndex(one => one.invokeid === invokeid)
  if (at >= 0) draft.unheard = draft.unheard.toSpliced(at, 1)
}

/** Events that name nobody concern the missing prompt where no other could be meant. */
function hearUnnamed(draft: RunBuilder): void {
  const other = draft.prompts.some(one => one.state === "open" || isSent(one, "cancelled"))
  if (draft.unheard.length === 1 && !other) draft.unheard = []
}

/** A prompt of this invokeid whose answer is on its way, else the oldest open one, else one whose cancel came too late. */
function pick(draft: RunBuilder, invokeid: string | null): number {
  const find = (wanted: (prompt: Prompt) => boolean) =>
    draft.prompts.findIndex(prompt => prompt.frame.invokeid === invokeid && wanted(prompt))
  const awaited = find(prompt => isSent(prompt, "answered"))
  if (awaited >= 0) return awaited
  const open = find(prompt => prompt.state === "open")
  return open >= 0 ? open : find(prompt => isSent(prompt, "cancelled"))
}

/** The answer was not accepted: the prompt is open again, unless it overtook this event and was asked anew already. */
function refuse(draft: RunBuilder, index: number, errors: readonly string[]): void {
  const prompt = draft.prompts[index]
  if (prompt === undefined) return
  const anew = draft.latestPrompt(prompt.frame.promptId)
  const asked = draft.prompts[anew]
  if (anew > index && asked !== undefined) {
    close(draft, index, "closed")
    if (asked.state === "open") draft.setPrompt(anew, { ...asked, errors })
    return
  }
  draft.setPrompt(index, { ...prompt, state: "open", answer: null, confirmed: false, errors })
}

/** Events that name nobody concern our own cancelled prompt, else the only open one. */
function pickUnnamed(draft: RunBuilder): number {
  const ours = draft.prompts.findIndex(p => isSent(p, "cancelled"))
  if (ours >= 0) return ours
  const open = draft.prompts.filter(p => p.state === "open")
  return open.length === 1 ? draft.prompts.findIndex(p => p.state === "open") : -1
}

function isSent(prompt: Prompt, state: Prompt["state"]): boolean {
  return prompt.answer !== null && !prompt.confirmed && prompt.state === state
}

function close(draft: RunBuilder, index: number, state: Prompt["state"], said: string | null = null): void {
  const prompt = draft.prompts[index]
  if (prompt !== undefined)
    draft.setPrompt(index, { ...prompt, state, reportedAnswer: said, confirmed: true, errors: [] })
}

/** A new epoch forgets what the old one asked; what came with the new attachment was asked by the new one. */
export function forgetPrompts(draft: RunBuilder): void {
  if (draft.unheard.length > 0) draft.unheard = []
  if (!draft.prompts.some(p => p.state === "open" || isSent(p, p.state))) return
  draft.prompts.forEach((prompt, index) => {
    const fresh = draft.attach.beforeFirstEvent && prompt.beforeFirstEvent && prompt.attachment === draft.attach.count
    if (fresh) return
    const sent = isSent(prompt, prompt.state)
    if (sent) tellLost(draft, prompt)
    if (
      (sent || prompt.state === "open") &&
      draft.attach.beforeFirstEvent &&
      prompt.repeatedIn === draft.attach.count
    ) {
      // The new run asks under the same id: an answer to the old one is none of its business.
      draft.setPrompt(index, { ...prompt, state: "open", answer: null, confirmed: false, errors: [] })
    } else if (prompt.state === "open") draft.setPrompt(index, { ...prompt, state: "closed" })
    else if (sent) draft.setPrompt(index, { ...prompt, confirmed: true, lost: true })
  })
}

/** An answer that nobody is left to take: the log says so, and the question keeps it (docs/decisions.md 3.1). */
function tellLost(draft: RunBuilder, { title }: Prompt): void {
  const why = "not seen to arrive, and the run is another; it can be read where the question was asked"
  const row = {
    frame: frameNumber(draft),
    epoch: draft.epochIndex,
    seq: null,
    ts: draft.lastTs,
    session: null,
  } as const
  draft.addRow({ ...row, level: "warning", what: { kind: "timed-out", op: `answer to ${title}`, why } }, null)
}
