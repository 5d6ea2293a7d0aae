// The program itself: its notices, recordings and bug reports, and how it quits.
import type { ChoiceKind } from "../../../packages/wire/src/command.ts"
import { keyOf } from "../../keys/key-text.ts"
import { both, change, nothing, notice, only, type Plan, refuse, sendCommand } from "../../view/plan-result.ts"
import { readSession } from "../../view/select/shown-session.ts"
import { createSlice } from "../../view/slice.ts"
import { isGuest, isLive, isOver, isRecording, type State, talks } from "../../view/state.ts"
import { NOTICE_MS, type Notice } from "../../view/view.ts"
import { help, quit } from "../common/keys.ts"
import { BROWSE, bind, EVERYWHERE, type Opener, type OwnScope, type Panel, type PanelCommand } from "../common/panel.ts"
import { send } from "../common/send-op.ts"

const redraw = bind("program/redraw", ["ctrl-l"], "redraw", "refresh repaint clear")
const suspend = bind("program/suspend", ["ctrl-z"], "suspend (`fg` resumes)", "background stop shell")
/** The keyboard is nobody's: the question that had it closed by itself. What prints is still being typed. */
const nobody: OwnScope = { id: "nobody", kind: "nobody", others: "text", keys: [quit, redraw, suspend] }

const openers: readonly Opener[] = [
  { from: [...BROWSE, "home"], keys: [help] },
  {
    from: BROWSE,
    keys: [bind("program/record", ["R"], "record the whole run to a file; again: end it", "save capture jsonl")],
  },
  { from: ["form", "question"], keys: [{ ...help, keys: ["f1"] }] },
  {
    from: EVERYWHERE,
    keys: [
      bind(
        "program/report-bug",
        ["ctrl-g"],
        "save a bug report, with likely secrets removed, that `replay` can open",
        "problem issue debug",
      ),
    ],
  },
  {
    from: [...EVERYWHERE, "home"],
    keys: [redraw, bind("program/mouse", [], "mouse on or off", "click wheel select text"), suspend, quit],
  },
]

/** When Ctrl-C was pressed while the run is alive, epoch ms. */
export const leaving = createSlice<{ readonly at: number | null }>("leaving", { at: null })

/** Two presses of Ctrl-C within this time quit a run that is alive, ms. */
const QUIT_MS = 3000
/** The same for a word, which takes longer to type, ms. */
const QUIT_BY_WORD_MS = 30_000

export const programPanel = {
  keys: { group: "Program", openers, scopes: [nobody] },
  updates: {
    "notice/show": ({ view }, { text, level }, { now }) => {
      const shown = level === "info" ? text : withStanding(view.notice, text, now)
      return notice(shown, level ?? "warning", now, 3 * NOTICE_MS)
    },
    "notice/dismiss": ({ view }) => (view.notice === null ? nothing : change({ notice: null })),
    "program/quit": (state, _, { now }) => planQuit(state, now),
    "program/quit-by-word": (state, _, { now }) => planQuit(state, now, "Type /quit", QUIT_BY_WORD_MS),
    "program/interrupt": (state, _, { now }) => interrupt(state, now),
    "program/redraw": () => only({ type: "terminal/redraw" }),
    // A guest has a session of its own, which the terminal does not stop.
    "program/suspend": state =>
      only({ type: "terminal/suspend", words: isGuest(state) ? "suspended; the command runs on" : null }),
    "program/mouse": () => only({ type: "terminal/mouse" }),
    "program/report-bug": () => only({ type: "bug-report/write" }),
    "program/record": (state, _, { now }) =>
      isRecording(state) ? notice("This is already a recording", "info", now) : only({ type: "recording/toggle" }),
  },
  commands: {
    settings: {
      title: "where the settings are: theme, keys, bell, prices and all else",
      words: "themes config configuration options preferences colors colours dark light notifications version",
      run: (_, _rest, now) =>
        notice(
          "`opentui-sidecar config` lists them and their file; --theme NAME tries a theme, --version tells ours",
          "info",
          now,
        ),
    },
    model: chooses("model", "choose the agent CLI's model", "llm switch haiku opus"),
    mode: chooses("mode", "choose the agent CLI's mode: what it does without asking", "permission plan edits approve"),
    option: chooses("option", "choose another option of the agent CLI", "config effort thinking set"),
    session: chooses("session", "begin or load another session of the agent CLI", "new resume conversation"),
    interrupt: {
      title: "interrupt the agent",
      words: "stop abort escape",
      run: (state, _, now) => interrupt(state, now),
    },
    end: {
      title: "end the run and quit",
      words: "stop kill terminate",
      sure: "End the run? Enter ends it · Esc back",
      run(state, _, now) {
        if (isGuest(state)) return leave
        return state.link.state === "open" ? endRun : notice("No agent is connected", "info", now)
      },
    },
  },
} satisfies Panel

/** A palette command that makes the agent CLI ask for one of its choices, for the session in the reader. */
function chooses(what: ChoiceKind, title: string, words: string): PanelCommand {
  return {
    title,
    words,
    run(state, _, now) {
      if (!talks(state.link) || state.view.setup.readOnly)
        return notice("No agent CLI is here to be asked", "info", now)
      const sessionId = state.run.sessions[readSession(state)]?.sessionId ?? null
      // Its question may take the keyboard at once: it was asked for.
      return both(change({ questions: { settledAt: now } }), send(state, { type: "choose", what, sessionId }, now))
    },
  }
}

/** `text` after a warning that still stands: two failures at once must both be seen. */
function withStanding(notice: Notice | null, text: string, now: number): string {
  if (notice?.level !== "warning" || notice.until <= now) return text
  return notice.text.includes(text) ? notice.text : `${notice.text} · ${text}`
}

/** Quits at once where that ends no run, else at the second press (docs/decisions.md 3.5). */
export function planQuit(state: State, now: number, how?: string, ms = QUIT_MS): Plan {
  const { isAttached } = state.view.setup
  const { at: quitAt } = leaving.of(state.view)
  if (isAttached) return leave
  if (isAlive(state) && (quitAt === null || now - quitAt > ms)) {
    const words = how ?? `Press ${keyOf(state.view, quit)}`
    return both(
      change(leaving.put(state.view, { at: now })),
      notice(`${words} again to end the run and quit`, "warning", now, ms),
    )
  }
  return state.link.state === "open" ? endRun : leave
}

const leave: Plan = only({ type: "program/exit", code: 0 })
const endRun: Plan = both(sendCommand({ type: "ui-quit" }), leave)

/** Asks the agent to end what it is doing; says why it can't be asked. */
export function interrupt(state: State, now: number): Plan {
  if (!isLive(state) && !isGuest(state)) return notice("A recording has no agent to interrupt", "info", now)
  if (isOver(state.run)) return notice("The run is over. Nothing to interrupt", "info", now)
  if (state.link.state !== "open" && !isGuest(state)) return refuse("ui-interrupt", "the agent is disconnected", now)
  return send(state, { type: "ui-interrupt" }, now)
}

/** True while a run goes on that quitting would end. */
export function isAlive(state: State): boolean {
  return (state.link.state === "open" && !isOver(state.present)) || isGuest(state)
}
