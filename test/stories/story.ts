// Draws a story: a named state of a panel that a recording, and what a person did on it, lead to.
import { join } from "node:path"
import { decodeCapture } from "../../packages/wire/src/capture.ts"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Background, Depth } from "../../src/ui/theme.ts"
import type { Action } from "../../src/view/action.ts"
import type { Store } from "../../src/view/store.ts"
import { framesOfLog } from "../../tools/agents/log-run.ts"
import { fixture, haiku, readFrames, root } from "../fixtures.ts"
import { live, replay, type Shown, show } from "../screen/screen.tsx"

export interface Story {
  /** The panel and its state: `log-filtered`. */
  readonly name: string
  /** The folder of src/panels that draws it, or "screen" for what stands around the panels. */
  readonly panel: string
  /** What a person looks at, in a few words. */
  readonly about: string
  /** The recording whose frames have come, and how many of them; all unless it says. None for an empty run. */
  readonly recording?: Recording
  readonly frames?: number
  /** How many of these had come at the moment of the past that is shown. */
  readonly past?: number
  /** The run is a recording that is played, not a live one. */
  readonly replayed?: true
  readonly did?: readonly Step[]
  /** The heading that says where a person is, at every size. */
  readonly shows: RegExp
}

/** A story of a panel, and what led to it. */
export const story = (
  panel: string,
  state: string,
  about: string,
  shows: RegExp,
  more: Partial<Story> = {},
): Story => ({ name: `${panel}-${state}`, panel, about, shows, ...more })

export type Recording =
  | "demo"
  | "prompts"
  | "debugger"
  | "parallel-60"
  | "haiku"
  | "one-session"
  | "failing-run"
  | "odd"
  | Log
/** What an agent CLI printed: the name of its file in fixtures/agents. */
type Log = `${"claude" | "codex" | "gemini" | "kimi" | "opencode" | "pi"}-${string}`

/** What a person pressed or typed, and what came from the agent or from a handler in answer. */
export type Step =
  | { readonly press: readonly string[] }
  | { readonly type: string }
  | { readonly come: readonly object[] }
  | { readonly action: Action }
  | { readonly pass: number }

export const press = (...keys: readonly string[]): Step => ({ press: keys })
export const type = (text: string): Step => ({ type: text })
export const come = (...rows: readonly object[]): Step => ({ come: rows })
export const dispatch = (action: Action): Step => ({ action })
export const pass = (ms: number): Step => ({ pass: ms })
export const debug = (more: object): Step => come({ kind: "debug", paused: false, "step-budget": 0, ...more })
export const directory = (path: string, error: string | null = null): Step =>
  dispatch({ type: "directory", directory: { path, error } })
export const asks = (invokeid: string, id: string, kind: string, opts: object): Step =>
  come({ kind: "prompt", "prompt-id": id, invokeid, type: kind, opts })
/** The request of a turn, as its capture has it. */
export const captured = (turn: string, capture: object): Step =>
  dispatch({
    type: "captured",
    ref: `nodes/${turn}/request.edn`,
    captured: { capture: decodeCapture(capture as Parameters<typeof decodeCapture>[0]) },
  })
/** Opens the line below, and takes what is typed there: `command(":", "branches")`. */
export const command = (key: string, text: string): readonly Step[] => [press(key), type(text), press("enter")]

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Styles are kept of the first. */
export const SIZES: readonly [Size, ...Size[]] = [
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 40, rows: 10 },
]

/** The colours of a terminal. */
export interface Look {
  readonly name: "dark" | "light" | "16" | "none"
  readonly depth: Depth
  readonly background: Background
}

export const LOOKS: readonly [Look, ...Look[]] = [
  { name: "dark", depth: "truecolor", background: "dark" },
  { name: "light", depth: "truecolor", background: "light" },
  { name: "16", depth: "16", background: "dark" },
  { name: "none", depth: "none", background: "dark" },
]

/** The screen of a story at this size, in these colours, by this store; the caller ends it. */
export async function tell(story: Story, size: Size, look: Look = LOOKS[0], store?: Store): Promise<Shown> {
  const { depth, background } = look
  const { recording, frames, past = 0, replayed, did = [] } = story
  const lines = recording === undefined ? [] : (await framesOf(recording)).slice(0, frames)
  const last = lines.findLast(line => "ts" in line && line.ts !== null)
  const now = last !== undefined && "ts" in last && last.ts !== null ? { now: last.ts } : {}
  const screen = await show({
    ...size,
    ...now,
    depth,
    background,
    link: replayed === true ? replay : live,
    ...(store && { store }),
  })
  if (past > 0) screen.feed(...lines.slice(0, past))
  const { run } = screen.store.get()
  if (lines.length > past) screen.feed(...lines.slice(past))
  if (past > 0) screen.store.dispatch({ type: "show", run })
  for (const step of did) {
    take(screen, step)
    await screen.settle()
  }
  return screen
}

function take(screen: Shown, step: Step): void {
  if ("press" in step) screen.press(...step.press)
  else if ("type" in step) screen.type(step.type)
  else if ("come" in step) screen.feed(...step.come.map(row => decode(JSON.stringify(row))))
  else if ("action" in step) screen.store.dispatch(step.action)
  else screen.pass(step.pass)
}

const read = new Map<Recording, Promise<readonly Decoded[]>>()

function framesOf(recording: Recording): Promise<readonly Decoded[]> {
  const known = read.get(recording) ?? framesFrom(recording)
  read.set(recording, known)
  return known
}

async function framesFrom(recording: Recording): Promise<readonly Decoded[]> {
  switch (recording) {
    case "haiku":
      return readFrames(haiku)
    case "failing-run":
      return readFrames(join(root, "fixtures/failing-run/transcript.jsonl"))
    case "demo":
    case "prompts":
    case "debugger":
    case "parallel-60":
    case "odd":
      return readFrames(fixture(recording))
    default: {
      const name = recording === "one-session" ? "claude-2.1.331-tools" : recording
      return (await framesOfLog(join(root, `fixtures/agents/${name}.jsonl`))).map(decode)
    }
  }
}
