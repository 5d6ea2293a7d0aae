// Tests the run search: its list of hits, and the way to each.
import { expect, test } from "bun:test"
import type { FoundText } from "../../../src/panels/search/search-results.ts"
import { withFound } from "../../../src/panels/search/search-results.ts"
import { event } from "../../run/lines.ts"
import { LARGE_SIZES, type Shown, show } from "../../screen/screen.tsx"

const ids = { invokeid: "judge", "session-id": "j.1" }
const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => [
    event(3 * i, "llm/start", ids),
    event(3 * i + 1, "llm/user-message", { ...ids, text: `question ${i + 1}` }),
    event(3 * i + 2, "llm/response", { ...ids, content: [{ type: "text", text: `the kettle of turn ${i + 1}` }] }),
  ]).flat()

const hit = (more: Partial<FoundText> = {}): FoundText => ({
  run: null,
  who: "judge",
  invokeid: "judge",
  sessionId: "j.1",
  turn: 2,
  what: "reply",
  file: "transcript.jsonl",
  line: 6,
  excerpt: "the kettle of turn 2",
  from: 4,
  to: 10,
  ...more,
})

function found(screen: Shown, ...hits: readonly FoundText[]): void {
  const change = withFound(screen.store.get().view, { hits, why: null, share: 1, isOver: true })
  screen.store.dispatch({ type: "view", change })
}

test.each(LARGE_SIZES)(
  "a hit of the run search opens its turn, and Esc goes back to the list, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows }, ...turns(12))
    expect((await screen.press("F").rows()).at(-1)).toContain("Search the whole run")
    screen.type("kettle")
    expect(screen.press("enter").effects.at(-1)).toEqual({ type: "runs/search", text: "kettle", scope: "run" })
    expect(await screen.text()).toContain("SEARCH  kettle · this run · 0 matches · searching 0%")
    found(screen, hit(), hit({ turn: 9, excerpt: `${"so ".repeat(30)}kettle of 9`, from: 90, to: 96 }))
    expect(await screen.row("kettle of 9")).toMatch(/judge +turn 9 {2}reply +….*so kettle of 9/)
    screen.press("j", "enter")
    const text = await screen.text()
    expect(text).toMatch(/judge · \/kettle [\s\S]*turn 9 of 12/)
    expect(text).toContain("the kettle of turn 9")
    expect(await screen.press("escape").text()).toContain("2 matches")
    expect(await screen.press("escape").text()).not.toContain("SEARCH  kettle")
    expect(await screen.press("F", "enter").text()).toContain("2 matches")
    expect((await screen.press("/").rows()).at(-1)).toContain("Search the whole run")
  },
)

test("the reader shows the words of a hit, in a call that was folded over them too, while the cursor is on it", async () => {
  const call = { type: "tool_use", id: "t", name: "look", input: { where: "shelf" } }
  const result = { ...ids, tool: "look", "tool-use-id": "t", "content-preview": "a copper kettle" }
  const screen = await show({ columns: 120 }, ...turns(12), event(90, "llm/start", ids))
  screen.feed(event(91, "llm/response", { ...ids, content: [{ type: "text", text: "so ".repeat(900) }, call] }))
  screen
    .feed(event(92, "llm/tool-result", result))
    .press("F")
    .type("kettle")
    .press("enter")
  found(screen, hit({ turn: 13, what: "tool result", excerpt: "a copper kettle", from: 9, to: 15 }), hit({ turn: 3 }))
  expect(await screen.text()).toContain("▎ a copper kettle")
  expect(await screen.press("j").text()).toContain("▎ the kettle of turn 3")
})

test("why a pattern is searched for as it stands is told whole, however narrow the list", async () => {
  const screen = await show({ columns: 120 }, ...turns(1))
  screen.press("F").type("/p[ie/").press("enter")
  const why = "Searched for as it stands: Invalid regular expression: missing terminating ] for character class"
  const change = withFound(screen.store.get().view, { hits: [], why, share: 1, isOver: true })
  screen.store.dispatch({ type: "view", change })
  expect(await screen.text()).toMatch(
    /missing[\s│]+.*terminating \] for character class|terminating \] for character class/,
  )
})

test("F on the list of hits searches all runs, and Enter on another run's hit copies the command that opens it", async () => {
  const screen = await show({ columns: 240 })
  screen.feed(...turns(1)).press("F")
  screen.type("kettle").press("enter", "F")
  expect(screen.effects.at(-1)).toEqual({ type: "runs/search", text: "kettle", scope: "runs" })
  found(screen, hit({ run: { title: "soup", directory: "/runs/it's\u001b[2J" } }))
  expect(await screen.row("soup/judge")).toContain("the kettle of turn 2")
  expect(await screen.row("soup/judge")).not.toContain("null")
  expect(await screen.text()).toContain("Enter copies: opentui-sidecar replay $'/runs/it\\047s\\033[2J'")
  const copy = screen.press("enter").effects.at(-1)
  expect(copy).toMatchObject({ type: "clipboard/copy", what: "the command that opens that run" })
  expect(JSON.stringify(copy)).not.toContain("u001b")
  expect((await screen.press("F").rows()).at(-1)).toContain("Already searching all runs")
})

test("the turn of a hit is told in full, beside the name", async () => {
  const screen = await show({ columns: 120 }, ...turns(1))
  screen.press("F").type("kettle").press("enter")
  found(screen, hit({ turn: 1093, excerpt: "kettle of late" }), hit({ turn: 10_432 }))
  expect(await screen.row("kettle of late")).toMatch(/judge +turn 1093 {2}/)
  expect(await screen.text()).toMatch(/judge {2}turn 10432 {2}/)
})

test("a hit in an artifact opens in the pager, and one without a turn says where it is", async () => {
  const screen = await show()
  screen.feed(...turns(1)).press("F")
  screen.type("kettle").press("enter")
  const nobody = { who: "", invokeid: null, sessionId: null, turn: null }
  found(
    screen,
    hit({ ...nobody, what: "artifact", file: "artifacts/report.md", line: 3 }),
    hit({ ...nobody, file: "nodes/x/0/seed.edn", line: 1 }),
    hit({ turn: 5 }),
  )
  screen.press("enter")
  expect(screen.store.get().view.overlays.at(-1)).toMatchObject({ type: "file", name: "artifacts/report.md", top: 2 })
  expect((await screen.press("escape", "j", "enter").rows()).at(-1)).toContain("nodes/x/0/seed.edn:1")
  expect((await screen.press("j", "enter").rows()).at(-1)).toContain("Not started yet at this point")
  expect(await screen.row("nodes/x/0/seed")).not.toContain("null")
  expect(await screen.press("F").text()).toContain("SEARCH  kettle · all runs · 0 matches · searching 0%")
  screen.press("/")
  found(screen.press("escape"))
  expect(await screen.text()).toContain("No matches")
  expect((await screen.rows()).at(-1)).not.toContain("go there")
})

test("/ n N search the transcript, in folded blocks too, across wrapped lines and around its ends", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  screen.feed(...turns(12), event(36, "llm/user-message", { ...ids, text: `${"word ".repeat(30)}the odd pot` }))
  expect((await screen.press("enter", "m", "g", "n").rows()).at(-1)).toContain("No search yet")
  expect((await screen.press("/").rows()).at(-1)).toContain("text to find")
  screen.type("KETTLE of turn").press("enter")
  const at = () => screen.store.get().view.reader.text.at
  expect(await screen.text()).toMatch(/\/KETTLE of turn[\s\S]*└─ turn 1 of 12/)
  screen.press("n", "n")
  expect(await screen.text()).toContain("└─ turn 3 of 12")
  screen.press("N", "N", "N")
  expect(await screen.text()).toContain("└─ turn 12 of 12")
  screen.press("z", "n")
  expect(await screen.text()).toContain("the kettle of turn 1")
  const before = at()
  screen.press("/").type("nowhere")
  expect((await screen.press("enter").rows()).at(-1)).toContain("No match for nowhere")
  expect(at()).toEqual(before)
  screen.press("/").type("word the odd")
  expect(await screen.press("enter").text()).toContain("the odd pot")
  expect(await screen.press("/", "enter").text()).not.toContain("· /")
})

test("a hit names its session as the live pane does", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  screen.feed(...turns(1), event(9, "llm/start", { ...ids, "session-id": "887cb50c-c550-4f6e-8b61-65ee85d8d962" }))
  await screen.press("F").rows()
  screen.type("kettle")
  found(screen.press("enter"), hit({ who: "judge j.1", turn: 1 }))
  expect(await screen.row("the kettle")).toMatch(/judge 1 +turn 1 /)
})
