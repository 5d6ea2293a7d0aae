// Tests the run search: its list of hits, and the way to each, to its own session and question.
import { expect, test } from "bun:test"
import type { Found, FoundText } from "../../../src/panels/search/search-results.ts"
import { promptOfHit, sessionOfHit, withFound } from "../../../src/panels/search/search-results.ts"
import { event, line, tell } from "../../run/lines.ts"
import { type Shown, SIZES, show } from "../../screen/screen.tsx"
import { asks } from "../prompt/questions.ts"
import { type Step, walked } from "../steps.ts"

const ids = { invokeid: "judge", "session-id": "j.1" }
const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => [
    event(3 * i, "llm/start", ids),
    event(3 * i + 1, "llm/user-message", { ...ids, text: `question ${i + 1}` }),
    event(3 * i + 2, "llm/response", { ...ids, content: [{ type: "text", text: `the kettle of turn ${i + 1}` }] }),
  ]).flat()

const hit = (more: Partial<FoundText> = {}): FoundText => ({
  run: null,
  // Of this run, the name that its session has everywhere stands for it.
  ...{ who: "a judge", invokeid: "judge", sessionId: "j.1", turn: 2, what: "reply" },
  ...{ file: "transcript.jsonl", line: 6, excerpt: "the kettle of turn 2", from: 4, to: 10, ...more },
})

const found = (screen: Shown, ...hits: readonly FoundText[]): Step => telling(screen, { hits, isOver: true, share: 1 })
const telling = (screen: Shown, more: Partial<Found>): Step => [
  `${more.hits?.length ?? 0} found, over: ${more.isOver}, ${more.share}`,
  () => {
    const told = { hits: [], why: null, share: 0.5, isOver: false, ...more }
    screen.store.dispatch({ type: "view", change: withFound(screen.store.get().view, told) })
  },
]

test.each(SIZES)(
  "a hit of the run search opens its turn, and Esc goes back to the list, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows }, ...turns(12))
    const far = hit({ turn: 9, excerpt: `${"so ".repeat(30)}kettle of 9`, from: 90, to: 96 })
    const late = hit({ turn: 1093, excerpt: "kettle of late", from: 0, to: 6 })
    const some = telling(screen, { hits: [hit()], share: 0.256 })
    const steps = ["F", "'kettle' enter", some, found(screen, hit(), far, late), "j", "enter", "escape", "j", "enter"]
    expect(
      await walked(screen, ...steps, "/ escape", "escape", "F enter", "F", "F", found(screen), "enter"),
    ).toMatchSnapshot()
  },
)

test("a hit in another run, a file, a question, or nowhere that is known says where it is, and Enter does what it can", async () => {
  const screen = await show({ columns: 200, rows: 30 }, ...turns(2), asks("q", "text", { prompt: "say which kettle" }))
  const nobody = { who: "", invokeid: null, sessionId: null, turn: null }
  const other = { title: "soup", directory: "/runs/it's\u001b[2J" }
  const hits = [
    hit({ run: other }),
    hit({ ...nobody, run: other, what: "artifact", file: "artifacts/a\u202eb.md" }),
    hit({ ...nobody, what: "artifact", file: "artifacts/report.md", line: 3 }),
    hit({ ...nobody, file: "nodes/x/0/seed.edn", line: 1 }),
    hit({ ...nobody, invokeid: "judge", what: "question", excerpt: "…which kettle", from: 7, to: 13 }),
    hit({ turn: 5 }),
    hit(),
    hit({ sessionId: "j.9", turn: null, what: "question", excerpt: "which kettle", from: 6, to: 12 }),
  ]
  const why = "Searched for as it stands: Invalid regular expression: missing terminating ] for character class"
  const page: Step = ["its page", () => screen.effects.push(screen.store.get().view.overlays.at(-1) as never)]
  const steps = [..."enter j enter j enter".split(" "), page, ..."escape j enter j enter escape j enter".split(" ")]
  const many: Step = telling(screen, { hits: Array.from({ length: 1000 }, () => hit()) })
  const narrow = [100, 64, 63].map((columns): Step => [`at ${columns} columns`, () => screen.resize(columns, 24)])
  await walked(screen, "alt-h F '/p[ie/' enter")
  const last = ["j", "enter", "escape", "j", "enter", ...narrow, many, telling(screen, { why, isOver: true })]
  expect(await walked(screen, found(screen, ...hits), ...steps, ...last)).toMatchSnapshot()
})

test("the reader shows the words of a hit, in a call that was folded over them too, while the cursor is on it", async () => {
  const call = { type: "tool_use", id: "t", name: "look", input: { where: "shelf" } }
  const result = { ...ids, tool: "look", "tool-use-id": "t", "content-preview": "a copper kettle" }
  const long = event(91, "llm/response", { ...ids, content: [{ type: "text", text: "so ".repeat(900) }, call] })
  const screen = await show({ columns: 120 }, ...turns(12), event(90, "llm/start", ids), long)
  screen.feed(event(92, "llm/tool-result", result))
  await walked(screen, "F 'kettle' enter")
  const copper = hit({ turn: 13, what: "tool result", excerpt: "a copper kettle", from: 9, to: 15 })
  // What stands in no block of its turn is read from where that begins.
  const later = hit({ turn: 3, excerpt: "turn 5", from: 0, to: 6 })
  expect(
    await walked(screen, found(screen, copper, hit({ turn: 3 }), later, hit({ turn: 13 })), "j", "j", "j"),
  ).toMatchSnapshot()
})

test("/ n N search the transcript, in folded blocks too, across wrapped lines and around its ends", async () => {
  const screen = await show({ columns: 80, rows: 24 }, ...turns(12))
  screen.feed(event(36, "llm/user-message", { ...ids, text: `${"word ".repeat(30)}the odd pot` }))
  const steps = ["enter m g n", "/ 'KETTLE of turn' enter", "n n", "N N N", "z n"]
  expect(await walked(screen, ...steps, "/ 'nowhere' enter", "/ 'word the odd' enter", "/ enter")).toMatchSnapshot()
})

test("the line of the run search has the keys beside it where they leave it half of the row", async () => {
  const screen = await show({ columns: 80, rows: 24 }, ...turns(2))
  await walked(screen, "F 'kettle'")
  const seen: unknown[] = []
  for (const columns of [80, 60, 54, 53, 40]) seen.push((await screen.resize(columns, 24).rows()).at(-1)?.trimEnd())
  expect(seen).toMatchSnapshot()
})

test("a hit leads to the session of its group and its id, where other groups and sessions share one of them", () => {
  const owners = ["poet s", "judge t", "judge s"].map(one => one.split(" "))
  const run = tell(owners.map(([invokeid, id], i) => event(i + 1, "llm/start", { invokeid, "session-id": id ?? null })))
  const found = (invokeid: string, sessionId: string | null) => {
    const session = run.sessions[sessionOfHit(run, hit({ invokeid, sessionId })) ?? -1]
    return session === undefined ? null : [run.invocations[session.invocation]?.invokeid, session.sessionId]
  }
  for (const [invokeid = "", id = ""] of owners) expect(found(invokeid, id)).toEqual([invokeid, id])
  expect([found("poet", "t"), found("cook", "s"), found("judge", null)]).toEqual([null, null, null])
})

test("a hit in a question leads to the question of its group that holds its text", () => {
  const ask = (id: string, invokeid: string, prompt: string) =>
    line({ kind: "prompt", "prompt-id": id, invokeid, type: "select", opts: { prompt, options: ["a"] } })
  const others = [ask("p", "poet", "say which one"), ask("q", "judge", "say nothing")]
  const run = tell([...others, ...["r", "s"].map(id => ask(id, "judge", "say which one"))])
  const found = (more: Partial<FoundText>) =>
    promptOfHit(run, hit({ what: "question", excerpt: "which one", ...more }))?.frame.promptId
  expect([found({}), found({ invokeid: "poet" }), found({ excerpt: "…nothing…" })]).toEqual(["r", "p", "q"])
  expect([found({ invokeid: "cook" }), found({ what: "reply" })]).toEqual([undefined, undefined])
})
