// Lists the stories of what lies over the panes: pages, lists, menus, forms and questions.
import { type FoundText, searches } from "../../src/panels/search/search-results.ts"
import { emptyView } from "../../src/view/view.ts"
import { catalog } from "../agent/ui.ts"
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

const demo = { recording: "demo" } as const
const over = { recording: "demo", replayed: true } as const

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
    directory("/runs/board"),
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
  story("chart", "typical", "the states that were seen", /─ CHART/, { ...over, did: command(":", "chart") }),
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
  story("artifacts", "empty", "no session directory is known", /FILES/, { ...over, did: files }),
  story("artifacts", "crowded", "more files than fit", /FILES/, { ...over, did: [...artifacts(60), ...files] }),
  story("status", "typical", "how the run stands", /─ STATUS/, { ...over, did: command(":", "status") }),
  story("waterfall", "empty", "before the first session", SESSIONS, { did: [press("T")] }),
  story("waterfall", "typical", "sessions against time", SESSIONS, { ...over, did: [press("T")] }),
  story("waterfall", "nearer", "the same, around the chosen turn", SESSIONS, { ...over, did: [press("T", "z")] }),
  story("waterfall", "crowded", "sixty sessions in three seconds", SESSIONS, {
    ...over,
    recording: "parallel-60",
    did: [press("T")],
  }),
  story("ledger", "typical", "what the demo's states used", SESSIONS, { ...over, did: [press("$")] }),
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
const list = (panel: string, state: string, about: string, more: Partial<Story>): Story =>
  story(panel, state, about, new RegExp(`[─›] ${panel === "alerts" ? "NEEDS YOU" : panel.toUpperCase()}`), more)

const lists: readonly Story[] = [
  list("alerts", "empty", "nobody is needed", { did: [press("!")] }),
  list("alerts", "typical", "a session that failed and one whose context is nearly full", {
    ...demo,
    frames: 826,
    did: [press("!")],
  }),
  list("alerts", "crowded", "more sessions than fit that have been silent for too long", {
    recording: "parallel-60",
    frames: 122,
    did: [pass(60_000), press("!")],
  }),
  story("why", "typical", "what led to a session's failed tool", /─ reviewer turn/, {
    ...demo,
    did: [press("shift-tab", "E", "v")],
  }),
  list("bookmarks", "empty", "no bookmark yet", { ...demo, did: [press("L")] }),
  list("bookmarks", "typical", "two rows of the log with their notes", {
    ...demo,
    did: [...command("M", "the end"), press("g"), ...command("M", "where it began"), press("L")],
  }),
  list("branches", "typical", "a branch and a branch of it", {
    recording: "debugger",
    did: [
      come(branch("session/chess-2", "session/chess-1", 2), branch("session/chess-3", "session/chess-2", 1)),
      ...command(":", "branches"),
    ],
  }),
  list("conditions", "empty", "how a condition is written", { did: [press("B")] }),
  list("conditions", "typical", "two conditions, one of them off", {
    ...demo,
    frames: 400,
    did: [
      press("B"),
      ...command("+", "error"),
      ...command("+", "invokeid=drafter turn>=2"),
      ...command(":", "condition on or off"),
    ],
  }),
  list("conditions", "mistyped", "a condition with a mistake, marked where it is", {
    did: [press("B", "+"), type("error trun>3")],
  }),
  list("filters", "typical", "two filters, one of them off", {
    ...demo,
    did: [
      ...command("f", "error"),
      press("f"),
      ...command("+", "model=gemma*"),
      press("f"),
      ...command(":", "filter on or off"),
    ],
  }),
  list("search", "empty", "nothing was found", { ...demo, did: searched([]) }),
  list("search", "typical", "three replies that name it", { ...demo, did: searched(hits(3)) }),
  list("search", "crowded", "more hits than fit", { ...demo, did: searched(hits(50)) }),
  story("search", "typed", "the text to look for is typed", /F service/, {
    ...demo,
    did: [press("F"), type("service")],
  }),
  list("conditions", "watched", "a condition that changed twice", {
    ...demo,
    did: [...command(":", "watch state=reviewing"), watched(2)],
  }),
  list("conditions", "crowded", "more changes than fit", {
    ...demo,
    did: [...command(":", "watch state=reviewing"), watched(60)],
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
const form: readonly Step[] = [debug({}), ...command(":", "actions for"), press("G", "enter")]

const CHANGES = /─ RE-RUN +what changes[\s\S]*\[-gemma3:4b-\]\{\+smart\+\}/
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
  story("rerun", "review", "what will change, before it is sent", CHANGES, {
    ...chess,
    did: [...form, come(conversation, catalog), press("tab", "down", "enter")],
  }),
]

const kiosk = { recording: "prompts" } as const

const prompts: readonly Story[] = [
  story("prompt", "text", "an answer is typed", /Which name goes on the cup\?/, {
    ...kiosk,
    frames: 5,
    did: [type("Ada")],
  }),
  story("prompt", "secret", "a secret is typed", /The harbour's key\?/, {
    ...kiosk,
    frames: 3,
    did: [asks("harbour", "key#9", "text", { prompt: "The harbour's key?", secret: true }), type("abc")],
  }),
  story("prompt", "select", "one option of several", /What size\?/, { ...kiosk, frames: 9, did: [press("down")] }),
  story("prompt", "multi", "two options are picked", /Anything with it\?/, {
    ...kiosk,
    frames: 13,
    did: [press("space", "down", "space")],
  }),
  story("prompt", "confirm", "yes or no", /Shall I start the machine\?/, { ...kiosk, frames: 17 }),
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
      asks("harbour", "berth#9", "select", {
        prompt: "Which berth?",
        options: Array.from({ length: 40 }, (_, n) => `Berth ${n + 1}`),
      }),
      type("berth 1"),
    ],
  }),
  story(
    "prompt",
    "beside-its-text",
    "a question of a long run, beside it the text that led to it",
    /Which title does/,
    {
      ...demo,
      frames: 2035,
    },
  ),
  story("prompt", "of-the-only-session", "an agent CLI asks for a permission", /Allow Bash/, {
    recording: "one-session",
    frames: 24,
    did: [asks("claude", "p", "confirm", { prompt: "Allow Bash?" })],
  }),
]

export const overlayStories: readonly Story[] = [...pages, ...views, ...lists, ...reruns, ...prompts]
