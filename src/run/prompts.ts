import type { AnswerFrame, EventFrame, PromptFrame } from "../protocol/frame.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { askingSession } from "./asking-session.ts"
import { frameNumber, type Prompt } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"
import { recordStage } from "./stages.ts"

/** Questions whose prompt never came that are kept; of one invokeid there is mostly one. */
const UNHEARD_KEPT = 64

/** A prompt opens, unless the hub only repeats one that stands already (docs/decisions.md 3.1). */
export function foldPrompt(builder: RunBuilder, frame: PromptFrame): void {
  hear(builder, frame.invokeid)
  const known = builder.run.prompts[builder.latestPrompt(frame.promptId)]
  if (known !== undefined && isRepeat(builder, known)) {
    // Whoever attaches is told before any event whether the run is another one: then this is its own question.
    if (builder.run.attachment.beforeFirstEvent)
      builder.setPrompt(known.key - 1, { ...known, frame, repeatedIn: builder.run.attachment.count })
    return
  }
  const prompt: Prompt = {
    key: builder.run.prompts.length + 1,
    frame,
    title: frame.invokeid === null ? sanitizeLine(frame.promptId) : sanitizeLine(frame.invokeid),
    session: askingSession(builder, frame.invokeid),
    state: "open",
    answer: null,
    reportedAnswer: null,
    confirmed: false,
    lost: false,
    errors: [],
    attachment: builder.run.attachment.count,
    beforeFirstEvent: builder.run.attachment.beforeFirstEvent,
    repeatedIn: null,
    ts: builder.run.lastTs,
  }
  builder.setPrompt(builder.run.prompts.length, prompt)
}

/** Open ones are repeated; so is one whose answer is under way, until the agent is seen to have it. */
function isRepeat(builder: RunBuilder, known: Prompt): boolean {
  if (known.state === "open") return true
  return known.answer !== null && !known.confirmed && known.attachment !== builder.run.attachment.count
}

/** Our own answer, live or recorded: the prompt is answered, the agent has yet to say that it knows. */
export function foldAnswer(builder: RunBuilder, frame: AnswerFrame): void {
  const index = builder.latestPrompt(frame.promptId)
  const prompt = builder.run.prompts[index]
  if (prompt === undefined || prompt.state !== "open") return
  builder.setPrompt(index, {
    ...prompt,
    state: frame.cancelled ? "cancelled" : "answered",
    answer: frame,
    errors: [],
    repeatedIn: null,
  })
}

/** Folds a `human-input/*` event: who it closes is settled in docs/decisions.md 3.2. */
export function foldHumanInput(builder: RunBuilder, frame: EventFrame): void {
  const body = frame.body
  foldAsked(builder, frame)
  switch (body.type) {
    case "human-input/start":
      foldStart(builder, frame, body)
      return
    case "human-input/answer": {
      hear(builder, frame.invokeid)
      const index = pick(builder, frame.invokeid)
      if (index >= 0) close(builder, index, "answered", body.shown)
      return
    }
    case "human-input/cancelled": {
      hearUnnamed(builder)
      const index = pickUnnamed(builder)
      if (index >= 0) close(builder, index, "cancelled")
      return
    }
    case "human-input/interrupted": {
      hearUnnamed(builder)
      const index = pickUnnamed(builder)
      if (index >= 0) close(builder, index, "closed")
      return
    }
    case "human-input/error": {
      hear(builder, frame.invokeid)
      const index = pick(builder, frame.invokeid)
      const prompt = builder.run.prompts[index]
      if (prompt?.state === "open")
        builder.setPrompt(index, { ...prompt, state: "closed", errors: [body.message ?? "error"] })
      return
    }
    case "human-input/validation-failed": {
      const index = pick(builder, frame.invokeid)
      if (index >= 0) refuse(builder, index, body.errors)
      return
    }
  }
}

/** On whose behalf a person is waited for; what names nobody ends the latest wait. */
function foldAsked(builder: RunBuilder, { body, invokeid, ts }: EventFrame): void {
  const asker = askingSession(builder, invokeid)
  if (body.type === "human-input/start") {
    if (asker === null || body.inputKind === "progress" || body.inputKind === "custom") return
    builder.run.askingSessions = [...builder.run.askingSessions, asker].slice(-UNHEARD_KEPT)
    recordStage(builder, asker, ts)
    return
  }
  if (builder.run.askingSessions.length === 0 || body.type === "human-input/validation-failed") return
  const named = asker === null ? -1 : builder.run.askingSessions.indexOf(asker)
  const place = named < 0 ? builder.run.askingSessions.length - 1 : named
  const settled = builder.run.askingSessions[place]
  builder.run.askingSessions = builder.run.askingSessions.toSpliced(place, 1)
  if (settled !== undefined) recordStage(builder, settled, ts)
}

/** A question that is asked of somebody, whose prompt we do not have. */
function foldStart(builder: RunBuilder, { invokeid, ts }: EventFrame, { inputKind, prompt }: Start): void {
  if (inputKind === "progress" || inputKind === "custom") return
  const known = builder.run.prompts.some(
    one => one.frame.invokeid === invokeid && (one.state === "open" || isSent(one, one.state)),
  )
  if (known) return
  const unheard = { invokeid, question: prompt ?? "", session: askingSession(builder, invokeid), ts }
  builder.run.missingPrompts = [...builder.run.missingPrompts, unheard].slice(-UNHEARD_KEPT)
}

type Start = Extract<EventFrame["body"], { readonly type: "human-input/start" }>

/** The oldest question of an invokeid whose prompt was missing has come, or is settled. */
function hear(builder: RunBuilder, invokeid: string | null): void {
  const at = builder.run.missingPrompts.findIndex(one => one.invokeid === invokeid)
  if (at >= 0) builder.run.missingPrompts = builder.run.missingPrompts.toSpliced(at, 1)
}

/** Events that name nobody concern the missing prompt where no other could be meant. */
function hearUnnamed(builder: RunBuilder): void {
  const other = builder.run.prompts.some(one => one.state === "open" || isSent(one, "cancelled"))
  if (builder.run.missingPrompts.length === 1 && !other) builder.run.missingPrompts = []
}

/** A prompt of this invokeid whose answer is on its way, else the oldest open one, else one whose cancel came too late. */
function pick(builder: RunBuilder, invokeid: string | null): number {
  const find = (wanted: (prompt: Prompt) => boolean) =>
    builder.run.prompts.findIndex(prompt => prompt.frame.invokeid === invokeid && wanted(prompt))
  const awaited = find(prompt => isSent(prompt, "answered"))
  if (awaited >= 0) return awaited
  const open = find(prompt => prompt.state === "open")
  return open >= 0 ? open : find(prompt => isSent(prompt, "cancelled"))
}

/** The answer was not accepted: the prompt is open again, unless it overtook this event and was asked anew already. */
function refuse(builder: RunBuilder, index: number, errors: readonly string[]): void {
  const prompt = builder.run.prompts[index]
  if (prompt === undefined) return
  const anew = builder.latestPrompt(prompt.frame.promptId)
  const asked = builder.run.prompts[anew]
  if (anew > index && asked !== undefined) {
    close(builder, index, "closed")
    if (asked.state === "open") builder.setPrompt(anew, { ...asked, errors })
    return
  }
  builder.setPrompt(index, { ...prompt, state: "open", answer: null, confirmed: false, errors })
}

/** Events that name nobody concern our own cancelled prompt, else the only open one. */
function pickUnnamed(builder: RunBuilder): number {
  const ours = builder.run.prompts.findIndex(p => isSent(p, "cancelled"))
  if (ours >= 0) return ours
  const open = builder.run.prompts.filter(p => p.state === "open")
  return open.length === 1 ? builder.run.prompts.findIndex(p => p.state === "open") : -1
}

function isSent(prompt: Prompt, state: Prompt["state"]): boolean {
  return prompt.answer !== null && !prompt.confirmed && prompt.state === state
}

function close(builder: RunBuilder, index: number, state: Prompt["state"], said: string | null = null): void {
  const prompt = builder.run.prompts[index]
  if (prompt !== undefined)
    builder.setPrompt(index, { ...prompt, state, reportedAnswer: said, confirmed: true, errors: [] })
}

/** A new epoch forgets what the old one asked; what came with the new attachment was asked by the new one. */
export function forgetPrompts(builder: RunBuilder): void {
  if (builder.run.missingPrompts.length > 0) builder.run.missingPrompts = []
  if (!builder.run.prompts.some(p => p.state === "open" || isSent(p, p.state))) return
  builder.run.prompts.forEach((prompt, index) => {
    const fresh =
      builder.run.attachment.beforeFirstEvent &&
      prompt.beforeFirstEvent &&
      prompt.attachment === builder.run.attachment.count
    if (fresh) return
    const sent = isSent(prompt, prompt.state)
    if (sent) tellLost(builder, prompt)
    if (
      (sent || prompt.state === "open") &&
      builder.run.attachment.beforeFirstEvent &&
      prompt.repeatedIn === builder.run.attachment.count
    ) {
      // The new run asks under the same id: an answer to the old one is none of its business.
      builder.setPrompt(index, { ...prompt, state: "open", answer: null, confirmed: false, errors: [] })
    } else if (prompt.state === "open") builder.setPrompt(index, { ...prompt, state: "closed" })
    else if (sent) builder.setPrompt(index, { ...prompt, confirmed: true, lost: true })
  })
}

/** An answer that nobody is left to take: the log says so, and the question keeps it (docs/decisions.md 3.1). */
function tellLost(builder: RunBuilder, { title }: Prompt): void {
  const why = "not seen to arrive, and the run is another; it can be read where the question was asked"
  const row = {
    frame: frameNumber(builder.run),
    epoch: builder.epochIndex,
    seq: null,
    ts: builder.run.lastTs,
    session: null,
  } as const
  builder.addRow({ ...row, level: "warning", what: { kind: "timed-out", op: `answer to ${title}`, why } }, null)
}
