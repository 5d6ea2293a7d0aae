// From a person's wish to what is done: ops, leaving, moving, and what the screen keeps of it.

import { describe, expect, test } from "bun:test"
import { linesText } from "../../src/panels/pager/pager-text.ts"
import { PageSheet } from "../../src/panels/pager/sheet.ts"
import { pageOf } from "../../src/panels/pager/update.ts"
import { plan } from "../../src/panels/plan.ts"
import type { Decoded } from "../../src/protocol/frame.ts"
import type { Link } from "../../src/protocol/link.ts"
import { blank } from "../../src/ui/line.ts"
import type { Anchor, BlockText } from "../../src/view/block-reading.ts"
import type { Effect } from "../../src/view/effect.ts"
import type { Intent, KeyOp, Move } from "../../src/view/intent.ts"
import { NOTICE_MS } from "../../src/view/notice.ts"
import { reduce } from "../../src/view/reduce.ts"
import { readText } from "../../src/view/select/asker.ts"
import { liveRows, sessionOf } from "../../src/view/select/live-rows.ts"
import { emptyState, frontPrompt, type State } from "../../src/view/state.ts"
import { createStore } from "../../src/view/store.ts"
import type { View } from "../../src/view/view.ts"
import type { ViewContext } from "../../src/view/view-context.ts"
import { deepFreeze } from "../freeze.ts"
import { delta, event, groupAt, idAt, line, logOf } from "../run/lines.ts"

const url = "ws://127.0.0.1:1/ws"
const open: Link = { state: "open", url, since: 0 }
const lost: Link = { state: "lost", url, since: 0, retryAt: 9, why: "closed", everOpen: true }
const replaying: Link = { state: "replaying", path: "x.jsonl", incompleteLength: 0 }
const debug = line({ kind: "debug", paused: true })

/** A screen in front of a run; what is asked of it changes it as the store would. */
class Screen {
  state: State
  effects: readonly Effect[] = []
  now = 10_000
  page = 10
  lines = 0

  constructor(link: Link, lines: readonly Decoded[] = []) {
    const start = deepFreeze(emptyState(link))
    this.state = deepFreeze(reduce(start, { type: "frames", frames: lines }))
  }

  ask(intent: Intent, afterMs = 0): this {
    this.now += afterMs
    const page = pageOf(this.state)
    const text = linesText(Array.from({ length: this.lines }, () => blank))
    const sheet = page === null ? {} : { sheet: new PageSheet(text, page, 80, this.page) }
    const facts: ViewContext = { now: this.now, page: this.page, lines: this.lines, ...this.read(), ...sheet }
    const { actions, effects } = plan(this.state, intent, facts)
    for (const action of actions) this.state = deepFreeze(reduce(this.state, action))
    this.effects = effects
    return this
  }

  /** So many lines of prose, where text is in front. */
  private read(): { readonly text?: BlockText } {
    const { focus, overlays } = this.view
    if (focus !== "text" && overlays.at(-1)?.type !== "reader" && frontPrompt(this.state) === null) return {}
    const { lines: length, page: rows } = this
    const top = readText(this.state).first?.row ?? Math.max(0, length - rows)
    const [lineOf, spotAt] = [({ row }: Anchor) => row, (row: number) => ({ block: "0", row })]
    return { text: { length, rows, top, folds: false, lineOf, spotAt, cardOf: () => null } }
  }

  /** The line of the text that is shown first; null follows the end. */
  get textTop(): number | null {
    return this.view.text.first?.row ?? null
  }

  tell(...lines: Decoded[]): this {
    this.state = deepFreeze(reduce(this.state, { type: "frames", frames: lines }))
    return this
  }

  move(by: Move): this {
    return this.ask({ type: "cursor/move", by })
  }

  get view(): View {
    return this.state.view
  }

  get sent(): readonly unknown[] {
    return this.effects.flatMap(effect => (effect.type === "send" ? [effect.command] : []))
  }

  get exits(): boolean {
    return this.effects.some(effect => effect.type === "exit")
  }

  get said(): string {
    return this.view.notice?.text ?? ""
  }
}

const op = (name: KeyOp, n = 1): Intent => ({ type: "debugger/send", op: name, n })
const esc: Intent = { type: "front/close" }
const quit: Intent = { type: "program/quit" }

describe("an op", () => {
  test("is sent if a debugger is attached", () => {
    expect(new Screen(open, [debug]).ask(op("pause")).sent).toEqual([{ type: "pause" }])
    expect(new Screen(open, [debug]).ask(op("continue")).sent).toEqual([{ type: "continue" }])
    expect(new Screen(open, [debug]).ask(op("arm")).sent).toEqual([{ type: "arm" }])
    expect(new Screen(open, [debug]).ask(op("step", 5)).sent).toEqual([{ type: "step", n: 5 }])
  })

  test("is refused with the reason, and a row unless on a recording, without a debugger or a connection", () => {
    const cases: [Screen, string][] = [
      [new Screen(open), "no debugger"],
      [new Screen(lost, [debug]), "the line is down"],
      [new Screen({ state: "connecting", url, attempt: 1 }, [debug]), "the line is down"],
      [new Screen(replaying, [debug]), "a recording has no agent"],
    ]
    for (const [screen, why] of cases) {
      screen.ask(op("step"))
      expect(screen.sent).toEqual([])
      expect(screen.said).toContain(`step not sent: ${why}`)
      expect(screen.view.notice?.level).toBe("warning")
      const rows = screen.state.link === replaying ? [] : [expect.stringContaining(`refused step: ${why}`)]
      expect(logOf(screen.state.run)).toEqual(rows)
      expect(screen.state.run.log.warnings).toBe(rows.length)
    }
  })

  test("that was refused is not sent when the connection is back", () => {
    const screen = new Screen(lost, [debug]).ask(op("pause"))
    screen.state = reduce(screen.state, { type: "link", link: open, now: 1 })
    expect(screen.ask({ type: "prompt/resend" }).sent).toEqual([])
  })

  test("has a notice for a while", () => {
    const screen = new Screen(open, [debug]).ask(op("step", 5))
    expect(screen.said).toBe("step 5 sent")
    expect(screen.effects).toContainEqual({ type: "wake", at: 10_000 + NOTICE_MS })
    screen.tell(line({ kind: "debug", paused: true, "step-budget": 4 }))
    const kept = reduce(screen.state, { type: "tick", now: 10_000 + NOTICE_MS - 1 })
    expect(kept).toBe(screen.state)
    expect(reduce(screen.state, { type: "tick", now: 10_000 + NOTICE_MS }).view.notice).toBe(null)
  })

  const pending = (screen: Screen) => screen.view.ops.map(one => one.op)

  test("is pending until a debug frame or an awaiting event shows its effect", () => {
    const screen = new Screen(open, [debug]).ask(op("pause")).ask(op("step"), 10)
    expect(pending(screen)).toEqual(["pause", "step"])
    expect(pending(screen.tell(event(1, "llm/start", { invokeid: "a", "session-id": "s" })))).toEqual(["pause", "step"])
    expect(pending(screen.tell(line({ kind: "debug", paused: true })))).toEqual([])
    screen.ask(op("continue"))
    expect(pending(screen.tell(event(2, "debug/awaiting-step", { "event-name": "x" })))).toEqual([])
  })

  test("that interrupts is pending until the next event", () => {
    const screen = new Screen(open).ask(esc).ask(esc, 500)
    expect(pending(screen)).toEqual(["ui-interrupt"])
    expect(pending(screen.tell(line({ kind: "debug", paused: false })))).toEqual(["ui-interrupt"])
    expect(pending(screen.tell(event(1, "runner/event-processed", { "event-name": "ui.interrupt" })))).toEqual([])
  })

  test("case 16: without effect is given up after 5 s, with a notice and a row", () => {
    const screen = new Screen(open, [debug]).ask(op("pause"))
    expect(screen.effects).toContainEqual({ type: "wake", at: 15_000 })
    screen.state = reduce(screen.state, { type: "tick", now: 14_999 })
    expect(pending(screen)).toEqual(["pause"])
    screen.state = reduce(screen.state, { type: "tick", now: 15_000 })
    expect(pending(screen)).toEqual([])
    expect(screen.said).toBe("pause: no effect within 5 s")
    expect(logOf(screen.state.run)[0]).toStartWith("timed-out pause: no effect within 5 s")
  })

  test("moves the turn at a turn gate, and is refused elsewhere with the reason", () => {
    const gate = line({ kind: "debug", paused: false, mode: "paused-at-turn", "turn-index": 2 })
    expect(new Screen(open, [gate]).ask(op("turn-next")).sent).toEqual([{ type: "turn-next" }])
    expect(new Screen(open, [gate]).ask(op("turn-back")).sent).toEqual([{ type: "turn-back" }])
    const elsewhere = new Screen(open, [debug]).ask(op("turn-next"))
    expect(elsewhere.sent).toEqual([])
    expect(elsewhere.said).toContain("does not stand at a turn gate")
  })
})

describe("Esc", () => {
  const interrupt = [{ type: "ui-interrupt" }]

  test("interrupts if pressed twice within a second, not once or slowly", () => {
    const screen = new Screen(open).ask(esc)
    expect(screen.sent).toEqual([])
    expect(screen.said).toContain("Esc again")
    expect(screen.ask(esc, 1000).sent).toEqual(interrupt)
    expect(screen.ask(esc, 1).sent).toEqual([])
    expect(screen.ask(esc, 1001).sent).toEqual([])
    expect(screen.ask(esc, 900).sent).toEqual(interrupt)
  })

  test("does not count towards an interrupt if it closed an overlay, a maximized pane or a prompt", () => {
    const overlay = new Screen(open).ask({ type: "help/toggle" })
    expect(overlay.ask(esc).ask(esc, 10).sent).toEqual([])
    expect(overlay.ask(esc, 10).sent).toEqual(interrupt)

    const between = new Screen(open).ask(esc).ask({ type: "help/toggle" }).ask(esc, 10)
    expect(between.ask(esc, 10).sent).toEqual([])

    const maximized = new Screen(open).ask({ type: "pane/maximize" }).ask(esc)
    expect(maximized.view.maximized).toBe(false)
    expect(maximized.ask(esc, 10).sent).toEqual([])

    const prompt = new Screen(open, [line({ kind: "prompt", "prompt-id": "p", type: "text" })]).ask(esc)
    expect(prompt.sent).toEqual([{ type: "cancel", promptId: "p" }])
    expect(prompt.ask(esc, 10).sent).toEqual([])
  })

  test("closes the overlay opened last, then the one before", () => {
    const screen = new Screen(open).ask({ type: "help/toggle" }).ask({ type: "inspector/toggle" })
    expect(screen.ask(esc).view.overlays.map(one => one.type)).toEqual(["help"])
    expect(screen.ask(esc).view.overlays).toEqual([])
  })

  test("interrupts nothing on a recording, after the run, or without a connection", () => {
    expect(new Screen(replaying).ask(esc).ask(esc, 10).sent).toEqual([])
    const over = new Screen(open, [event(0, "runner/done")]).ask(esc).ask(esc, 10)
    expect(over.sent).toEqual([])
    expect(over.said).toContain("over")
    const down = new Screen(lost).ask(esc).ask(esc, 10)
    expect(down.sent).toEqual([])
    expect(down.said).toContain("the line is down")
    expect(logOf(down.state.run)).toEqual(["refused ui-interrupt: the line is down"])
  })
})

describe("Ctrl-C", () => {
  test("asks at the first press and quits at the second while the run is alive", () => {
    const screen = new Screen(open, [event(0, "runner/started")]).ask(quit)
    expect(screen.exits).toBe(false)
    expect(screen.said).toContain("Ctrl-C again")
    expect(screen.ask(quit, 2900).effects).toEqual([
      { type: "send", command: { type: "ui-quit" }, text: '{"kind":"control","op":"ui-quit"}' },
      { type: "exit", code: 0 },
    ])
  })

  test("asks again if the second press comes late", () => {
    expect(new Screen(open).ask(quit).ask(quit, 3001).exits).toBe(false)
  })

  test("quits at once when the run is over, and tells the agent", () => {
    for (const name of ["runner/done", "runner/aborted", "runner/error"]) {
      const screen = new Screen(open, [event(0, name)]).ask(quit)
      expect(screen.sent).toEqual([{ type: "ui-quit" }])
      expect(screen.exits).toBe(true)
    }
  })

  test("quits at once without a connection, and sends nothing", () => {
    for (const link of [lost, replaying, { state: "connecting", url, attempt: 3 } as const]) {
      expect(new Screen(link, [event(0, "runner/started")]).ask(quit).effects).toEqual([{ type: "exit", code: 0 }])
    }
  })
})

describe("the selection in the live pane", () => {
  const sixty = Array.from({ length: 60 }, (_, i) => event(i, "llm/start", { invokeid: `i${i}`, "session-id": "s" }))
  const row = (screen: Screen) => sessionOf(screen.state.run, screen.view.selected)

  test("reaches all of 60 rows by key and stops at the ends", () => {
    const screen = new Screen(open, sixty)
    screen.move({ unit: "first" })
    for (let i = 0; i < 60; i++) {
      expect(row(screen)).toBe(i)
      screen.move({ unit: "row", count: 1 })
    }
    expect(row(screen)).toBe(59)
    expect(row(screen.move({ unit: "page", count: -1 }))).toBe(50)
    expect(row(screen.move({ unit: "half", count: -1 }))).toBe(45)
    expect(row(screen.move({ unit: "first" }))).toBe(0)
    expect(row(screen.move({ unit: "row", count: -1 }))).toBe(0)
    expect(row(screen.move({ unit: "last" }))).toBe(59)
  })

  test("follows the working session until a person chooses, and again after End", () => {
    const screen = new Screen(open, sixty.slice(0, 2))
    expect(row(screen)).toBe(1)
    screen.tell(event(60, "llm/response", { invokeid: "i1", "session-id": "s" }))
    expect(row(screen)).toBe(0)
    screen.move({ unit: "last" }).tell(event(61, "llm/start", { invokeid: "i9", "session-id": "s" }))
    expect(row(screen)).toBe(1)
    screen.move({ unit: "follow" }).tell(event(62, "llm/response", { invokeid: "i9", "session-id": "s" }))
    expect(row(screen)).toBe(0)
  })

  test("moves over groups and their sessions, and skips folded ones", () => {
    const of = (invokeid: string, id: string, seq: number) => event(seq, "llm/start", { invokeid, "session-id": id })
    const screen = new Screen(open, [of("g", "1", 0), of("g", "2", 1), of("h", "3", 2)]).move({ unit: "first" })
    const { run } = screen.state
    expect(screen.view.selected).toEqual({ type: "group", invocation: groupAt(run, 0) })
    screen.move({ unit: "row", count: 1 }).ask({ type: "cursor/fold", to: "fold" })
    expect(screen.view.folded).toEqual([groupAt(run, 0)])
    expect(screen.view.selected).toEqual({ type: "group", invocation: groupAt(run, 0) })
    expect(screen.move({ unit: "row", count: 1 }).view.selected).toEqual({ type: "session", session: idAt(run, 2) })
    expect(liveRows(screen.state.run, screen.view.folded)).toHaveLength(2)
    screen.move({ unit: "first" }).ask({ type: "cursor/fold", to: "unfold" })
    expect(screen.view.folded).toEqual([])
  })

  test("folds and unfolds all groups, except groups of one", () => {
    const of = (invokeid: string, id: string, seq: number) => event(seq, "llm/start", { invokeid, "session-id": id })
    const screen = new Screen(open, [
      of("g", "1", 0),
      of("g", "2", 1),
      of("h", "3", 2),
      of("k", "4", 3),
      of("k", "5", 4),
    ])
    const { run } = screen.state
    expect(screen.ask({ type: "cursor/fold", to: "all" }).view.folded).toEqual([groupAt(run, 0), groupAt(run, 2)])
    expect(screen.ask({ type: "cursor/fold", to: "all" }).view.folded).toEqual([])
    screen.move({ unit: "first" }).move({ unit: "row", count: 3 })
    expect(screen.view.selected).toEqual({ type: "session", session: idAt(run, 2) })
    expect(screen.ask({ type: "cursor/fold", to: "fold" }).view.folded).toEqual([])
  })

  test("shows the end of another session's text when it moves, and keeps its place otherwise", () => {
    const screen = new Screen(open, sixty).ask({ type: "pane/next", step: 1 })
    screen.lines = 100
    screen.move({ unit: "row", count: -5 })
    expect(screen.textTop).toBe(85)
    screen.ask({ type: "pane/next", step: -1 }).move({ unit: "last" })
    expect(screen.textTop).toBe(85)
    expect(screen.move({ unit: "row", count: -1 }).textTop).toBe(null)
  })
})

describe("the text pane", () => {
  test("scrolls through the whole text and follows again at its end", () => {
    const screen = new Screen(open, [delta(0, "x")]).ask({ type: "pane/next", step: 1 })
    screen.lines = 100
    expect(screen.view.focus).toBe("text")
    expect(screen.move({ unit: "page", count: -1 }).textTop).toBe(81)
    expect(screen.move({ unit: "first" }).textTop).toBe(0)
    expect(screen.move({ unit: "half", count: 1 }).textTop).toBe(5)
    expect(screen.move({ unit: "last" }).textTop).toBe(null)
    expect(screen.move({ unit: "row", count: -1 }).textTop).toBe(89)
    expect(screen.move({ unit: "follow" }).textTop).toBe(null)
  })

  test("is opened full screen and closed", () => {
    const screen = new Screen(open, [delta(0, "x")]).ask({ type: "cursor/open" })
    expect(screen.view.overlays).toEqual([{ type: "reader" }])
    expect(screen.ask(esc).view.overlays).toEqual([])
    expect(new Screen(open).ask({ type: "cursor/open" }).view.overlays).toEqual([])
  })
})

describe("the log", () => {
  const events = (from: number, count: number) => Array.from({ length: count }, (_, i) => event(from + i, "some/event"))
  const place = (seq: number) => ({ epoch: 0, order: seq, nth: 0 })
  const inLog = (screen: Screen) => screen.ask({ type: "pane/next", step: -1 })

  test("follows its end until the cursor moves, then keeps its rows while others arrive", () => {
    const screen = inLog(new Screen(open, events(0, 600)))
    expect(screen.view).toMatchObject({ focus: "log", cursor: null })
    screen.move({ unit: "row", count: -1 })
    expect(screen.view.cursor).toEqual(place(598))
    screen.tell(...events(600, 500))
    expect(screen.view.cursor).toEqual(place(598))
    expect(screen.view.seenTo).toEqual(place(599))
    expect(screen.move({ unit: "first" }).view.cursor).toEqual(place(0))
    expect(screen.view.seenTo).toEqual(place(599))
    expect(screen.move({ unit: "last" }).view.cursor).toEqual(place(1099))
    expect(screen.move({ unit: "follow" }).view.cursor).toBe(null)
  })

  test("keeps the cursor on its row while a late row is put before it", () => {
    const screen = inLog(new Screen(open, [event(0, "zero"), event(2, "two"), event(3, "three")]))
    const before = screen.move({ unit: "row", count: -1 }).view.cursor
    screen.tell(event(1, "one")).move({ unit: "row", count: -1 }).move({ unit: "row", count: 1 })
    expect(screen.view.cursor).toEqual(before)
  })

  test("moves the cursor nearby if its row is gone", () => {
    const screen = inLog(new Screen(open, [event(0, "zero"), event(2, "two")]))
    screen.move({ unit: "row", count: -1 })
    screen.tell(event(1, "one")).move({ unit: "row", count: 0 })
    expect(screen.view.cursor).not.toBe(null)
  })

  test("opens the entry under the cursor, or the last one, and scrolls it", () => {
    const screen = inLog(new Screen(open, events(0, 513)))
    expect(screen.ask({ type: "cursor/open" }).view.overlays).toEqual([{ type: "entry", id: place(512), top: 0 }])
    screen.lines = 30
    expect(screen.move({ unit: "page", count: 1 }).view.overlays).toMatchObject([
      { type: "entry", id: place(512), top: 9 },
    ])
    expect(screen.move({ unit: "last" }).view.overlays).toMatchObject([{ type: "entry", id: place(512), top: 20 }])
    expect(screen.move({ unit: "row", count: 1 }).view.overlays).toMatchObject([
      { type: "entry", id: place(512), top: 20 },
    ])
    expect(inLog(new Screen(open)).ask({ type: "cursor/open" }).view.overlays).toEqual([])
  })

  test("opens the last entry also if a healed gap left whole chunks", () => {
    const rows = [event(0, "zero"), ...events(2, 510), event(600, "last")]
    const screen = inLog(new Screen(open, rows)).tell(event(1, "one"))
    const gapless = screen.tell(...Array.from({ length: 88 }, (_, i) => delta(512 + i, "x")))
    expect(gapless.state.run.log.rows.length).toBe(513)
    expect(gapless.ask({ type: "cursor/open" }).view.overlays).toHaveLength(1)
  })
})

describe("overlays", () => {
  test("help and the inspector open, scroll and close by their own key", () => {
    const screen = new Screen(open).ask({ type: "help/toggle" })
    screen.lines = 15
    expect(screen.move({ unit: "row", count: 2 }).view.overlays).toMatchObject([{ type: "help", top: 2 }])
    expect(screen.move({ unit: "follow" }).view.overlays).toMatchObject([{ type: "help", top: 5 }])
    expect(screen.move({ unit: "first" }).view.overlays).toMatchObject([{ type: "help", top: 0 }])
    expect(screen.ask({ type: "help/toggle" }).view.overlays).toEqual([])
    const inspect = { type: "inspector/toggle" } as const
    expect(screen.ask(inspect).view.overlays).toEqual([{ type: "inspector" }])
    expect(screen.ask(inspect).view.overlays).toEqual([])
  })

  test("do not scroll if shorter than the page", () => {
    const screen = new Screen(open).ask({ type: "help/toggle" })
    screen.lines = 3
    expect(screen.move({ unit: "page", count: 1 }).view.overlays).toMatchObject([{ type: "help", top: 0 }])
  })
})

describe("panes", () => {
  test("are focused in turn with Tab", () => {
    const screen = new Screen(open)
    const walk = (step: 1 | -1) => [1, 2, 3].map(() => screen.ask({ type: "pane/next", step }).view.focus)
    expect(walk(1)).toEqual(["text", "log", "live"])
    expect(walk(-1)).toEqual(["log", "text", "live"])
  })

  test("pass redraw and suspend on as effects", () => {
    expect(new Screen(open).ask({ type: "program/redraw" }).effects).toEqual([{ type: "redraw" }])
    expect(new Screen(open).ask({ type: "program/suspend" }).effects).toEqual([{ type: "suspend" }])
  })
})

describe("the state", () => {
  test("is the same object if nothing changed", () => {
    const state = emptyState(open)
    expect(reduce(state, { type: "frames", frames: [] })).toBe(state)
    expect(reduce(state, { type: "tick", now: 1 })).toBe(state)
  })

  test("counts an attachment once when the link opens", () => {
    const state = reduce(emptyState(lost), { type: "link", link: open, now: 5 })
    expect(state.run.attachment.count).toBe(1)
    expect(reduce(state, { type: "link", link: { ...open, since: 6 }, now: 6 }).run.attachment.count).toBe(1)
    const again = reduce(reduce(state, { type: "link", link: lost, now: 7 }), { type: "link", link: open, now: 8 })
    expect(again.run.attachment.count).toBe(2)
  })

  test("starts again when the recording shrinks, and says so", () => {
    const screen = new Screen(replaying, [delta(0, "x")]).ask({ type: "pane/next", step: 1 })
    const shrunk = reduce(screen.state, { type: "restart", now: 1 })
    expect(shrunk.run.sessions).toEqual([])
    expect(shrunk.view).toMatchObject({ focus: "text", selected: null })
    expect(shrunk.view.notice?.text).toContain("history restarted")
  })

  test("notifies its listeners of changes only, until they unsubscribe", () => {
    const store = createStore({ plan, link: open })
    let heard = 0
    const leave = store.subscribe(() => heard++)
    store.dispatch({ type: "frames", frames: [] })
    expect(heard).toBe(0)
    store.dispatch({ type: "frames", frames: [delta(0, "x")] })
    expect(heard).toBe(1)
    expect(store.ask(quit, { now: 1, page: 1, lines: 1 })).toContainEqual({ type: "wake", at: 3001 })
    expect(store.get().view.quitAt).toBe(1)
    leave()
    store.dispatch({ type: "frames", frames: [delta(1, "y")] })
    expect(heard).toBeLessThan(5)
    expect(store.get().run.frames.event).toBe(2)
  })
})
