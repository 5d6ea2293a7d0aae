// Tests the tree of branches: its figures at each size, and its keys.
import { expect, test } from "bun:test"
import { branchRows } from "../../../src/run/select/branch-tree.ts"
import { event, line, tell } from "../../run/lines.ts"
import { SIZES, show, spansWith } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { walked } from "../steps.ts"

const branch = (id: string | null, parent: string | null, turn = 1) =>
  line({ kind: "debug", branch: { "session-id": id, parent, "branch-point": { "node-id": "poet", visit: 0, turn } } })

/** A turn of a session, from this number on: a question, and a reply 2 s later. */
function said(first: number, id: string, asked: string, reply: string) {
  const ids = { invokeid: "poet", "session-id": id }
  const at = 1000 + first * 1000
  const content = [{ type: "text", text: reply }]
  return [
    event(first, "llm/start", { ...ids, model: id.includes("/") ? "large" : "small" }, at),
    event(first + 1, "llm/user-message", { ...ids, text: asked }, at + 1000),
    event(first + 2, "llm/response", { ...ids, content, usage: { "output-tokens": 9 } }, at + 2000),
  ]
}

const lines = [
  ...said(0, "p.1", "On tea.", "Steam over the cup."),
  ...said(3, "p.1", "On rain.", "Rain, and nobody at home."),
  branch("p.1/branch-1", "p.1"),
  ...said(6, "p.1/branch-1", "On tea.", "Steam over the cup."),
  // The agent repeats its last frame to new clients.
  branch("p.1/branch-1", "p.1"),
  ...said(9, "p.1/branch-1", "On rain.", "Rain, and a light at home."),
  branch("p.1/branch-2", "p.1/branch-1", 0),
  branch("x/b", "nowhere"),
  branch(null, "p.1"),
  event(12, "llm/start", { invokeid: "poet", "session-id": "p.1/branch-2" }, 12_000),
  event(13, "llm/error", { invokeid: "poet", "session-id": "p.1/branch-2", message: "no tea" }, 13_000),
  event(14, "llm/worker-exit", { invokeid: "poet", "session-id": "p.1/branch-1", reason: "enough" }, 13_000),
]

test("branches that name each other as parents are listed once, and the list is bounded", () => {
  const run = tell([branch("a", "b"), branch("b", "a"), branch("a", "a")])
  expect(branchRows(run).map(({ depth, sessionId }) => [depth, sessionId])).toEqual([
    [0, "b"],
    [1, "a"],
    [2, "b"],
  ])
  const many = tell(Array.from({ length: 300 }, (_, i) => branch(`${i}`, `${i - 1}`)))
  expect(many.facts.branches.length).toBe(256)
})

test.each([[200, 40] as const, ...SIZES])(
  "the tree of branches has the figures that fit, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows }, ...lines)
    const list = ": 'branches' enter"
    const steps = [list, ..."j|=|escape|j =|escape|j =|G|=|k k k enter".split("|"), list, "G enter", list, "enter"]
    expect(await walked(screen, ...steps)).toMatchSnapshot()
    expect(screen.store.get().view.list.pinned).toBe(true)
  },
)

test("a branch that begins later than the moment shown is not compared yet, and a run without any is refused", async () => {
  const screen = await show({ columns: 120, rows: 30 }, ...lines.slice(0, 6))
  const { run } = screen.store.get()
  screen.feed(...lines.slice(6)).store.dispatch({ type: "show", run })
  const none = await show({ columns: 80, rows: 24 })
  const chain = Array.from({ length: 11 }, (_, i) => branch(`${i}`, `${i - 1}`))
  const deep = await show({ columns: 80, rows: 30 }, ...chain)
  const selected = ["selected", () => screen.effects.push(screen.store.get().view.list.selected as never)] as const
  const told = [
    await walked(screen, ": 'branches' enter", "j", "=", "enter", selected, ": 'branches' enter"),
    await walked(none, ": 'branches' enter"),
  ]
  const ink = async () => spansWith(await screen.frame(), "branch 2")[0]?.fg.toInts()
  const dim = await ink()
  screen.store.dispatch({ type: "show", run: null })
  expect(await ink()).not.toEqual(dim)
  told.push(await walked(deep, "T : 'branches' enter", "enter"))
  await walked(deep, ": 'branches' enter", "G")
  // No deeper than eight steps.
  told.push(`${(await deep.rows()).map(row => row.indexOf("└ ")).filter(at => at > 0)}`)
  expect(told.join("\n\n")).toMatchSnapshot()
})

await testWalks("branches")
