// Lists the stories of the three panes, and of what is around them.
import { NOW } from "../screen/screen.tsx"
import { come, command, debug, dispatch, press, type Story, story, type } from "./story.ts"

const URL = "ws://127.0.0.1:3737/ws"
const lost = { state: "lost", url: URL, since: 1_773_479_101_700, retryAt: 1_773_479_117_700, why: "closed" } as const
const ended = (event: string, data: object) => come({ kind: "event", seq: 819, ts: 1_773_479_115_000, event, data })

const demo = { recording: "demo" } as const
const drafting = { ...demo, frames: 826 } as const
const held = { recording: "debugger", frames: 18 } as const

const OPUS = /claude-opus-5-5 ─[\s\S]*turn 3 of 3/

const around: readonly Story[] = [
  story("screen", "before-the-first-frame", "a live run that has not begun", /waiting/),
  story("screen", "not-connected", "an agent that was never there", /not connected/, {
    did: [dispatch({ type: "link", link: { ...lost, everOpen: false, since: NOW, retryAt: NOW + 4000 }, now: NOW })],
  }),
  story("screen", "under-way", "a planner that is done and four drafts at once, one of them failing", /drafting/, {
    ...drafting,
  }),
  story("screen", "not-understood", "lines that are no frames", /drafting/, {
    ...drafting,
    did: [come(["neither"], [])],
  }),
  story("screen", "leaving", "Ctrl-C once in a live run", /drafting/, { ...drafting, did: [press("ctrl-c")] }),
  story("screen", "finished", "the real run of a haiku tournament, over", /Run finished/, {
    recording: "haiku",
    did: [come({ kind: "control", op: "run-finished", "final-config": "[:done]" })],
  }),
  story("screen", "failed", "a run that ended with an error", /✗ Run failed/, {
    ...drafting,
    did: [ended("runner/error", { message: "no model is left for drafter 3" })],
  }),
  story("screen", "one-session", "the only session of an agent CLI while it works", OPUS, {
    recording: "one-session",
    frames: 24,
  }),
  story("screen", "one-session-over", "the same, over", OPUS, { recording: "one-session", replayed: true }),
  story("screen", "connection-lost", "the agent is gone, and is tried again", /✗ disconnected/, {
    ...drafting,
    did: [dispatch({ type: "link", link: { ...lost, everOpen: true }, now: 1_773_479_113_700 })],
  }),
  story("screen", "paused", "a debugger holds the run", /PAUSED/, { ...held, did: [debug({ paused: true })] }),
  story("screen", "turn-gate", "a turn gate holds the run", /PAUSED {2}(before )?turn/, {
    ...held,
    did: [debug({ mode: "paused-at-turn", "turn-index": 1 })],
  }),
]

const ROWS = /─ SESSIONS [\s\S]*└─ \d+ of \d+/
const sixty = { recording: "parallel-60", frames: 900 } as const

const live: readonly Story[] = [
  story("live", "empty", "a recording without sessions", /─ SESSIONS/, { replayed: true }),
  story("live", "crowded", "sixty sessions under six invocations, most of them at work, the last one selected", ROWS, {
    ...sixty,
    did: [press("G")],
  }),
  story("live", "folded", "the same, each invocation folded to one row", ROWS, { ...sixty, did: [press("z")] }),
  story("live", "finished", "sixty sessions that are all done: each invocation is one row", ROWS, {
    recording: "parallel-60",
  }),
  story("live", "sorted", "all sessions without their groups, what needs a person first, one pinned", ROWS, {
    ...drafting,
    did: [press("*", "S", "j", "enter")],
  }),
  story("live", "filtered", "a part of the sixty, found by parts of their names", ROWS, {
    ...sixty,
    did: [press("/"), type("fer 1")],
  }),
  story("live", "no-match", "a filter that no session passes", /No session matches/, {
    ...sixty,
    did: [press("/"), type("zzz")],
  }),
]

const text: readonly Story[] = [
  story("transcript", "empty", "no session yet", /─ READER/, { did: [press("tab")] }),
  story("transcript", "waiting", "a session before its first token", /─ planner/, {
    ...demo,
    frames: 4,
    did: [press("tab")],
  }),
  story("transcript", "streaming", "a drafter's reply while it comes", /─ drafter/, {
    ...demo,
    frames: 700,
    did: [press("tab")],
  }),
  story("transcript", "opened", "a long reply from its first line", /─ scribe/, {
    ...demo,
    did: [press("enter", "g")],
  }),
  story("transcript", "cards", "thinking and tool calls as cards, folded", /─ reviewer ─/, {
    ...demo,
    frames: 1600,
    did: [press("enter", "z")],
  }),
]

const LOG = [press("shift-tab")]

const log: readonly Story[] = [
  story("log", "empty", "before the first frame", /─ LOG/, { did: LOG }),
  story("log", "typical", "the rows of the demo, followed", /─ LOG +68/, { ...demo, did: LOG }),
  story("log", "crowded", "sixty sessions' rows, read from the first", /─ LOG +\d/, {
    recording: "parallel-60",
    did: [...LOG, press("g")],
  }),
  story("log", "filtered", "only errors and warnings", /f error or warning/, {
    ...demo,
    did: [...LOG, ...command("f", "error or warning")],
  }),
  story("log", "no-match", "a filter that no row passes", /No rows match/, {
    ...demo,
    did: [...LOG, ...command("f", "zzz")],
  }),
  story("log", "filter-mistyped", "a filter with a mistake, marked where it is", /error tokens>x/, {
    ...demo,
    did: [...LOG, press("f"), type("error tokens>x")],
  }),
  story("log", "searched", "a search with hits, the cursor on one", /\/ text~"draft"/, {
    ...demo,
    did: [...LOG, ...command("/", "draft")],
  }),
  story("log", "bookmark-note", "a note is typed for a bookmark", /look here/, {
    ...demo,
    did: [...LOG, press("M"), type("look here")],
  }),
  story("log", "clock-times", "the clock's times in place of those since the start", /─ LOG +68/, {
    ...demo,
    did: [...LOG, ...command(":", "show times")],
  }),
]

const time: readonly Story[] = [
  story("time", "replay", "the bar of a recording that is played", /4×/, {
    ...demo,
    replayed: true,
    past: 1200,
    did: [dispatch({ type: "time", change: { playing: true, speed: 4 } })],
  }),
  story("time", "past-of-a-live-run", "an earlier moment of a run that goes on, in which a question waits", /LIVE \+/, {
    ...demo,
    frames: 2035,
    past: 826,
  }),
  story("time", "go-to", "a moment or a condition is typed", /state=review/, {
    ...demo,
    replayed: true,
    did: [press(":"), type("state=review")],
  }),
]

export const paneStories: readonly Story[] = [...around, ...live, ...text, ...log, ...time]
