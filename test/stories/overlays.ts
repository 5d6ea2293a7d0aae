// Lists the stories of what lies over the panes: pages, lists, menus, forms and questions.
import { decodeCapture } from "../../packages/wire/src/capture.ts"
import { type FoundText, searches } from "../../src/panels/search/search-results.ts"
import { emptyView } from "../../src/view/view.ts"
import { come, command, dispatch, press, type Step, type Story, type } from "./story.ts"

const debug = (more: object) => come({ kind: "debug", paused: false, "step-budget": 0, ...more })

const pages: readonly Story[] = [
  {
    name: "pager-entry",
    panel: "entry",
    about: "a row of the log with all its data",
    recording: "demo",
    did: [press("shift-tab", "E", "enter")],
    shows: /DATA ─/,
  },
  {
    name: "pager-question",
    panel: "question",
    about: "an answered question, opened from the log",
    recording: "demo",
    did: [press("shift-tab", "[", "u", "enter")],
    shows: /─ QUESTION/,
  },
  {
    name: "pager-turn-diff",
    panel: "turn-diff",
    about: "what differs between two drafters' requests and replies",
    recording: "demo",
    did: [
      press("g", "j", "j", "enter"),
      ...["a", "b"].map(name =>
        dispatch({
          type: "captured",
          ref: `nodes/${name}/0/turns/0/request.edn`,
          captured: { capture: decodeCapture({ system: `Be ${name}` }) },
        }),
      ),
      press("=", "tab", "tab", "j", "enter", "="),
    ],
    shows: /─ TURNS/,
  },
  {
    name: "pager-file",
    panel: "file",
    about: "an artifact of the run",
    recording: "demo",
    replayed: true,
    did: [
      ...artifacts(2),
      ...command(":", "files"),
      press("enter"),
      dispatch({
        type: "files",
        change: {
          open: {
            name: "artifacts/letter.md",
            title: "letter.md",
            text: "# Dear harbour office\n\nThe ferry left at 06:53.\n".repeat(20),
            why: null,
            isCut: false,
          },
        },
      }),
    ],
    shows: /─ FILE/,
  },
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

/** A view of the list or a text of the reader, opened by these steps. */
const view = (
  opens: readonly Step[],
  panel: string,
  state: string,
  about: string,
  more: Partial<Story> = {},
): Story => ({
  name: `${panel}-${state}`,
  panel,
  about,
  recording: "demo",
  replayed: true,
  shows: new RegExp(
    `─ ${{ waterfall: "SESSIONS", ledger: "SESSIONS", artifacts: "(SESSIONS › )?FILES" }[panel] ?? panel.replace("-", " ").toUpperCase()}`,
  ),
  ...more,
  did: [...opens, ...(more.did ?? [])],
})

const reader = [press("enter", "m")]
const reviewer = { frames: 2035, shows: /─ reviewer/ }
const time = [press("T")]
const cost = [press("$")]
const files = command(":", "files")

const views: readonly Story[] = [
  view(reader, "transcript", "typical", "the reviewer's turns on the whole screen, with their tool calls", reviewer),
  view(reader, "transcript", "found", "a text found in it", { ...reviewer, did: command("/", "minutes") }),
  view(command(":", "chart"), "chart", "typical", "the states that were seen", {
    says: ["deciding → done", "reviewing"],
  }),
  view(command(":", "chart"), "chart", "empty", "before the first state", { recording: "prompts", frames: 1 }),
  view(files, "artifacts", "typical", "two files, one of which cannot be read", {
    says: ["letter.md", "refused"],
    did: artifacts(2),
  }),
  view(files, "artifacts", "empty", "no session directory is known"),
  view(files, "artifacts", "crowded", "more files than fit", { says: ["draft-14.md"], did: artifacts(60) }),
  view(command(":", "status"), "status", "typical", "how the run stands", { says: ["recording run.jsonl"] }),
  view(time, "waterfall", "typical", "sessions against time", {
    says: ["you", "!reviewer", "40", "turn 1 of 1  first token 0.5s · generation 20s · tool 0.1s"],
  }),
  view(time, "waterfall", "nearer", "the same, around the chosen turn", { says: ["20", "40 s"], did: [press("z")] }),
  view(time, "waterfall", "crowded", "sixty sessions in three seconds", {
    says: ["mole-wat… 8", "first token 0.8s"],
    recording: "parallel-60",
  }),
  view(cost, "ledger", "typical", "what the demo's states used", { says: ["by state", "planning", "2,755"] }),
  view(cost, "ledger", "sessions", "and each of sixty sessions", {
    ...{ recording: "parallel-60", says: ["by session", "lightship-… 1"] },
    did: [press("S", "j", "j", "j", "j", "enter")],
  }),
  view([press("%")], "context", "typical", "turns whose requests were not captured", {
    ...{ frames: 2035, shows: /─ reviewer ─/, says: ["limit 8,192", "turn 2"] },
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
    excerpt: `the ferry left the pier at 06:${10 + index}`,
    from: 4,
    to: 9,
  }))

const searched = (found: readonly FoundText[]): readonly Step[] => [
  ...command("F", "ferry"),
  dispatch({
    type: "view",
    change: searches.put(emptyView, {
      last: { text: "ferry", scope: "run", hits: found, why: null, share: 1, isOver: true },
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

const lists: readonly Story[] = [
  {
    name: "alerts-empty",
    panel: "alerts",
    about: "nobody is needed",
    did: [press("!")],
    says: ["Nothing needs you"],
    shows: /[─›] NEEDS YOU/,
  },
  {
    name: "alerts-typical",
    panel: "alerts",
    about: "a session that failed and one whose context is nearly full",
    recording: "demo",
    frames: 826,
    did: [press("!")],
    says: ["failed: connection reset by peer", "context 88% full"],
    shows: /[─›] NEEDS YOU +\d/,
  },
  {
    name: "alerts-crowded",
    panel: "alerts",
    about: "more sessions than fit that have been silent for too long",
    recording: "parallel-60",
    frames: 122,
    did: [{ pass: 60_000 }, press("!")],
    says: ["27 sessions"],
    shows: /[─›] NEEDS YOU +27/,
  },
  {
    name: "why-typical",
    panel: "why",
    about: "what led to a session's failed tool",
    recording: "demo",
    did: [press("shift-tab", "E", "v")],
    says: ["▸ what failed", "in the timeline (nearest: 06:52)"],
    shows: /─ reviewer turn/,
  },
  {
    name: "bookmarks-empty",
    panel: "bookmarks",
    about: "no bookmark yet",
    recording: "demo",
    did: [press("L")],
    says: ["BOOKMARKS"],
    shows: /[─›] BOOKMARKS/,
  },
  {
    name: "bookmarks-typical",
    panel: "bookmarks",
    about: "two rows of the log with their notes",
    recording: "demo",
    did: [...command("M", "the end"), press("g"), ...command("M", "where it began"), press("L")],
    shows: /[─›] BOOKMARKS +2/,
  },
  {
    name: "branches-typical",
    panel: "branches",
    about: "a branch and a branch of it",
    recording: "debugger",
    did: [
      come(branch("session/chess-2", "session/chess-1", 2), branch("session/chess-3", "session/chess-2", 1)),
      ...command(":", "branches"),
    ],
    shows: /[─›] BRANCHES +2/,
  },
  {
    name: "conditions-empty",
    panel: "conditions",
    about: "how a condition is written",
    did: [press("B")],
    shows: /[─›] CONDITIONS/,
  },
  {
    name: "conditions-typical",
    panel: "conditions",
    about: "two conditions, one of them off",
    recording: "demo",
    frames: 400,
    did: [
      press("B"),
      ...command("+", "error"),
      ...command("+", "invokeid=drafter turn>=2"),
      ...command(":", "condition on or off"),
    ],
    shows: /[─›] CONDITIONS +1 of 2 on/,
  },
  {
    name: "conditions-mistyped",
    panel: "conditions",
    about: "a condition with a mistake, marked where it is",
    did: [press("B", "+"), type("error trun>3")],
    shows: /[─›] CONDITIONS/,
  },
  {
    name: "filters-typical",
    panel: "filters",
    about: "two filters, one of them off",
    recording: "demo",
    did: [
      ...command("f", "error"),
      press("f"),
      ...command("+", "model=gemma*"),
      press("f"),
      ...command(":", "filter on or off"),
    ],
    shows: /[─›] FILTERS/,
  },
  {
    name: "search-empty",
    panel: "search",
    about: "nothing was found",
    recording: "demo",
    did: searched([]),
    shows: /[─›] SEARCH +ferry/,
  },
  {
    name: "search-typical",
    panel: "search",
    about: "three replies that name it",
    recording: "demo",
    did: searched(hits(3)),
    shows: /[─›] SEARCH +ferry/,
  },
  {
    name: "search-crowded",
    panel: "search",
    about: "more hits than fit, the last one selected",
    recording: "demo",
    did: [...searched(hits(50)), press("G")],
    shows: /[─›] SEARCH +ferry/,
  },
  {
    name: "search-typed",
    panel: "search",
    about: "the text to look for is typed",
    recording: "demo",
    did: [press("F"), type("ferry")],
    shows: /F ferry/,
  },
  {
    name: "conditions-watched",
    panel: "conditions",
    about: "a condition that changed twice",
    recording: "demo",
    did: [...command(":", "watch state=reviewing"), watched(2)],
    shows: /[─›] CONDITIONS/,
  },
  {
    name: "conditions-crowded",
    panel: "conditions",
    about: "more changes than fit",
    recording: "demo",
    did: [...command(":", "watch state=reviewing"), watched(60)],
    shows: /[─›] CONDITIONS/,
  },
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

const reruns: readonly Story[] = [
  {
    name: "rerun-waiting",
    panel: "rerun",
    about: "the captured conversation is awaited",
    recording: "debugger",
    frames: 10,
    did: form,
    shows: /Loading the conversation/,
  },
  {
    name: "rerun-form",
    panel: "rerun",
    about: "another model is picked",
    recording: "debugger",
    frames: 10,
    did: [...form, come(conversation, catalog), press("tab", "down")],
    shows: /\* model +smart/,
  },
  {
    name: "rerun-review",
    panel: "rerun",
    about: "what will change, before it is sent",
    recording: "debugger",
    frames: 10,
    did: [...form, come(conversation, catalog), press("tab", "down", "enter")],
    shows: /─ RE-RUN +what will/,
  },
]

const question = (frames: number, name: string, about: string, shows: RegExp, ...did: readonly Step[]): Story => ({
  name: `prompt-${name}`,
  panel: "prompt",
  about,
  recording: "prompts",
  frames,
  did,
  shows,
})

const prompts: readonly Story[] = [
  question(5, "text", "an answer is typed", /Which name goes on the cup\?/, type("Ada")),
  question(9, "select", "one option of several", /What size\?/, press("down")),
  question(13, "multi", "two options are picked", /Anything with it\?/, press("space", "down", "space")),
  question(17, "confirm", "yes or no", /Shall I start the machine\?/),
  question(5, "hidden", "the question waits behind a key", /a answer/, press("alt-h")),
  question(
    3,
    "crowded",
    "forty options, searched",
    /Which berth\?/,
    come({
      kind: "prompt",
      "prompt-id": "berth#9",
      invokeid: "harbour",
      type: "select",
      opts: { prompt: "Which berth?", options: Array.from({ length: 40 }, (_, n) => `Berth ${n + 1}`) },
    }),
    type("berth 1"),
  ),
  {
    name: "prompt-beside-its-text",
    panel: "prompt",
    about: "a question over a long run, the text that led to it beside it",
    ...{ recording: "demo", frames: 2035 },
    shows: /Which title does the report get\?/,
  },
]

export const overlayStories: readonly Story[] = [...pages, ...views, ...lists, ...reruns, ...prompts]
