// Lists the stories of the three panes, and of what is around them.
import { NOW } from "../screen/screen.tsx"
import { come, command, dispatch, press, type Story, story, type } from "./story.ts"

const URL = "ws://127.0.0.1:3737/ws"
const lost = { state: "lost", url: URL, since: 1_773_479_101_700, retryAt: 1_773_479_117_700, why: "closed" } as const
const ended = (event: string, data: object) => come({ kind: "event", seq: 819, ts: 1_773_479_115_000, event, data })

const around: readonly Story[] = [
  story("screen", "before-the-first-frame", "a live run that has not begun", /waiting/, {
    says: ["Waiting for the first session", "No session to read yet", "No events yet"],
  }),
  story("screen", "not-connected", "an agent that was never there", /not connected/, {
    did: [dispatch({ type: "link", link: { ...lost, everOpen: false, since: NOW, retryAt: NOW + 4000 }, now: NOW })],
    says: ["No connection to 127.0.0.1:3737: closed. Trying again in", "retrying in 4s"],
  }),
  story("screen", "under-way", "a planner that is done and four drafts at once, one of them failing", /drafting/, {
    recording: "demo",
    frames: 826,
    says: ["3 running", "▾ drafter 1/4", "▮▮▮▮▯  88%", "so far", "connection reset by peer", "Nobody"],
  }),
  story("screen", "not-understood", "lines that are no frames", /drafting/, {
    recording: "demo",
    frames: 826,
    did: [come(["neither"], [])],
    says: ["! 2 not understood"],
  }),
  story("screen", "leaving", "Ctrl-C once in a live run", /drafting/, {
    recording: "demo",
    frames: 826,
    did: [press("ctrl-c")],
    says: ["Press Ctrl-C again to end the run and quit"],
  }),
  story("screen", "finished", "the real run of a haiku tournament, over", /Run finished/, {
    recording: "haiku",
    did: [come({ kind: "control", op: "run-finished", "final-config": "[:done]" })],
    says: ["asked", "result", "First snow falls", "2 errors", "connection reset by peer", "T time", "x export"],
  }),
  story("screen", "failed", "a run that ended with an error", /✗ Run failed/, {
    recording: "demo",
    frames: 826,
    did: [ended("runner/error", { message: "no model is left for drafter 3" })],
    says: ["✗ Run failed  no model is left for drafter 3", "! went wrong"],
  }),
  story(
    "screen",
    "one-session",
    "the only session of an agent CLI while it works",
    /claude-opus-5-5 ─[\s\S]*turn 3 of 3/,
    {
      recording: "one-session",
      frames: 24,
      says: ["1 tool failed", "▸ Bash  $ cat note.txt", "Exit code 1", "I have ▌"],
    },
  ),
  story("screen", "one-session-over", "the same, over", /claude-opus-5-5 ─[\s\S]*turn 3 of 3/, {
    recording: "one-session",
    replayed: true,
    says: ["! 1 tool failed", "✓ finished", "v why"],
  }),
  story("screen", "connection-lost", "the agent is gone, and is tried again", /✗ disconnected/, {
    recording: "demo",
    frames: 826,
    did: [dispatch({ type: "link", link: { ...lost, everOpen: true }, now: 1_773_479_113_700 })],
    says: ["last seen 12s ago", "reconnecting…", "Ctrl-C leaves"],
  }),
  story("screen", "paused", "a debugger holds the run", /PAUSED/, {
    recording: "debugger",
    frames: 18,
    did: [come({ kind: "debug", paused: true, "step-budget": 0 })],
    says: ["s step", "c continue"],
  }),
  story("screen", "turn-gate", "a turn gate holds the run", /PAUSED {2}(before )?turn/, {
    recording: "debugger",
    frames: 18,
    did: [come({ kind: "debug", paused: false, "step-budget": 0, mode: "paused-at-turn", "turn-index": 1 })],
    says: ["before turn 2", "s run it"],
  }),
]

const ROWS = /─ SESSIONS [\s\S]*└─ \d+ of \d+/
const sixty = { recording: "parallel-60", frames: 900 } as const

const live: readonly Story[] = [
  story("live", "empty", "a recording without sessions", /─ SESSIONS/, {
    replayed: true,
    says: ["Reading the recording…"],
  }),
  story("live", "crowded", "sixty sessions under six invocations, most of them at work, the last one selected", ROWS, {
    ...sixty,
    did: [press("G")],
    says: ["47 running", "waiting for first token", "3 done"],
  }),
  story("live", "folded", "the same, each invocation folded to one row", ROWS, {
    ...sixty,
    did: [press("z")],
    says: ["▸ lightship-watch 2/10 8 running"],
  }),
  story("live", "finished", "sixty sessions that are all done: each invocation is one row", ROWS, {
    recording: "parallel-60",
    says: ["▸ north-watch 10/10", "3 of 6", "What does buoy 1 see?", "the run", "lightship-wat…"],
  }),
  story("live", "sorted", "all sessions without their groups, what needs a person first, one pinned", ROWS, {
    recording: "demo",
    frames: 826,
    did: [press("*", "S", "j", "enter")],
    says: ["S sort: what needs you first"],
  }),
  story("live", "filtered", "a part of the sixty, found by parts of their names", ROWS, {
    ...sixty,
    did: [press("/"), type("fer 1")],
    says: ["▾ ferry-watch 3/10 7 running", "─ ferry-watch 1 ─", "2 of 3", "/ fer 1"],
  }),
  story("live", "no-match", "a filter that no session passes", /No session matches/, {
    ...sixty,
    did: [press("/"), type("zzz")],
    says: ["No session matches zzz. Esc shows all", "/ zzz"],
  }),
]

const text: readonly Story[] = [
  story("transcript", "empty", "no session yet", /─ READER/, {
    did: [press("tab")],
    says: ["No session to read yet"],
  }),
  story("transcript", "waiting", "a session before its first token", /─ planner/, {
    recording: "demo",
    frames: 4,
    did: [press("tab")],
    says: ["Waiting for the first token"],
  }),
  story("transcript", "streaming", "a drafter's reply while it comes", /─ drafter/, {
    recording: "demo",
    frames: 700,
    did: [press("tab")],
    says: ["other when the ferry▌"],
  }),
  story("transcript", "opened", "a long reply from its first line", /─ scribe/, {
    recording: "demo",
    did: [press("enter", "g")],
    says: ["You put reviewed parts together and change", "▌✓ scribe"],
  }),
  story("transcript", "cards", "thinking and tool calls as cards, folded", /─ reviewer ─/, {
    recording: "demo",
    frames: 1600,
    did: [press("enter", "z")],
    says: ["▸ thinking", "▸ check_times"],
  }),
]

const LOG = [press("shift-tab")]
const demo = { recording: "demo" } as const

const log: readonly Story[] = [
  story("log", "empty", "before the first frame", /─ LOG/, { did: LOG, says: ["No events yet"] }),
  story("log", "typical", "the rows of the demo, followed", /─ LOG +68/, {
    ...demo,
    did: LOG,
    says: ["── done ── from deciding", "Marit, harbour office"],
  }),
  story("log", "crowded", "sixty sessions' rows, read from the first", /─ LOG +\d/, {
    recording: "parallel-60",
    did: [...LOG, press("g")],
    says: ["LOG  244 · paused · End follows", "started  :harbour/watch", "1 of 244"],
  }),
  story("log", "filtered", "only errors and warnings", /f error or warning/, {
    ...demo,
    did: [...LOG, ...command("f", "error or warning")],
    says: ["LOG  6 of 68 · f error or warning", "! retry    1 of 3"],
  }),
  story("log", "no-match", "a filter that no row passes", /No rows match/, {
    ...demo,
    did: [...LOG, ...command("f", "zzz")],
    says: ["LOG  0 of 68", "No rows match. f edits the filter"],
  }),
  story("log", "filter-mistyped", "a filter with a mistake, marked where it is", /error tokens>x/, {
    ...demo,
    did: [...LOG, press("f"), type("error tokens>x")],
    says: ["expected a number after tokens, such as 250, 0.5 or 4k"],
  }),
  story("log", "searched", "a search with hits, the cursor on one", /\/ text~"draft"/, {
    ...demo,
    did: [...LOG, ...command("/", "draft")],
    says: ["9 of 9", "63 of 68"],
  }),
  story("log", "bookmark-note", "a note is typed for a bookmark", /look here/, {
    ...demo,
    did: [...LOG, press("M"), type("look here")],
    says: ["M look here", "Enter accept"],
  }),
  story("log", "clock-times", "the clock's times in place of those since the start", /─ LOG +68/, {
    ...demo,
    did: [...LOG, ...command(":", "show times")],
    says: ["by the clock", "09:06:00.997"],
  }),
]

const time: readonly Story[] = [
  story("time", "replay", "the bar of a recording that is played", /4×/, {
    recording: "demo",
    replayed: true,
    past: 1200,
    did: [dispatch({ type: "time", change: { playing: true, speed: 4 } })],
    says: ["PAST", "playing 4×", "40 later"],
  }),
  story("time", "past-of-a-live-run", "an earlier moment of a run that goes on, in which a question waits", /LIVE \+/, {
    recording: "demo",
    frames: 2035,
    past: 826,
    says: ["LIVE +1,209 ?1", "33 later", "826/2,035"],
  }),
  story("time", "go-to", "a moment or a condition is typed", /state=review/, {
    recording: "demo",
    replayed: true,
    did: [press(":"), type("state=review")],
    says: ["go to where state=review"],
  }),
]

export const paneStories: readonly Story[] = [...around, ...live, ...text, ...log, ...time]
