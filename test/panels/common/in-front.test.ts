// Tests which row and turn keys are about, and where a jump leads back to.
import { expect, test } from "bun:test"
import { rowInFront, turnInFront } from "../../../src/panels/common/in-front.ts"
import { entryOf, openRow, openTranscript } from "../../../src/panels/common/open-entry.ts"
import { cursors } from "../../../src/panels/common/views.ts"
import { turnIdOf } from "../../../src/run/identity/find-by-id.ts"
import { promptKey, sessionId } from "../../../src/run/model/id.ts"
import { type Outline, unread } from "../../../src/view/block-reading.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import type { Overlay, ViewChange } from "../../../src/view/view.ts"
import { event, ids, line, rowsOf } from "../../run/lines.ts"
import { open, Planned, replaying } from "../planned.ts"

const other = { invokeid: "b", "session-id": "t" }
const asks = (seq: number, of: object) => event(seq, "llm/request", { ...of, "user-blocks": ["?"] })
const says = (seq: number, of: object) => event(seq, "llm/response", { ...of, content: [{ type: "text", text: "." }] })
/** Two turns of one session between rows of nobody; another session that has begun no turn. */
const lines = [
  ...[event(0, "runner/started"), event(1, "llm/start", ids), asks(2, ids), says(3, ids), event(4, "app/note")],
  ...[event(5, "llm/start", ids), asks(6, ids), says(7, ids)],
  ...[event(8, "llm/context-warning", other), event(9, "app/note")],
]
const at = (order: number) => ({ epoch: 0, order, nth: 0 })
const session = (one: typeof ids | typeof other) => sessionId(0, one.invokeid, one["session-id"])

test("keys are about the open entry, the row under the log's cursor or the turn that is read, whatever lies over it", () => {
  const screen = new Planned(open, lines)
  const known = screen.state.run.sessions[0]
  if (known === undefined) throw new Error("no session")
  const turn = (n: number) => ({ session: known.id, turn: turnIdOf(known, n) })
  const gone = { ...turn(1), session: sessionId(0, "a", "gone") }
  const reads = (one: typeof ids | typeof other): ViewChange => ({
    list: { selected: { type: "session", session: session(one) }, pinned: true },
    reader: { text: { ...screen.view.reader.text, session: session(one) } },
  })
  const log = (order: number | null, ...overlays: readonly Overlay[]): ViewChange => ({
    ...{
      ...reads(ids),
      focus: overlays[0] === undefined || overlays[0].type === "export" ? "log" : "text",
      log: { cursor: order === null ? null : at(order) },
    },
    ...(overlays.length > 0 && { overlays }),
  })
  const entry = (order: number): Overlay => ({ type: "entry", id: at(order), top: 0 })
  const why = (about: Extract<Overlay, { type: "why" }>["about"]): Overlay => ({ type: "why", cursor: 0, about })
  const context = (to: typeof gone | null): ViewChange => ({
    ...log(3, { type: "context" }),
    ...cursors.put(screen.view, { contextAt: to }),
  })
  const read = { ...screen.view.reader.text, session: known.id, at: { block: "0", row: 7 } }
  const places: Readonly<Record<string, ViewChange>> = {
    "the list": { ...reads(ids), focus: "live" },
    "the list at a session without a turn": { ...reads(other), focus: "live" },
    "the end of the log": log(null),
    "a row of the first turn": log(3),
    "a row before the first turn": log(1),
    "a row of the second turn": log(7),
    "a row of nobody": log(4),
    "a row of a session without a turn": log(8),
    "a row that never was": log(99),
    "a menu over the log": log(3, { type: "export", cursor: 0 }),
    "an entry over the log": log(3, entry(7)),
    "an entry of nobody": log(3, entry(4)),
    "why of a turn": log(7, why(turn(1))),
    "why of a row": log(7, why(at(3))),
    "why of a session that is gone": log(7, why(gone)),
    "the context of a turn": context(turn(1)),
    "the context of the latest": context(null),
    "the context of a session that is gone": context(gone),
    "the end of a text": { ...reads(ids), focus: "text" },
    "a row of a text": { reader: { text: read, reads: "row" }, focus: "text" },
    "the head of a text": { reader: { text: { ...read, at: { block: "0", row: 0 } }, reads: "row" }, focus: "text" },
  }
  const outline = {
    length: 12,
    lineOf: ({ row }: { row: number }) => row,
    turnAt: (row: number) => [0, 1, 2][Math.floor(row / 5)],
  }
  const told = Object.entries(places).map(([name, change]) => {
    const state = shownState(reduce(screen.state, { type: "view", change }))
    const context = { now: 0, page: 9, lines: 9 }
    const turns = [context, { ...context, outline: outline as unknown as Outline }].map(one => {
      const { session, turn } = turnInFront(state, one) ?? {}
      return session === undefined ? "no turn" : `${state.run.sessions[session]?.sessionId} ${turn}`
    })
    return `${name}: row ${rowInFront(state)?.seq ?? "none"}, ${[...new Set(turns)].join(" or ")}`
  })
  expect(told.join("\n")).toMatchSnapshot()
  const opened = { reads: "row", text: { session: session(other) } }
  expect(openTranscript(shownState(screen.state), 1).actions).toMatchObject([{ change: { reader: opened } }])
})

test("the row that is open is that of the entry, or of the question where the cursor stands on it, and its hits are marked", () => {
  const start = event(0, "human-input/start", { invokeid: "a", kind: "text", prompt: "?" })
  const asked = line({ kind: "prompt", "prompt-id": "p", invokeid: "a", type: "text", opts: { prompt: "?" } })
  const screen = new Planned(open, [asked, start, event(1, "app/note"), event(2, "app/tea")])
  const [{ key } = { key: promptKey("p", null) }] = screen.state.run.prompts
  const pages: readonly Overlay[] = [
    { type: "prompt", key, top: 0 },
    { type: "entry", id: at(1), top: 0 },
  ]
  const rows = pages.map(page =>
    [at(0), at(1)].map(cursor => {
      const change = { overlays: [page], log: { cursor }, focus: "text" } as const
      return openRow(shownState(reduce(screen.state, { type: "view", change })))
    }),
  )
  expect([...rows, openRow(shownState(screen.state))]).toEqual([[0, null], [1, 1], null])
  screen.ask({ type: "pane/focus", pane: "log" }).ask({ type: "find/begin" })
  screen.ask({ type: "typing/text", text: "note" }).ask({ type: "typing/take" })
  const entries = rowsOf(screen.state.run).map(row => entryOf(shownState(screen.state), row))
  expect(entries.map(one => ("find" in one ? one.find : one.type))).toEqual(["prompt", "note", "entry"])
})

test("Enter on a session opens it where it was read, else at its latest turn", () => {
  const read = { block: "0", row: 7 }
  const opened = [null, read].flatMap(at =>
    [ids, other].map(one => {
      const screen = new Planned(open, lines)
      const list = { selected: { type: "session", session: session(ids) }, pinned: true } as const
      const text = { ...screen.view.reader.text, session: session(one), at }
      screen.state = reduce(screen.state, { type: "view", change: { focus: "live", list, reader: { text } } })
      return screen.ask({ type: "cursor/open" }).view.reader.text.at
    }),
  )
  const latest = { block: "turn 6.0", row: 0 }
  expect(opened).toEqual([latest, latest, read, latest])
})

test("the way back leads to each place that a jump left, the latest first, also from another moment", () => {
  const back = { type: "time/return" } as const
  const rows = Array.from({ length: 120 }, (_, i) => event(10 + i, "llm/error", { ...ids, message: "no" }))
  const place = (screen: Planned) => {
    const { focus, maximized, overlays, list, reader, log } = screen.view
    const first = reader.text.first?.row ?? null
    return { focus, maximized, overlays, selected: list.selected, pinned: list.pinned, first, cursor: log.cursor }
  }
  const error = { type: "log/jump", kind: "error", step: 1 } as const
  const to = (screen: Planned, change: ViewChange) => {
    screen.state = reduce(screen.state, { type: "view", change })
    return screen
  }
  const selected = { type: "session", session: session(ids) } as const
  const text = { ...new Planned(open).view.reader.text, session: session(ids), first: { block: "0", row: 4 } }
  const chosen = { selected, pinned: false }
  const left: ViewChange = { focus: "log", maximized: true, list: chosen, reader: { text }, log: { cursor: at(4) } }
  for (const link of [open, replaying]) {
    const screen = new Planned(link, [...lines, ...rows])
    expect([screen.ask(back).said, screen.view.notice?.level]).toEqual(["No jump to go back from", "info"])
    const begun = place(to(screen, left))
    const there = to(screen, { list: { folded: screen.state.run.invocations.map(({ id }) => id).slice(0, 1) } }).ask(
      error,
    )
    expect([there.view.log.cursor, there.view.list.folded]).toEqual([at(10), []])
    expect(screen.effects).toEqual(link === open ? [] : [{ type: "time/seek", moment: { type: "frame", frame: 11 } }])
    const away = to(screen, { focus: "text", maximized: false, reader: { text: unread } })
    expect([place(away.ask(back)), screen.effects]).toEqual([begun, []])
    // Who is there already stays; what differs alone is gone back from.
    const { overlays, list, log } = to(screen.ask(error), left).view
    const others = [
      {},
      { overlays: [{ type: "alerts", cursor: null }] },
      { list: { selected: null } },
      { log: { cursor: at(6) } },
    ] as const
    for (const other of others) {
      const same = { focus: "log", overlays, list, log } as const
      to(to(screen, same).ask(error), { ...same, ...other, notice: null }).ask(back)
      expect([screen.said, place(screen).cursor]).toEqual([other === others[0] ? "No jump to go back from" : "", at(4)])
    }
  }
  // From the past a jump stops what is played, and the way back is to that moment; a person may go to the present.
  const past = new Planned(open, lines.slice(0, 1))
  const { run } = past.state
  past.tell(...lines.slice(1), ...rows)
  past.state = reduce(reduce(past.state, { type: "show", run }), {
    type: "time",
    change: { playing: true, seeking: true },
  })
  const sought = (frame: number) => [{ type: "time/seek", moment: { type: "frame", frame } } as const]
  const { focus, overlays, list, log } = past.view
  expect([past.ask(error).effects, past.state.time.playing]).toEqual([sought(11), false])
  // Its session has not begun at the moment that is left.
  expect(past.view.list.selected).toEqual(selected)
  past.state = reduce(past.state, { type: "show", run: new Planned(open, lines.slice(0, 5)).state.run })
  expect([to(past, { focus, overlays, list, log }).ask(back).effects, past.view.log.cursor]).toEqual([sought(1), null])
  // The row of the moment shown is the first that lies behind.
  past.state = reduce(past.state, { type: "show", run: new Planned(open, [...lines, ...rows.slice(0, 1)]).state.run })
  expect(past.ask({ ...error, step: -1 }).view.log.cursor).toEqual(at(10))
  past.ask({ type: "cursor/move", by: { unit: "follow" } })
  expect([past.state.time.present, past.state.time.seeking, past.view.reader.text.at]).toEqual([null, false, null])
  const screen = to(new Planned(open, [...lines, ...rows]), { focus: "log", log: { cursor: at(4) } })
  for (let i = 0; i < 105; i++) screen.ask(error)
  let steps = 0
  while (!screen.ask(back).said.startsWith("No jump")) steps++
  expect([steps, screen.view.log.cursor]).toEqual([100, at(14)])
})
