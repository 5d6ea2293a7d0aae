// The form of a re-run, and the review before it is sent.
import type { Op } from "../../../packages/wire/src/command.ts"
import type { Branch, Decoded } from "../../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { KnownDebugger, Run } from "../../run/model/run.ts"
import { clamp } from "../../view/cursor-step.ts"
import type { Direction, RerunField } from "../../view/intent.ts"
import { EFFECT_MS } from "../../view/pending-ops.ts"
import { both, change, frontOverlay, nothing, notice, type Plan } from "../../view/plan-result.ts"
import type { Happening } from "../../view/slice.ts"
import type { State } from "../../view/state.ts"
import { changed, NOTICE_MS, type View } from "../../view/view.ts"
import { close, down, pageDown } from "../common/keys.ts"
import { invokeidOf, keepRerun, type RerunDraft, rerunRefusal, reruns } from "../common/open-rerun.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText } from "../common/pager/pager-text.ts"
import { bind, type KeyBinding, type OwnScope, type Panel, stepBy } from "../common/panel.ts"
import { send } from "../common/send-op.ts"
import { reviewLines } from "./lines.ts"
import { candidates } from "./model-name.ts"
import {
  capturedTurn,
  conversationOf,
  emptyWords,
  foreignWords,
  formAt,
  overridesOf,
  rerunFields,
  rerunPlace,
  rerunText,
  turnNumbers,
  withText,
} from "./rerun-draft.ts"

const review = bind("rerun/review", ["enter"], "review the changes before sending", "preview diff check", {
  hint: "review",
  when: isLoaded,
})
const leave = bind("rerun/close", ["escape"], "close the form (edits stay)", "back cancel", {
  hint: "close",
  intent: () => ({ type: "front/close" }),
})
const nextField = bind("rerun/next-field", ["tab"], "next field", "forward input", {
  hint: "field",
  when: isLoaded,
  ...stepBy("rerun/field", 1),
})
const lastField = bind("rerun/previous-field", ["shift-tab"], "previous field", "backward input", {
  ...stepBy("rerun/field", -1),
})
const fieldKeys: readonly KeyBinding[] = [review, leave, nextField, lastField]

const pickKeys: readonly KeyBinding[] = [
  bind("rerun/pick-next", ["down"], "next or previous turn or model", "choose select", {
    hint: "choose",
    when: isLoaded,
    ...stepBy("rerun/pick", 1),
  }),
  bind("rerun/pick-previous", ["up"], "next or previous turn or model", "choose select", {
    ...stepBy("rerun/pick", -1),
  }),
]

/** The form has a field that is picked, fields of one line, and texts of many lines, in which arrows move the caret. */
const scopes: readonly OwnScope[] = [
  { id: "form", kind: "form", keys: [...fieldKeys, ...pickKeys] },
  { id: "form-line", kind: "form", others: "text", keys: [...fieldKeys, ...pickKeys] },
  { id: "form-text", kind: "form", others: "text", keys: fieldKeys },
  {
    id: "review",
    kind: "review",
    keys: [
      bind("rerun/send", ["enter"], "start the re-run", "rerun branch confirm", { hint: "run it" }),
      close,
      down,
      pageDown,
    ],
  },
]

/** The turn is picked, model and temperature are one line of text, the others are texts of many lines. */
const SCOPES: { readonly [field: string]: string } = { turn: "form", model: "form-line", temperature: "form-line" }

export const rerunPanel = {
  follow: followRerun,
  keys: { group: "Debugger", scopes },
  updates: {
    "rerun/text": (state, { session, field, text }) => edit(state, session, field, text),
    "rerun/edit": (state, { field }) => inForm(state, draft => keepRerun(state, { ...draft, field })),
    "rerun/choose": (state, { index }) => inForm(state, draft => choose(state, draft, index)),
    "rerun/field": (state, { step }) => inForm(state, draft => toField(state, draft, step)),
    "rerun/pick": (state, { step }) => inForm(state, draft => pick(state, draft, step)),
    "rerun/review": (state, _, { now }) => inForm(state, draft => planReview(state, draft, now)),
    "rerun/send": (state, _, { now }) => {
      const front = frontOverlay(state, "review")
      return front === null ? nothing : rerun(state, formAt(state, front.session), now)
    },
  },
  overlays: {
    rerun: {
      drawn: { type: "rerun" },
      front: ({ session }, state) => ({
        scope: SCOPES[formAt(state, session).field] ?? "form-text",
        move: () => nothing,
        measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      }),
    },
    review: pageOverlay(
      (state, { session }, place) => ({
        title: "RE-RUN  what changes · costs money",
        text: linesText(reviewLines(state, session, place)),
      }),
      "review",
    ),
  },
} satisfies Panel

/** Whether there is something to edit. */
function isLoaded(state: State): boolean {
  const front = frontOverlay(state, "rerun")
  return front !== null && capturedTurn(state.run, formAt(state, front.session)) !== null
}

/** What a key does to the form in front, or in its review; nothing elsewhere. */
function inForm(state: State, update: (draft: RerunDraft) => Plan): Plan {
  const front = frontOverlay(state, "rerun") ?? frontOverlay(state, "review")
  return front === null ? nothing : update(formAt(state, front.session))
}

function edit(state: State, session: SessionId, field: RerunField, text: string): Plan {
  const draft = reruns.of(state.view).drafts.find(one => one.session === session)
  const captured = draft && capturedTurn(state.run, draft)
  if (draft === undefined || captured == null) return nothing
  const next = withText(captured.turn, draft, field, text)
  return next === draft ? nothing : keepRerun(state, next)
}

function toField(state: State, draft: RerunDraft, step: Direction): Plan {
  const fields = rerunFields(capturedTurn(state.run, draft)?.turn ?? null)
  const at = fields.indexOf(draft.field)
  return keepRerun(state, { ...draft, field: fields[(at + step + fields.length) % fields.length] ?? "turn" })
}

/** The next turn, or the next model of the catalog; the other fields have nothing to pick from. */
function pick(state: State, draft: RerunDraft, step: Direction): Plan {
  const captured = capturedTurn(state.run, draft)
  const conversation = conversationOf(state.run, draft.session)
  if (captured === null || conversation === null) return nothing
  if (draft.field === "turn") {
    const numbers = turnNumbers(conversation)
    return choose(state, draft, clamp(numbers.indexOf(captured.number) + step, 0, numbers.length - 1))
  }
  const names = candidates(state.run.models.catalog)
  const at = names.indexOf(rerunText(captured.turn, draft, "model"))
  return choose(state, draft, at < 0 && step < 0 ? names.length - 1 : (at + step + names.length) % names.length)
}

function choose(state: State, draft: RerunDraft, index: number): Plan {
  const captured = capturedTurn(state.run, draft)
  const conversation = conversationOf(state.run, draft.session)
  if (captured === null || conversation === null) return nothing
  if (draft.field === "turn") return keepRerun(state, { ...draft, turn: turnNumbers(conversation)[index] ?? null })
  const name = candidates(state.run.models.catalog)[index]
  if (draft.field !== "model" || name === undefined) return nothing
  return keepRerun(state, withText(captured.turn, draft, "model", name))
}

function planReview(state: State, draft: RerunDraft, now: number): Plan {
  const op = opOf(state, draft)
  if (typeof op === "string") return notice(`Can't re-run yet: ${op}`, "warning", now)
  return change({ overlays: [...state.view.overlays, { type: "review", session: draft.session, top: 0 }] })
}

/** Sends the re-run. The form stays with its edits until a branch starts. */
function rerun(state: State, draft: RerunDraft, now: number): Plan {
  const op = opOf(state, draft)
  if (typeof op === "string") return notice(`Can't re-run: ${op}`, "warning", now)
  const overlays = state.view.overlays.slice(0, -1)
  const sent = both(keepRerun(state, { ...draft, sentAt: now, error: null }), change({ overlays }))
  return both(sent, send(state, op, now))
}

function opOf(state: State, draft: RerunDraft): Op | string {
  const { run, view } = state
  const why = rerunRefusal(state, draft.session)
  if (why !== null) return why
  if (view.control.ops.some(({ op }) => op === "rerun-from")) return "a re-run is already starting"
  const captured = capturedTurn(run, draft)
  if (captured === null)
    return foreignWords(run, draft, null) ?? emptyWords(run, draft.session) ?? "the conversation is still loading"
  const session = sessionById(run, draft.session)
  const invokeid = invokeidOf(state, draft.session)
  if (session === undefined || invokeid === null) return "the session is gone"
  const place = rerunPlace(run, draft.session)
  if (place === null) return "the agent doesn't say where these turns are captured"
  const overrides = overridesOf(captured.turn, draft, run.models.catalog)
  if (typeof overrides === "string") return overrides
  const { nodeId, visit } = place
  const { sessionId } = session
  return { type: "rerun-from", sessionId, invokeid, nodeId, visit, turn: captured.number, overrides }
}

/** The view after a change of the run, or the same one. */
function followRerun(view: View, happened: Happening): View {
  if (happened.type === "frames") return settled(view, happened.before.debug, happened.frames)
  return happened.type === "shown" ? followBranch(happened.run, view) : view
}

/** The agent's result of a re-run. `before` is the result before. */
function settled(view: View, before: KnownDebugger | null, frames: readonly Decoded[]): View {
  if (!reruns.of(view).drafts.some(draft => draft.sentAt !== null)) return view
  let known = before?.branch?.sessionId ?? null
  let next = view
  for (const line of frames) {
    if (line.kind !== "debug") continue
    const { branch, branchError } = line
    if (branchError !== null) next = failed(next, branchError)
    else if (branch != null && branch.sessionId !== known) next = started(next, branch)
    if (branch !== undefined) known = branch?.sessionId ?? null
  }
  return next
}

function failed(view: View, error: string): View {
  const drafts = reruns.of(view).drafts.map(one => (one.sentAt === null ? one : { ...one, sentAt: null, error }))
  return changed(view, reruns.put(view, { drafts }))
}

function started(view: View, branch: Branch): View {
  const { drafts } = reruns.of(view)
  const sent = drafts.find(draft => draft.sentAt !== null)
  if (sent === undefined || sent.sentAt === null) return view
  const isItsOwn = (overlay: View["overlays"][number]) =>
    (overlay.type === "rerun" || overlay.type === "review") && overlay.session === sent.session
  const name = branch.sessionId === null ? "" : ` ${sanitizeLine(branch.sessionId)}`
  const until = sent.sentAt + EFFECT_MS + NOTICE_MS
  return changed(view, {
    ...reruns.put(view, { drafts: drafts.filter(draft => draft !== sent), branch: branch.sessionId }),
    overlays: view.overlays.filter(overlay => !isItsOwn(overlay)),
    notice: { text: `The branch${name} has started`, level: "info", until },
  })
}

/** Selects the session of a branch of ours as soon as it is there. */
function followBranch(run: Run, view: View): View {
  const { branch } = reruns.of(view)
  const session = branch === null ? undefined : run.sessions.findLast(one => one.sessionId === branch)
  if (session === undefined) return view
  const group = run.invocations[session.invocation]?.id
  return changed(view, {
    ...reruns.put(view, { branch: null }),
    list: {
      selected: { type: "session", session: session.id },
      pinned: true,
      folded: view.list.folded.filter(one => one !== group),
    },
  })
}
