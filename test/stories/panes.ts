// Lists the stories of the three panes, and of what is around them.
import { come, command, dispatch, press, type Story, type } from "./story.ts"

const URL = "ws://127.0.0.1:3737/ws"

const around: readonly Story[] = [
  {
    name: "screen-before-the-first-frame",
    panel: "screen",
    about: "a live run that has not begun",
    shows: /waiting/,
  },
  {
    name: "screen-under-way",
    panel: "screen",
    about: "four drafts at once, one of them failing",
    recording: "demo",
    frames: 826,
    shows: /drafting/,
  },
  {
    name: "screen-finished",
    panel: "screen",
    about: "the real run of a haiku tournament, over",
    recording: "haiku",
    did: [come({ kind: "control", op: "run-finished", "final-config": "[:done]" })],
    shows: /Run finished/,
  },
  {
    name: "screen-connection-lost",
    panel: "screen",
    about: "the agent is gone, and is tried again",
    recording: "demo",
    frames: 826,
    did: [
      dispatch({
        type: "link",
        link: {
          state: "lost",
          url: URL,
          since: 1_773_479_101_700,
          retryAt: 1_773_479_117_700,
          why: "closed",
          everOpen: true,
        },
        now: 1_773_479_113_700,
      }),
    ],
    shows: /✗ disconnected/,
  },
  {
    name: "screen-paused",
    panel: "screen",
    about: "a debugger holds the run",
    recording: "debugger",
    frames: 18,
    did: [come({ kind: "debug", paused: true, "step-budget": 0 })],
    shows: /PAUSED/,
  },
  {
    name: "screen-turn-gate",
    panel: "screen",
    about: "a turn gate holds the run",
    recording: "debugger",
    frames: 18,
    did: [come({ kind: "debug", paused: false, "step-budget": 0, mode: "paused-at-turn", "turn-index": 1 })],
    shows: /PAUSED {2}(before )?turn/,
  },
]

const live: readonly Story[] = [
  {
    name: "live-empty",
    panel: "live",
    about: "a recording without sessions",
    replayed: true,
    shows: /─ SESSIONS/,
  },
  {
    name: "live-typical",
    panel: "live",
    about: "a planner that is done and four drafters at work",
    recording: "demo",
    frames: 826,
    shows: /─ SESSIONS [\s\S]*└─ \d+ of \d+/,
  },
  {
    name: "live-crowded",
    panel: "live",
    about: "sixty sessions under six invocations, most of them at work, the last one selected",
    recording: "parallel-60",
    frames: 900,
    did: [press("G")],
    shows: /─ SESSIONS [\s\S]*└─ \d+ of \d+/,
  },
  {
    name: "live-folded",
    panel: "live",
    about: "the same, each invocation folded to one row",
    recording: "parallel-60",
    frames: 900,
    did: [press("z")],
    shows: /─ SESSIONS [\s\S]*└─ \d+ of \d+/,
  },
  {
    name: "live-finished",
    panel: "live",
    about: "sixty sessions that are all done: each invocation is one row",
    recording: "parallel-60",
    shows: /─ SESSIONS [\s\S]*└─ \d+ of 6/,
  },
  {
    name: "live-sorted",
    panel: "live",
    about: "all sessions without their groups, what needs a person first, one pinned",
    recording: "demo",
    frames: 826,
    did: [press("*", "S", "j", "enter")],
    shows: /─ SESSIONS [\s\S]*└─ \d+ of \d+/,
  },
  {
    name: "live-filtered",
    panel: "live",
    about: "a part of the sixty, found by letters of their names",
    recording: "parallel-60",
    frames: 900,
    did: [press("/"), type("fe1")],
    shows: /─ SESSIONS [\s\S]*└─ \d+ of \d+/,
  },
  {
    name: "live-haiku",
    panel: "live",
    about: "the real run: one session done, one failed",
    recording: "haiku",
    replayed: true,
    shows: /─ SESSIONS [\s\S]*└─ \d+ of \d+/,
  },
]

const text: readonly Story[] = [
  {
    name: "text-empty",
    panel: "transcript",
    about: "no session yet",
    did: [press("tab")],
    shows: /─ READER/,
  },
  {
    name: "text-waiting",
    panel: "transcript",
    about: "a session before its first token",
    recording: "demo",
    frames: 4,
    did: [press("tab")],
    shows: /─ planner/,
  },
  {
    name: "text-streaming",
    panel: "transcript",
    about: "a drafter's reply while it comes",
    recording: "demo",
    frames: 700,
    did: [press("tab")],
    shows: /─ drafter/,
  },
  {
    name: "text-opened",
    panel: "transcript",
    about: "a long reply, full screen, from its first line",
    recording: "demo",
    did: [press("enter", "g")],
    shows: /─ scribe/,
  },
  {
    name: "text-cards",
    panel: "transcript",
    about: "thinking and tool calls as cards, folded",
    recording: "demo",
    frames: 1600,
    did: [press("enter", "z")],
    shows: /─ reviewer ─/,
  },
]

const LOG = [press("shift-tab")]

const log: readonly Story[] = [
  { name: "log-empty", panel: "log", about: "before the first frame", did: LOG, shows: /─ LOG/ },
  {
    name: "log-typical",
    panel: "log",
    about: "the rows of the demo, followed",
    recording: "demo",
    did: LOG,
    shows: /─ LOG +68/,
  },
  {
    name: "log-crowded",
    panel: "log",
    about: "sixty sessions' rows, read from the first",
    recording: "parallel-60",
    did: [...LOG, press("g")],
    shows: /─ LOG +\d/,
  },
  {
    name: "log-filtered",
    panel: "log",
    about: "only errors and warnings",
    recording: "demo",
    did: [...LOG, ...command("f", "error or warning")],
    shows: /f error or warning/,
  },
  {
    name: "log-filter-mistyped",
    panel: "log",
    about: "a filter with a mistake, marked where it is",
    recording: "demo",
    did: [...LOG, press("f"), type("error tokens>x")],
    shows: /error tokens>x/,
  },
  {
    name: "log-searched",
    panel: "log",
    about: "a search with hits, the cursor on one",
    recording: "demo",
    did: [...LOG, ...command("/", "draft")],
    shows: /\/ text~"draft"/,
  },
  {
    name: "log-bookmark-note",
    panel: "log",
    about: "a note is typed for a bookmark",
    recording: "demo",
    did: [...LOG, press("M"), type("look here")],
    shows: /look here/,
  },
  {
    name: "log-clock-times",
    panel: "log",
    about: "the clock's times in place of those since the start",
    recording: "demo",
    did: [...LOG, ...command(":", "show times")],
    shows: /─ LOG +68/,
  },
]

const time: readonly Story[] = [
  {
    name: "time-replay",
    panel: "time",
    about: "the bar of a recording that is played",
    recording: "demo",
    replayed: true,
    past: 1200,
    did: [dispatch({ type: "time", change: { playing: true, speed: 4 } })],
    shows: /4×/,
  },
  {
    name: "time-past-of-a-live-run",
    panel: "time",
    about: "an earlier moment of a run that goes on, and a question that waits there",
    recording: "demo",
    frames: 2035,
    past: 826,
    shows: /LIVE \+/,
  },
  {
    name: "time-go-to",
    panel: "time",
    about: "a moment or a condition is typed",
    recording: "demo",
    replayed: true,
    did: [press(":"), type("state=review")],
    shows: /state=review/,
  },
]

export const paneStories: readonly Story[] = [...around, ...live, ...text, ...log, ...time]
