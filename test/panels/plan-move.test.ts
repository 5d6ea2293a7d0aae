// Tests how a person moves through the panes, and what each keeps.
import { expect, test } from "bun:test"
import { liveRows } from "../../src/panels/common/session-rows.ts"
import { scopeOf } from "../../src/panels/front.ts"
import { open as enter } from "../../src/panels/panes/index.ts"
import { type GroupId, promptKey } from "../../src/run/model/id.ts"
import { unread } from "../../src/view/block-reading.ts"
import type { Direction, Fold, Intent, Move } from "../../src/view/intent.ts"
import { reduce } from "../../src/view/reduce.ts"
import { sessionOf } from "../../src/view/select/shown-session.ts"
import { shownState } from "../../src/view/store.ts"
import type { ViewChange } from "../../src/view/view.ts"
import { delta, event, line } from "../run/lines.ts"
import { debug, op, open, Planned, type PlannedStep, replaying, stepsOn, told } from "./planned.ts"

const sixty = Array.from({ length: 60 }, (_, i) => event(i, "llm/start", { invokeid: `i${i}`, "session-id": "s" }))

test("the selection in the live pane moves over 60 rows by key and stops at the ends", () => {
  const screen = new Planned(open, sixty)
  const rows = (
    [
      ["first"],
      ["row", 1],
      ["row", 57],
      ["row", 9],
      ["page", -1],
      ["half", -1],
      ["last"],
      ["first"],
      ["row", -1],
    ] as const
  ).map(([unit, count]) => sessionOf(screen.state.run, screen.move({ unit, count } as Move).view.list.selected))
  expect(rows).toEqual([0, 1, 58, 59, 50, 45, 59, 0, 0])
})

const started = (invokeid: string, id: string) => event(null, "llm/start", { invokeid, "session-id": id })
const move = (by: Move) => ({ type: "cursor/move", by }) as const
const fold = (to: Fold) => ({ type: "cursor/fold", to }) as const
const [up, down, first, last, follow] = [
  ...([-1, 1] as const).map(count => move({ unit: "row", count })),
  ...(["first", "last", "follow"] as const).map(unit => move({ unit })),
] as readonly Intent[] as [Intent, Intent, Intent, Intent, Intent]
const next = (step: Direction) => ({ type: "pane/next", step }) as const

test("the list follows who works until a person chooses, moves over groups, and folds each once, but none that is alone", () => {
  const stand = (screen: Planned) => {
    const { run } = screen.state
    const { selected, folded, unfolded, pinned, filter } = screen.view.list
    const groups = (all: readonly GroupId[]) =>
      all.map(id => run.invocations.find(one => one.id === id)?.invokeid).join(" ")
    const at = selected?.type === "session" ? `session ${sessionOf(run, selected)}` : JSON.stringify(selected)
    const folds = [
      folded.length > 0 && `folded ${groups(folded)}`,
      unfolded.length > 0 && `unfolded ${groups(unfolded)}`,
    ]
    const rows = `${liveRows(shownState(screen.state), 40).rows.length} rows`
    return [at, pinned ? "pinned" : "", ...folds.map(one => one || ""), rows, `text ${screen.textTop}`, filter]
  }
  const done = (invokeid: string) => event(null, "llm/response", { invokeid, "session-id": "s" })
  const [a, b] = [started("a", "s"), started("b", "s")]
  const [i, ...gh] = [
    started("i", "5"),
    ...["1", "2"].map(id => started("g", id)),
    ...["3", "4"].map(id => started("h", id)),
  ]
  const folding = (["fold", "fold", "all", "all", "unfold", "unfold", "fold"] as const).map(fold)
  const find = [{ type: "find/begin" }, { type: "typing/text", text: " g " }, { type: "typing/take" }] as const
  const crew = [i, ...gh].flatMap(one => one ?? [])
  const unfolded = new Planned(open, crew).state.run.invocations.slice(1, 2).map(({ id }) => id)
  const view = (change: ViewChange) => ({ type: "view", change }) as const
  const [shut, ajar, all] = (["fold", "unfold", "all"] as const).map(fold) as [Intent, Intent, Intent]
  const parts = [first, shut, down, shut, ajar, ajar, ajar, shut, shut, all, all]
  const reading = new Planned(open, sixty)
  reading.lines = 100
  expect(
    [
      told(
        [
          ["follows", [a, b], done("b"), last, started("c", "s"), follow, done("c")],
          ["groups", [...gh.slice(0, 2), started("h", "3")], first, down, fold("fold"), down, first, fold("unfold")],
          ["parts of a fold", crew, view({ list: { unfolded } }), ...parts],
          // A cursor that stays leaves the text as it is read.
          ["text", crew, first, view({ reader: { text: { ...unread, first: { block: "0", row: 3 } } } }), up, down],
          ["folds", crew, ...folding, first, fold("fold"), follow, ...find],
        ],
        stand,
        open,
      ),
      ...stepsOn(reading, [next(1), move({ unit: "row", count: -15 }), next(-1), last, up], stand),
    ].join("\n"),
  ).toMatchSnapshot()
})

test("the log follows its end until the cursor moves, then keeps its rows, and opens the entry under it or the last one", () => {
  const events = (from: number, count: number) => Array.from({ length: count }, (_, i) => event(from + i, "some/event"))
  const stand = ({ view, state }: Planned) => {
    const [cursor, seen] = [view.log.cursor, view.log.seenTo].map(one => JSON.stringify(one) ?? "")
    const rows = `${state.run.log.rows.length} rows`
    return [view.focus, `cursor ${cursor}`, `seen ${seen}`, rows, JSON.stringify(view.overlays)]
  }
  const enter = { type: "cursor/open" } as const
  const opened = new Planned(open, events(0, 513))
  opened.lines = 30
  const gap = [event(0, "zero"), ...events(2, 510), event(600, "last")]
  const healed = Array.from({ length: 88 }, (_, i) => delta(512 + i, "x"))
  expect(
    [
      told(
        [
          ["follows", events(0, 600), next(-1), up, events(600, 500), first, last, follow],
          ["nothing", [], next(-1), enter],
          // A healed gap left whole chunks.
          ["healed", gap, next(-1), [event(1, "one")], healed, enter],
        ],
        stand,
        open,
      ),
      ...stepsOn(opened, [next(-1), enter, move({ unit: "page", count: 1 }), last, down], stand),
    ].join("\n"),
  ).toMatchSnapshot()
})

test("in the past of a run what belongs to its question is done, a menu moves, and nothing is sent", () => {
  const screen = new Planned(open, [event(0, "runner/started")])
  screen.state = reduce(screen.state, { type: "show", run: screen.state.run })
  screen.tell(line({ kind: "prompt", "prompt-id": "p", type: "text" }))
  const [{ key } = { key: promptKey("p", null) }] = screen.state.run.prompts
  const heldAnswer = { key, command: { type: "cancel", promptId: "p" }, words: "", until: 0 } as const
  const steps: readonly PlannedStep[] = [
    { type: "prompt/text", key, text: "a" },
    { type: "prompt/edited", key, edited: { type: "edited", text: "b", kept: null } },
    { type: "view", change: { questions: { heldAnswer } } },
    ...([{ type: "prompt/release" }, { type: "program/interrupt" }] as const),
  ]
  const drafts = (one: Planned) => one.view.questions.drafts.map(({ text }) => `draft ${text}`)
  expect(stepsOn(screen, steps, drafts).join("\n")).toMatchSnapshot()
  const [menu] = screen.ask({ type: "sort/open" }).move({ unit: "follow" }).view.overlays
  expect(menu).not.toMatchObject({ cursor: 0 })
  expect([shownState(screen.ask({ type: "front/close" }).ask(down).state).isPast, screen.effects]).toEqual([true, []])
})

test("Tab goes round the places, or between text and log where the list would have one row, and home is alone", () => {
  const two = ["a", "b"].map(one => started(one, one))
  const round = (screen: Planned, step: Direction) =>
    Array.from({ length: 4 }, () => screen.ask({ type: "pane/next", step }).view.focus)
  const chart = event(9, "runner/started", { "chart-id": ":claude" })
  const [alone, screen] = [new Planned(open, [chart, ...two.slice(0, 1)]), new Planned(open, two)]
  expect(round(alone, 1)).toEqual(["log", "text", "log", "text"])
  expect(round(screen, -1)).toEqual(["log", "text", "live", "log"])
  const { state } = screen
  expect(screen.ask({ type: "pane/focus", pane: "log" }).state).toBe(state)
  expect(screen.ask({ type: "pane/focus", pane: "text" }).view.focus).toBe("text")
  screen.state = reduce(screen.state, { type: "view", change: { focus: "home" } })
  expect(round(screen, 1)[0]).toBe("home")
  screen.ask({ type: "pane/maximize" })
  expect([screen.view.maximized, screen.said]).toEqual([true, ""])
  screen.isTiny = true
  screen.ask({ type: "pane/maximize" })
  expect([screen.view.maximized, screen.said]).toEqual([true, "Already full screen · Tab goes on"])
  const none = new Planned(open).ask({ type: "pane/focus", pane: "text" })
  expect(enter.when?.(shownState(none.state), 0)).toBe(true)
  expect(none.ask({ type: "cursor/open" }).view.maximized).toBe(true)
})

test("keys mean what has the focus: not a question below a list, nor the list beside a page, nor what was not searched", () => {
  const crew = ["1", "2"].map(id => started("g", id))
  const question = line({ kind: "prompt", "prompt-id": "p", type: "confirm" })
  const screen = new Planned(open, [...crew, event(0, "runner/warning", { message: "found" }), question])
  const seen = (change: ViewChange) => {
    screen.state = reduce(screen.state, { type: "view", change })
    return scopeOf(shownState(screen.state)).id
  }
  expect(seen({ questions: { ignored: { keys: "all", until: 1, most: 1 } } })).toBe("nobody")
  expect(seen({ focus: "log", questions: { ignored: null } })).toBe("confirm")
  screen.question = { page: 3, last: 9 }
  expect(screen.ask({ type: "prompt/scroll-behind", step: 1 }).view.questions.drafts[0]?.top).toBe(3)
  expect(seen({ overlays: [{ type: "waterfall" }], focus: "log" })).toBe("panes")
  expect(screen.ask({ type: "sort/open" }).ask(fold("all")).view.list.folded).toEqual([])
  seen({ overlays: [], focus: "text", questions: { promptHidden: true } })
  expect(screen.ask(fold("all")).view.list.folded).toEqual([])
  expect(screen.ask({ type: "log/jump", kind: "turn", step: 1 }).said).toBe("No later turn")
  expect(screen.ask({ type: "find/begin" }).view.typing?.to).toBe("find")
  seen({ focus: "log", typing: null })
  screen.ask({ type: "find/begin" }).ask({ type: "typing/text", text: "found" }).ask({ type: "typing/take" })
  seen({ focus: "text" })
  expect(screen.ask({ type: "find/step", step: -1 }).said).toBe("No earlier match")
  seen({ focus: "log" })
  expect(screen.ask(fold("all")).view.list.folded).toHaveLength(1)
})

test("what is typed for a line that is no more in front is passed over", () => {
  const screen = new Planned(open).ask({ type: "search/begin" })
  screen.ask({ type: "typing/text", text: "late", to: "filter" })
  expect(screen.view.typing).toMatchObject({ to: "run-search", text: "" })
  expect(screen.ask({ type: "typing/text", text: "x", to: "run-search" }).view.typing?.text).toBe("x")
})

test("a read-only screen moves and opens what is asked for, and says why it sends nothing", () => {
  const screen = new Planned(open, [debug])
  screen.state = reduce(screen.state, { type: "view", change: { setup: { readOnly: true } } })
  expect(screen.ask({ type: "waterfall/toggle" }).view.overlays).toEqual([{ type: "waterfall" }])
  expect([screen.ask(op("pause")).sent, screen.said]).toEqual([[], "Nothing is sent: this screen is read-only"])
  const question = line({ kind: "prompt", "prompt-id": "p", type: "confirm" })
  screen.tell(question).ask({ type: "prompt/say", value: true }, 60_000)
  expect([screen.effects, screen.said]).toEqual([[], "Nothing is sent: this screen is read-only"])
  const recorded = new Planned(replaying, [debug])
  recorded.state = reduce(recorded.state, { type: "view", change: { setup: { readOnly: true } } })
  expect(recorded.ask(op("pause")).said).not.toContain("read-only")
})
