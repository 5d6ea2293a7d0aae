// Lists the stories of what lies over the panes: pages, lists, menus, forms and questions.
import { decodeCapture } from "../../packages/wire/src/capture.ts"
import { type FoundText, searches } from "../../src/panels/search/search-results.ts"
import { emptyView } from "../../src/view/view.ts"
import { come, command, dispatch, pass, press, type Step, type Story, story, type } from "./story.ts"

const debug = (more: object) => come({ kind: "debug", paused: false, "step-budget": 0, ...more })

const demo = { recording: "demo" } as const
const over = { recording: "demo", replayed: true } as const

/** The request of a turn, as its capture has it. */
const captured = (ref: string, capture: Parameters<typeof decodeCapture>[0]): Step =>
  dispatch({
    type: "captured",
    ref: `nodes/${ref}/request.edn`,
    captured: { capture: decodeCapture(capture) },
  })

const opened = (text: string): Step =>
  dispatch({
    type: "files",
    change: { open: { name: "artifacts/letter.md", title: "letter.md", text, why: null, isCut: false } },
  })

const pages: readonly Story[] = [
  story("entry", "typical", "a row of the log with all its data", /DATA ─/, {
    ...demo,
    did: [press("shift-tab", "E", "enter")],
  }),
  story("question", "answered", "an answered question, opened from the log", /─ QUESTION/, {
    ...demo,
    did: [press("shift-tab", "[", "u", "enter")],
  }),
  story("turn-diff", "typical", "what differs between two drafters' requests and replies", /─ TURNS/, {
    ...demo,
    did: [
      press("g", "j", "j", "enter"),
      ...["a", "b"].map(name => captured(`${name}/0/turns/0`, { system: `Be ${name}` })),
      press("=", "tab", "tab", "j", "enter", "="),
    ],
  }),
  story("file", "typical", "an artifact of the run", /─ FILE/, {
    ...over,
    did: [
      ...artifacts(2),
      ...command(":", "files"),
      press("enter"),
      opened("# Dear harbour office\n\nThe ferry left at 06:53.\n".repeat(20)),
    ],
  }),
]

function artifacts(count: number): readonly Step[] {
  return [
    dispatch({ type: "directory", directory: { path: "/runs/board", error: null } }),
    dispatch({
      type: "files",
      change: {
        artifacts: Array.from({ length: count }, (_, index) => ({
          name: index === 0 ? "artifacts/letter.md" : `artifacts/draft-${index}.md`,
          title: index === 0 ? "letter.md" : `draft-${index}.md`,
          size: 1100 * (index + 1),
          changedAt: 1_773_479_117_000 - 1000 * index,
          refused: index === 1,
        })),
        artifactsAt: 1_773_479_140_000,
      },
    }),
  ]
}

const reader = [press("enter", "m")]
const reviewer = { ...over, frames: 2035 } as const
const files = command(":", "files")
const SESSIONS = /─ SESSIONS/

const views: readonly Story[] = [
  story("transcript", "typical", "the reviewer's turns on the whole screen, with their tool calls", /─ reviewer/, {
    ...reviewer,
    did: reader,
  }),
  story("transcript", "found", "a text found in it", /─ reviewer/, {
    ...reviewer,
    did: [...reader, ...command("/", "minutes")],
  }),
  story("chart", "typical", "the states that were seen", /─ CHART/, {
    ...over,
    did: command(":", "chart"),
  }),
  story("chart", "empty", "before the first state", /─ CHART/, {
    recording: "prompts",
    frames: 1,
    replayed: true,
    did: command(":", "chart"),
  }),
  story("artifacts", "typical", "two files, one of which cannot be read", /FILES/, {
    ...over,
    did: [...artifacts(2), ...files, opened("Dear passengers")],
  }),
  story("artifacts", "empty", "no session directory is known", /FILES/, {
    ...over,
    did: files,
  }),
  story("artifacts", "crowded", "more files than fit", /FILES/, {
    ...over,
    did: [...artifacts(60), ...files],
  }),
  story("status", "typical", "how the run stands", /─ STATUS/, {
    ...over,
    did: command(":", "status"),
  }),
  story("waterfall", "empty", "before the first session", SESSIONS, { did: [press("T")] }),
  story("waterfall", "typical", "sessions against time", SESSIONS, {
    ...over,
    did: [press("T")],
  }),
  story("waterfall", "nearer", "the same, around the chosen turn", SESSIONS, {
    ...over,
    did: [press("T", "z")],
  }),
  story("waterfall", "crowded", "sixty sessions in three seconds", SESSIONS, {
    ...over,
    recording: "parallel-60",
    did: [press("T")],
  }),
  story("ledger", "typical", "what the demo's states used", SESSIONS, {
    ...over,
    did: [press("$")],
  }),
  story("ledger", "sessions", "and each of sixty sessions", SESSIONS, {
    ...over,
    recording: "parallel-60",
    did: [press("$", "S", "j", "j", "j", "j", "enter")],
  }),
  story("context", "typical", "turns whose requests were not captured", /─ reviewer ─/, {
    ...reviewer,
    did: [press("%")],
  }),
  story("context", "captured", "what filled a turn", /─ scribe ─/, {
    ...over,
    did: [
      press("%"),
      captured("deciding/0/turns/0", {
        system: "You put reviewed parts together.",
        messages: [{ role: "user", content: "Put it together. ".repeat(40) }],
      }),
    ],
  }),
]

const hits = (count: number): readonly FoundText[] =>
  Array.from({ length: count }, (_, index) => ({
    run: null,
    who: "drafter",
    invokeid: "drafter",
    sessionId: "multiplex.drafter.1",
    turn: index + 1,
    what: "reply",
    file: "transcript.jsonl",
    line: 10 * index + 6,
    excerpt: `the service stops, starts again at 06:${10 + index}`,
    from: 4,
    to: 11,
  }))

const searched = (found: readonly FoundText[]): readonly Step[] => [
  ...command("F", "service"),
  dispatch({
    type: "view",
    change: searches.put(emptyView, {
      last: { text: "service", scope: "run", hits: found, why: null, share: 1, isOver: true },
    }),
  }),
]

const watched = (count: number): Step =>
  dispatch({
    type: "watched",
    generation: 0,
    read: 1,
    found: new Map([
      [
        1,
        Array.from({ length: count }, (_, index) => ({
          frame: 100 * (index + 1),
          epoch: 0,
          seq: 100 * (index + 1) - 2,
          ts: 1_773_479_100_000 + 1000 * index,
          to: index % 2 === 0,
          words: "",
        })),
      ],
    ]),
  })

const branch = (id: string, parent: string, turn: number) => ({
  kind: "debug",
  branch: { "session-id": id, parent, "branch-point": { "node-id": "white", visit: 0, turn } },
})

/** A list that takes the place of the sessions. */
const list = (panel: string, state: string, about: string, did: readonly Step[], more: Partial<Story> = {}): Story =>
  story(panel, state, about, new RegExp(`[─›] ${panel === "alerts" ? "NEEDS YOU" : panel.toUpperCase()}`), {
    did,
    ...more,
  })

const lists: readonly Story[] = [
  list("alerts", "empty", "nobody is needed", [press("!")]),
  list("alerts", "typical", "a session that failed and one whose context is nearly full", [press("!")], {
    ...demo,
    frames: 826,
  }),
  list("alerts", "crowded", "more sessions than fit that have been silent for too long", [pass(60_000), press("!")], {
    recording: "parallel-60",
    frames: 122,
  }),
  story("why", "typical", "what led to a session's failed tool", /─ reviewer turn/, {
    ...demo,
    did: [press("shift-tab", "E", "v")],
  }),
  list("bookmarks", "empty", "no bookmark yet", [press("L")], { ...demo }),
  list(
    "bookmarks",
    "typical",
    "two rows of the log with their notes",
    [...command("M", "the end"), press("g"), ...command("M", "where it began"), press("L")],
    { ...demo },
  ),
  list(
    "branches",
    "typical",
    "a branch and a branch of it",
    [
      come(branch("session/chess-2", "session/chess-1", 2), branch("session/chess-3", "session/chess-2", 1)),
      ...command(":", "branches"),
    ],
    { recording: "debugger" },
  ),
  list("conditions", "empty", "how a condition is written", [press("B")]),
  list(
    "conditions",
    "typical",
    "two conditions, one of them off",
    [
      press("B"),
      ...command("+", "error"),
      ...command("+", "invokeid=drafter turn>=2"),
      ...command(":", "condition on or off"),
    ],
    { ...demo, frames: 400 },
  ),
  list(
    "conditions",
    "mistyped",
    "a condition with a mistake, marked where it is",
    [press("B", "+"), type("error trun>3")],
    {},
  ),
  list(
    "filters",
    "typical",
    "two filters, one of them off",
    [
      ...command("f", "error"),
      press("f"),
      ...command("+", "model=gemma*"),
      press("f"),
      ...command(":", "filter on or off"),
    ],
    { ...demo },
  ),
  list("search", "empty", "nothing was found", searched([]), { ...demo }),
  list("search", "typical", "three replies that name it", searched(hits(3)), {
    ...demo,
  }),
  list("search", "crowded", "more hits than fit", searched(hits(50)), { ...demo }),
  story("search", "typed", "the text to look for is typed", /F service/, {
    ...demo,
    did: [press("F"), type("service")],
  }),
  list(
    "conditions",
    "watched",
    "a condition that changed twice",
    [...command(":", "watch state=reviewing"), watched(2)],
    { ...demo },
  ),
  list("conditions", "crowded", "more changes than fit", [...command(":", "watch state=reviewing"), watched(60)], {
    ...demo,
  }),
]

const conversation = {
  kind: "conversation",
  invokeid: "mover",
  "node-id": "white",
  visit: 0,
  turns: [
    {
      turn: 0,
      model: "gemma3:4b",
      system: "You play the endgame. Be brief.",
      messages: [
        { role: "user", text: "White to move." },
        { role: "assistant", text: "Kf6, and the pawn is safe." },
      ],
    },
  ],
}
const catalog = {
  kind: "model-catalog",
  aliases: [
    { alias: "cheap", targets: [{ provider: "ollama", model: "gemma3:1b" }] },
    { alias: "smart", targets: [{ provider: "openai", model: "gpt-5" }] },
  ],
  preferences: ["smart"],
}
const form: readonly Step[] = [debug({}), ...command(":", "actions for"), press("G", "enter")]

const chess = { recording: "debugger", frames: 10 } as const

const reruns: readonly Story[] = [
  story("rerun", "waiting", "the captured conversation is awaited", /Loading the conv[\s\S]*Esc close/, {
    ...chess,
    did: form,
  }),
  story("rerun", "form", "another model is picked", /\* model +smart/, {
    ...chess,
    did: [...form, come(conversation, catalog), press("tab", "down")],
  }),
  story(
    "rerun",
    "review",
    "what will change, before it is sent",
    /─ RE-RUN +what changes[\s\S]*\[-gemma3:4b-\]\{\+smart\+\}/,
    {
      ...chess,
      did: [...form, come(conversation, catalog), press("tab", "down", "enter")],
    },
  ),
]

const kiosk = { recording: "prompts" } as const
const asks = (id: string, kind: string, opts: object) =>
  come({ kind: "prompt", "prompt-id": id, invokeid: "harbour", type: kind, opts })

const prompts: readonly Story[] = [
  story("prompt", "text", "an answer is typed", /Which name goes on the cup\?/, {
    ...kiosk,
    frames: 5,
    did: [type("Ada")],
  }),
  story("prompt", "secret", "a secret is typed", /The harbour's key\?/, {
    ...kiosk,
    frames: 3,
    did: [asks("key#9", "text", { prompt: "The harbour's key?", secret: true }), type("abc")],
  }),
  story("prompt", "select", "one option of several", /What size\?/, {
    ...kiosk,
    frames: 9,
    did: [press("down")],
  }),
  story("prompt", "multi", "two options are picked", /Anything with it\?/, {
    ...kiosk,
    frames: 13,
    did: [press("space", "down", "space")],
  }),
  story("prompt", "confirm", "yes or no", /Shall I start the machine\?/, {
    ...kiosk,
    frames: 17,
  }),
  story("prompt", "held", "an answer of one key that can be taken back", /Shall I start the machine\?/, {
    ...kiosk,
    frames: 17,
    did: [press("y")],
  }),
  story("prompt", "hidden", "the question waits behind a key", /a answer/, {
    ...kiosk,
    frames: 5,
    did: [press("alt-h")],
  }),
  story("prompt", "crowded", "forty options, searched", /Which berth\?/, {
    ...kiosk,
    frames: 3,
    did: [
      asks("berth#9", "select", {
        prompt: "Which berth?",
        options: Array.from({ length: 40 }, (_, n) => `Berth ${n + 1}`),
      }),
      type("berth 1"),
    ],
  }),
  story(
    "prompt",
    "beside-its-text",
    "a question over a long run, the text that led to it beside it",
    /Which title does/,
    {
      ...demo,
      frames: 2035,
    },
  ),
  story("prompt", "of-the-only-session", "an agent CLI asks for a permission", /Allow Bash/, {
    recording: "one-session",
    frames: 24,
    did: [
      come({ kind: "prompt", "prompt-id": "p", invokeid: "claude", type: "confirm", opts: { prompt: "Allow Bash?" } }),
    ],
  }),
]

export const overlayStories: readonly Story[] = [...pages, ...views, ...lists, ...reruns, ...prompts]
