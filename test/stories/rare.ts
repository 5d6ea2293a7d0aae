// Lists the stories of what is seldom seen: each event of the wire, each way a run is held or a link stands.
import type { Link } from "../../packages/wire/src/link.ts"
import { tailFacts } from "../../src/run/select/tail-facts.ts"
import type { CliState, HomeFacts, HomeRun } from "../../src/view/home.ts"
import { tell } from "../run/lines.ts"
import { NOW, URL } from "../screen/screen.tsx"
import {
  asks,
  captured,
  come,
  command,
  debug,
  directory,
  dispatch,
  pass,
  press,
  type Step,
  type Story,
  story,
  type,
} from "./story.ts"

const BEGAN = NOW - 60_000
const crane = { invokeid: "crane", "session-id": "c1", model: "m:1" } as const
const usage = { "input-tokens": 9200, "cached-tokens": 4600, "output-tokens": 40, "reasoning-tokens": 8 }
const call = { type: "tool_use", id: "t1", name: "hoist", input: { to: "deck", kilos: 40 } }

/** Events of a run, half a second apart, from this sequence number on. */
const events = (from: number, ...told: readonly (readonly [event: string, data?: object])[]): Step =>
  come(
    ...told.map(([event, data = {}], i) => ({
      kind: "event",
      seq: from + i,
      ts: BEGAN + 500 * (from + i),
      event,
      data,
    })),
  )

const began = events(
  0,
  ["runner/started", { "chart-id": ":yard/crane", "resume?": true }],
  ["runner/start-config", { config: ["yard", "lift"] }],
  ["llm/start", crane],
  ["llm/request", { ...crane, "user-blocks": ["Lift the **boat**."], "system-preview": "You lift." }],
)

/** Every event that the log puts into words, with a gap and a kind that nobody knows. */
const everything: readonly Step[] = [
  began,
  events(
    4,
    ["llm/retry", { ...crane, attempt: 2, "max-retries": 3, category: "rate-limit" }],
    ["llm/model-down", { ...crane, category: "network", message: "no route", remaining: 0 }],
    ["llm/model-policy-empty", { ...crane, policy: "cheap", "strict?": true }],
    ["llm/delta", { ...crane, type: "thinking-delta", text: "Is the hook free?" }],
    [
      "llm/response",
      { ...crane, content: [{ type: "text", text: "Up.\nSlowly." }, call], usage, "context-window": 10_000 },
    ],
    ["llm/tool-result", { ...crane, tool: "hoist", "elapsed-ms": 1200, "content-preview": "hoisted 日本丸" }],
    ["llm/request", crane],
    [
      "llm/response",
      { ...crane, content: [{ type: "text", text: "And" }], "stop-reason": "max_tokens", "cost-usd": 0.5 },
    ],
    ["llm/tool-result", { ...crane, tool: "lower", "is-error": true, "content-preview": "jammed" }],
    ["llm/context-warning", { ...crane, "used-frac": 0.92 }],
    ["llm/context-warning", crane],
    ["llm/user-message", { ...crane, text: "Stop\nthere" }],
    ["llm/error", { ...crane, message: "overloaded" }],
    ["llm/usage", { ...crane, usage }],
    ["human-input/start", { invokeid: "crane", kind: "text", prompt: "Which **hook**?" }],
    ["human-input/validation-failed", { invokeid: "crane", errors: ["too short", "no digit"] }],
    ["human-input/error", { invokeid: "crane", message: "gone" }],
    ["human-input/cancelled", { invokeid: "crane" }],
    ["human-input/interrupted", { invokeid: "crane" }],
    ["human-input/answer", { invokeid: "crane", kind: "multi-select", answer: ["left", 2] }],
    ["human-input/answer", { invokeid: "crane", kind: "text" }],
    ["debug/awaiting-step", { "event-name": "hook.set", "external?": true }],
    ["debug/awaiting-quit", { msg: "see the report" }],
    ["debug/branch-error", { error: "no such turn" }],
    ["checkpoint/written"],
    ["transcript/serialize-error"],
    ["runner/tick"],
    ["adapter/stderr", { text: "warning: rust" }],
    ["adapter/fatal", { text: "rope torn", "is-error": true }],
    ["yard/weather", { wind: 7, gusts: [9, 11] }],
    ["llm/response", { ...crane, content: 12, "stop-reason": "refusal" }],
    ["llm/worker-exit", { ...crane, reason: "rope", "is-error": true }],
    [
      "runner/event-processed",
      { "event-name": "rope.torn", entered: ["over"], exited: ["lift"], "config-after": ["yard", "over"] },
    ],
  ),
  events(45, ["runner/aborted", { reason: "the rope is torn\nand nobody knots it" }]),
]

const pending = ["hook.set", "wind.up", "tide", "noon"].map((name, i) => ({
  name,
  data: { n: i },
  target: i === 0 ? "crane" : null,
  "external?": i === 1,
}))
const link = (to: Link): Step => dispatch({ type: "link", link: to, now: NOW })
const lost = { state: "lost", url: URL, since: NOW - 5000, retryAt: NOW + 4000, why: "closed", everOpen: true } as const
const log = press("shift-tab", "m")

const told: readonly Story[] = [
  story("log", "every-event", "each event of the wire, a gap and an unknown one", /─ LOG/, {
    did: [...everything, log],
  }),
  story("transcript", "every-entry", "what a transcript makes of the same", /─ crane/, {
    did: [...everything, press("enter", "m", "z", "g")],
  }),
  story("log", "since-marks", "times since the bookmark above, and new rows behind the cursor", /─ LOG/, {
    did: [
      began,
      press("shift-tab", "g", "j"),
      ...command("M", "begin"),
      ...command(":", "show times"),
      ...command(":", "show times"),
      ...command(":", "show times"),
      events(4, ["llm/retry", crane], ["llm/error", { ...crane, message: "x" }]),
    ],
  }),
  story("status", "every-fact", "a run that a debugger holds, with lines that were not understood", /─ STATUS/, {
    did: [
      ...everything.slice(0, 2),
      debug({ paused: true, mode: "branch-running", "turn-index": 1, config: ["yard"], "pending-events": pending }),
      debug({ paused: true, "breakpoint-armed": true, "branch-error": "no such turn", "pending-events": pending }),
      come(["no frame"], { kind: "phase" }),
      directory("/runs/crane", "no such directory"),
      ...command(":", "status"),
      press("m"),
    ],
  }),
  story("status", "lines-not-understood", "the end of the same", /─ STATUS/, {
    did: [began, come(["no frame"], { kind: "phase" }), ...command(":", "status"), press("m", "G")],
  }),
  story("screen", "next-events", "paused, with more events than are named", /PAUSED/, {
    did: [began, debug({ paused: true, "pending-events": pending })],
  }),
  story("screen", "stepping", "two more events, and then a pause", /STEPPING/, {
    did: [began, debug({ "step-budget": 2 })],
  }),
  story("screen", "armed", "a pause before the next turn is armed, and a re-run failed", /RE-RUN/, {
    did: [began, debug({ "breakpoint-armed": true, "branch-error": "no such turn" })],
  }),
  story("screen", "connecting", "the first attempt to connect", /connecting/, {
    did: [link({ state: "connecting", url: URL, attempt: 1 })],
  }),
  story("screen", "over-http", "the socket is lost, and the agent's API takes answers", /over HTTP/, {
    did: [began, link({ ...lost, api: true })],
  }),
  story("screen", "exited", "an agent CLI that ended with a failure", /crane/, {
    did: [
      began,
      events(4, ["runner/error", { message: "exit code 3" }]),
      link({ state: "exited", command: "crane --lift", code: 3 }),
    ],
  }),
  story("screen", "incomplete", "a recording whose last line is incomplete", /lift/, {
    did: [began, link({ state: "ended", path: "yard.jsonl", incompleteLength: 12 })],
  }),
  story("screen", "read-only", "nothing may be sent, the run is recorded, a session is silent", /r(ead-)?o/, {
    did: [began, dispatch({ type: "view", change: { setup: { readOnly: true, recording: true } } }), pass(120_000)],
  }),
]

/** Sessions of one group: done, failed, in a tool, asking, streaming; and one by itself with progress. */
const crew: readonly Step[] = [
  events(
    0,
    ["runner/started", { "chart-id": ":yard/crew" }],
    ["runner/start-config", { config: ["yard", "work"] }],
    ...["a", "b", "c", "d", "e"].map(
      name => ["llm/start", { invokeid: "hand", "session-id": name, model: "m" }] as const,
    ),
    ["llm/start", { ...crane, "session-label": "the big one" }],
    ["llm/response", { invokeid: "hand", "session-id": "a", content: [{ type: "text", text: "Done." }] }],
    ["llm/worker-exit", { invokeid: "hand", "session-id": "a", reason: "done" }],
    ["llm/error", { invokeid: "hand", "session-id": "b", message: "slipped" }],
    ["llm/worker-exit", { invokeid: "hand", "session-id": "b", reason: "error", "is-error": true }],
    ["llm/response", { invokeid: "hand", "session-id": "c", content: [call] }],
    ["llm/delta", { invokeid: "hand", "session-id": "e", type: "text-delta", text: "Hauling the line" }],
    ...Array.from({ length: 4 }, () => ["llm/response", { ...crane, content: [call], usage }] as const),
    ["llm/retry", { ...crane, attempt: 3, "max-retries": 3, category: "overload" }],
  ),
  come(
    { kind: "prompt", "prompt-id": "p1", invokeid: "hand", type: "confirm", opts: { prompt: "Let go?" } },
    { kind: "progress", phase: "update", invokeid: "crane", label: "lifting", pct: 40 },
    { kind: "progress", phase: "start", invokeid: "hand", label: "hauling" },
  ),
]
const hidden = press("alt-h")

const runs: readonly Story[] = [
  story("live", "every-state", "a group with one session in each state, and one with progress", /─ SESSIONS/, {
    did: [...crew, hidden],
  }),
  story("alerts", "every-kind", "a question, errors, retries and a call that repeats", /NEEDS YOU/, {
    did: [...crew, hidden, press("!")],
  }),
  story("waterfall", "under-way", "the same against time, one row of which fails", /─ SESSIONS/, {
    did: [...crew, hidden, press("T", "g", "j")],
  }),
  story("chart", "under-way", "a state within another while the run goes on", /─ CHART/, {
    did: [...crew, hidden, ...command(":", "chart")],
  }),
  story("conditions", "every-reaction", "conditions that pause, hold, log and watch, one of them met", /CONDITIONS/, {
    did: [
      press("B"),
      ...command("+", "error"),
      ...command("+", "session=hand*"),
      ...command(":", "choose what"),
      ...command("+", "tokens>1"),
      ...command(":", "choose what"),
      ...command(":", "choose what"),
      ...crew,
      hidden,
    ],
  }),
  story("palette", "asks", "a row that would end the run asks whether it is meant", /─ COMMANDS/, {
    did: [began, press(":"), type("end the run"), press("enter")],
  }),
  story("export", "copy-of-a-row", "what can be copied of a row of the log", /─ COPY/, {
    did: [...crew, hidden, press("shift-tab", "g", "j", "j", "y")],
  }),
  story("transcript", "nothing-found", "a text that is not in it", /─ crane/, {
    did: [began, press("enter"), ...command("/", "anchor")],
  }),
]

const part = (role: string, content: string) => ({ role, content })
const turn = (n: number, usage: object | null) => [
  ["llm/start", crane] as const,
  ["llm/request", { ...crane, "user-blocks": [`Lift ${n}`], "io/ref": `nodes/lift/0/turns/${n}/request.edn` }] as const,
  [
    "llm/response",
    { ...crane, content: [{ type: "text", text: `Lifted ${n}` }], "context-window": 10_000, ...(usage && { usage }) },
  ] as const,
]
/** A run of two turns, and what each used. */
const turns = (first: object | null = null, second: object | null = null): Step =>
  events(0, ["runner/started", { "chart-id": ":yard/crane" }], ...turn(0, first), ...turn(1, second))
const tools = [{ name: "hoist", description: "lifts", input_schema: { type: "object" } }]
const lifted: readonly Step[] = [
  turns(
    { "input-tokens": 1000, "output-tokens": 5 },
    { "input-tokens": 9500, "cached-tokens": 900, "output-tokens": 5 },
  ),
  directory("/runs/crane"),
  captured("lift/0/turns/0", { system: "You lift.", messages: [part("user", "Lift 0")], tools, temperature: 0.2 }),
  captured("lift/0/turns/1", {
    system: "You lift slowly.",
    messages: [part("user", "Lift 0"), part("assistant", "Lifted 0"), part("user", `Lift 1 ${"again ".repeat(300)}`)],
    tools: [],
    temperature: 0.7,
  }),
]

const read: readonly Story[] = [
  story("context", "two-turns", "a turn nearly full, what is new in it and what was cached", /CONTEXT/, {
    did: [...lifted, press("%")],
  }),
  story("turn-diff", "captured", "two captured turns, with their tools and parameters", /─ TURNS/, {
    did: [...lifted, press("enter", "g", "=", "G", "=", "m")],
  }),
  story("why", "a-change-of-state", "what led to a state of the chart", /WHY/, {
    did: [...everything, press("shift-tab", "[", "s", "v")],
  }),
]

const conversation = (turn: number, text: string) => ({
  turn,
  model: "m:1",
  system: "You lift.",
  messages: [{ role: "user", text }],
})
const form: readonly Step[] = [
  turns(),
  debug({}),
  ...command(":", "actions for"),
  press("G", "enter"),
  come({
    kind: "conversation",
    invokeid: "crane",
    "node-id": "lift",
    visit: 0,
    turns: [conversation(0, "Lift 0"), conversation(1, "Lift 1")],
  }),
]

const reruns: readonly Story[] = [
  story("rerun", "turns", "another turn is picked", /turn ─/, { did: [...form, press("up")] }),
  story("rerun", "message", "a message and the temperature are edited", /user ─/, {
    did: [...form, press("tab", "tab"), type("0.3"), press("tab", "tab"), type("now ")],
  }),
  story("rerun", "mistyped", "a temperature that is none, in review", /RE-RUN/, {
    did: [...form, press("tab", "tab"), type("hot"), press("enter")],
  }),
  story("rerun", "sent", "the re-run was sent", /Sent/, {
    did: [...form, press("tab", "tab"), type("0.3"), press("enter", "enter")],
  }),
  story("rerun", "failed", "the agent started no branch, and said why", /The re-run failed: no key/, {
    did: [...form, press("enter", "enter"), debug({ "branch-error": "no key for openai" })],
  }),
]

const details = Array.from({ length: 60 }, (_, i) => `Rule ${i + 1}: nobody stands below hook ${i}.`).join("\n")

const prompts: readonly Story[] = [
  story("prompt", "long", "a question longer than its box, scrolled", /asks/, {
    did: [asks("crane", "q", "confirm", { prompt: details, default: false }), press("pagedown")],
  }),
  story("prompt", "with-a-default", "a text with a default, behind it a second question", /Which hook/, {
    did: [
      asks("crane", "q1", "text", { prompt: "Which hook?", default: "left" }),
      asks("crane", "q2", "select", {
        prompt: "Which **boat**?",
        options: ["Hav", { label: "Tern 日本", value: 2 }],
        default: 2,
      }),
    ],
  }),
]

const file = (name: string, text: string | null, more: object): readonly Step[] => [
  directory("/runs/crane"),
  dispatch({
    type: "files",
    change: {
      artifacts: [{ name, title: name, size: 1100, changedAt: NOW - 5000, refused: false }],
      artifactsAt: NOW,
      open: { name, title: name, text, why: null, isCut: false, ...more },
    },
  }),
  ...command(":", "files"),
  press("enter", "m"),
]

const FILES: readonly (readonly [state: string, name: string, text: string | null, more?: object])[] = [
  ["json", "plan.json", '{"steps": [1, {"to": "deck"}], "done": false}'],
  ["json-of-long-numbers", "id.json", '{"id": 12345678901234567890}'],
  ["json-cut", "cut.json", '{"id": '],
  ["code", "lift.ts", 'const to = "deck" // where\n'.repeat(3), { isCut: true }],
  ["patch", "lift.diff", "--- a\n+++ b\n@@ -1 +1 @@\n-slow\n+fast\n same"],
  ["log", "lift.log", "INFO up\nWARN slow\nERROR stuck\nException in hook"],
  ["plain", "lift.txt", "# no heading\n**no mark**"],
  ["empty", "none.md", ""],
  ["unreadable", "gone.md", null, { why: "gone.md: no such file" }],
]

const files: readonly Story[] = FILES.map(([state, name, text, more = {}]) =>
  story("file", state, `the file ${name}`, /─ FILE/, { did: file(name, text, more) }),
)

const none = tailFacts(tell([]), null)
const STATES: readonly CliState[] = ["working", "waiting", "idle", "quiet", "ended", "failed", "killed"]
const session = (state: CliState, at: number): readonly [HomeRun, HomeFacts] => [
  { name: `/s/${state}.jsonl`, directory: `/s/${state}.jsonl`, cli: "claude", changedAt: NOW - at * 700_000 },
  {
    ...none,
    firstTs: NOW - 3_600_000,
    lastTs: NOW - at * 700_000,
    tokens: 1200 * at,
    last: "tidies the rope",
    session: {
      ...{ id: `id-${state}`, state, place: "~/yard", branch: at % 2 === 0 ? "" : "main", title: `The ${state} one` },
      ...{ model: "opus", context: at % 3 === 0 ? null : 0.1 * at, subagents: at % 4 },
    },
  },
]
const stored = STATES.map(session)
const home = dispatch({
  type: "home",
  home: {
    root: "~/yard/.escapement",
    runs: stored.map(([run]) => run),
    closed: ["~/locked: permission denied"],
    clis: ["claude"],
    stores: ["~/.claude"],
    facts: new Map(stored.map(([{ name }, facts]) => [name, facts])),
    agent: { url: URL, answers: true, refusal: null, facts: { ...none, chart: "yard/crane", last: "lifts" } },
  },
})
const homes = [link({ state: "closed" }), home, dispatch({ type: "view", change: { focus: "home" } })]

const starts: readonly Story[] = [
  story("home", "sessions", "a session of an agent CLI in each state, and an agent that answers", /─ RUNS/, {
    did: homes,
  }),
  story("home", "session-chosen", "the last of them under the cursor", /─ RUNS/, { did: [...homes, press("G")] }),
  story("home", "path", "a path is typed that should be opened", /~\/runs/, {
    did: [...homes, ...command(":", "open a recording"), type("~/runs")],
  }),
]

export const rareStories: readonly Story[] = [...told, ...runs, ...read, ...reruns, ...prompts, ...files, ...starts]
