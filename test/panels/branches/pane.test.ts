// Tests the tree of branches: its figures at each size, and its keys.
import { describe, expect, test } from "bun:test"
import { branchRows } from "../../../src/run/select/branch-tree.ts"
import { event, idAt, line, tell } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"

const branch = (id: string | null, parent: string | null, turn = 1) =>
  line({
    kind: "debug",
    branch: { "session-id": id, parent, "branch-point": { "node-id": "poet", visit: 0, turn } },
  })

let seq = 0
/** A turn of a session: a question, and a reply 2 s later. */
function said(id: string, asked: string, reply: string) {
  const ids = { invokeid: "poet", "session-id": id }
  const first = seq
  seq += 3
  return [
    event(first, "llm/start", ids, first * 1000),
    event(first + 1, "llm/user-message", { ...ids, text: asked }, first * 1000 + 1000),
    event(
      first + 2,
      "llm/response",
      { ...ids, content: [{ type: "text", text: reply }], usage: { "output-tokens": 9 } },
      first * 1000 + 2000,
    ),
  ]
}

function lines() {
  seq = 0
  return [
    ...said("p.1", "On tea.", "Steam over the cup."),
    ...said("p.1", "On rain.", "Rain, and nobody at home."),
    branch("p.1/branch-1", "p.1"),
    ...said("p.1/branch-1", "On tea.", "Steam over the cup."),
    // The agent repeats its last frame to new clients.
    branch("p.1/branch-1", "p.1"),
    ...said("p.1/branch-1", "On rain.", "Rain, and a light at home."),
    branch("p.1/branch-2", "p.1/branch-1", 0),
    branch("x/b", "nowhere"),
    branch(null, "p.1"),
  ]
}

test("a branch is listed once, below its parent if that is known", () => {
  const run = tell(lines())
  expect(
    branchRows(run).map(({ depth, sessionId, session, start }) => [depth, sessionId, session, start?.frame]),
  ).toEqual([
    [0, "p.1", 0, undefined],
    [1, "p.1/branch-1", 1, 8],
    [2, "p.1/branch-2", null, 15],
    [0, "nowhere", null, undefined],
    [1, "x/b", null, 16],
  ])
})

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

describe("the tree of branches", () => {
  test.each([
    [200, 40, "└ poet 1 · branch 1  poet, turn 2  #8  +00:06.000"],
    [80, 24, "└ poet 1 · branch 1  poet, turn 2"],
    [40, 10, "└ poet 1 · branch 1  poet, turn 2"],
  ] as const)("is drawn at %px%p with the figures that fit", async (columns, rows, row) => {
    const screen = await show({ columns, rows })
    screen.feed(...lines()).choose("branches")
    expect(await screen.row("BRANCHES")).toContain("BRANCHES  3")
    expect(await screen.row("└")).toContain(row)
    if (columns === 200) {
      expect(await screen.row("└")).toMatch(/ 2 +5\.0s +18 +✓ done/)
      expect((await screen.rows()).at(-1)).toMatch(/^ Enter go there {3}= compare with parent {3}Esc back/)
    }
    expect(await screen.press("escape").text()).not.toContain("BRANCHES")
  })

  test("goes to a branch's first frame, and compares it with its parent", async () => {
    const screen = await show({ columns: 200 })
    screen.feed(...lines()).choose("branches")
    screen.press("j", "=")
    expect(await screen.row("TURNS")).toContain("poet 1 turn 2 → poet 1 · branch 1 turn 2")
    expect(await screen.text()).toContain("Rain, and [-nobody-]{+a+} {+light +}at home.")
    screen.press("escape", "j", "=")
    expect((await screen.rows()).at(-1)).toContain("Can't find both sessions")
    screen.press("k", "enter")
    expect(screen.effects.at(-1)).toEqual({ type: "time/seek", moment: { type: "frame", frame: 8 } })
    const { run, view } = screen.store.get()
    expect(view.list.selected).toEqual({ type: "session", session: idAt(run, 1) })
    expect(await screen.text()).not.toContain("BRANCHES")
  })

  test("compares the model of a branch's turn with its parent's", async () => {
    const screen = await show({ columns: 200 })
    const asked = (first: number, id: string, model: string) =>
      event(first, "llm/start", { invokeid: "poet", "session-id": id, model }, first * 1000)
    screen.feed(asked(0, "p.1", "small"), branch("p.1/b", "p.1", 0), asked(1, "p.1/b", "large"))
    screen.feed(event(2, "llm/error", { invokeid: "poet", "session-id": "p.1/b", message: "no tea" }, 2000))
    screen.choose("branches")
    expect(await screen.row("└")).toMatch(/ 1 .*✗ no tea/)
    screen.press("j", "=")
    expect(await screen.text()).toContain("[-small-]{+large+}")
  })

  test("is refused if the run has no branches", async () => {
    const screen = await show()
    screen.choose("branches")
    expect((await screen.rows()).at(-1)).toContain("No branches yet")
  })
})
