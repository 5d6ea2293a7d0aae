// Tests how a person interrupts the agent and leaves, and that what the program reports meanwhile is seen.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { reduce } from "../../src/view/reduce.ts"
import { NOTICE_MS, type ViewChange } from "../../src/view/view.ts"
import { event, idAt, line } from "../run/lines.ts"
import { esc, lost, open, Planned, quit, replaying, url } from "./planned.ts"

/** Two sessions, so that there is a list beside the text. */
const two = ["a", "b"].map((id, i) => event(i, "llm/start", { invokeid: id, "session-id": id }))

test("Esc, q, Ctrl-C and :end do what the run and the connection ask for, at the first press and at the second", () => {
  const going = [event(0, "runner/started")]
  const done = [event(0, "runner/started"), event(1, "runner/done")]
  const talks = { state: "running", command: "claude", talks: true } as const
  const states: Readonly<Record<string, readonly [Link, readonly Decoded[], ViewChange["setup"]?]>> = {
    "a run": [open, going],
    "of another": [open, going, { isAttached: true }],
    "which is only watched": [open, going, { readOnly: true }],
    "from home": [open, going, { isFromHome: true }],
    "of another, from home": [open, going, { isAttached: true, isFromHome: true }],
    "a lost run": [lost, going],
    "one with HTTP": [{ ...lost, api: true }, going],
    "one that is connected to": [{ state: "connecting", url, attempt: 3 }, going],
    "a run that is done": [open, done],
    "that failed": [open, [event(0, "runner/error")]],
    "that was aborted": [open, [event(0, "runner/aborted")]],
    "and is kept": [open, done, { isKept: true }],
    "and is recorded": [open, done, { recording: true }],
    "and was of another": [open, done, { isAttached: true, isKept: true }],
    "and was watched": [open, done, { isKept: true, readOnly: true }],
    "and is seen from home": [open, done, { isFromHome: true }],
    "a recording": [replaying, going],
    "of a whole run": [replaying, done],
    "from home, too": [replaying, done, { isFromHome: true }],
    "an agent CLI": [talks, going],
    "begun at home": [talks, going, { isFromHome: true }],
    "only printed": [{ state: "running", command: "kimi" }, going],
    "that has exited": [{ state: "exited", command: "claude", code: 0, why: null } as never, going],
  }
  const keys = {
    Esc: esc,
    q: { type: "front/quit" },
    "Ctrl-C": quit,
    ":end": { type: "time/goto", text: "end" },
  } as const
  const told = Object.entries(states).flatMap(([name, [link, lines, setup = {}]]) => [
    name,
    ...Object.entries(keys).flatMap(([key, intent]) => {
      const screen = new Planned(link, lines)
      screen.state = reduce(screen.state, { type: "view", change: { setup } })
      const does = (ms: number) => {
        const words = screen
          .ask(intent, ms)
          .effects.map(one => (one.type === "agent/send" ? one.text : JSON.stringify(one)))
        return `  ${key}${ms === 0 ? "" : " again"}: ${[...words, screen.said].join(" ")}`
      }
      return [does(0), ...(screen.exits ? [] : [does(key === "q" ? 1000 : 900)])]
    }),
  ])
  expect(told.join("\n")).toMatchSnapshot()
})

describe("Esc", () => {
  const interrupt = [{ type: "ui-interrupt" }]

  test("interrupts if pressed twice within a second, not once or slowly", () => {
    const screen = new Planned(open).ask(esc)
    expect(screen.sent).toEqual([])
    expect(screen.said).toContain("Esc again")
    expect(screen.ask(esc, 1000).sent).toEqual(interrupt)
    expect(screen.ask(esc, 1).sent).toEqual([])
    expect(screen.ask(esc, 1001).sent).toEqual([])
    expect(screen.ask(esc, 900).sent).toEqual(interrupt)
  })

  test("does not count towards an interrupt if it closed an overlay, a maximized pane or a prompt", () => {
    const overlay = new Planned(open).ask({ type: "conditions/toggle" })
    expect(overlay.ask(esc).ask(esc, 10).ask(esc, 10).sent).toEqual([])
    expect(overlay.ask(esc, 1000).ask(esc, 10).sent).toEqual(interrupt)

    const between = new Planned(open).ask(esc).ask({ type: "conditions/toggle" }).ask(esc, 10)
    expect(between.ask(esc, 10).sent).toEqual([])

    const maximized = new Planned(open).ask({ type: "pane/maximize" }).ask(esc)
    expect(maximized.view.maximized).toBe(false)
    expect(maximized.ask(esc, 10).sent).toEqual([])

    const prompt = new Planned(open, [line({ kind: "prompt", "prompt-id": "p", type: "text" })]).ask(esc)
    expect(prompt.sent).toEqual([{ type: "cancel", promptId: "p" }])
    expect(prompt.ask(esc, 10).sent).toEqual([])
  })

  test("pressed again and again closes what is open, and interrupts nothing however long it goes on", () => {
    for (const close of [esc, { type: "front/quit" } as const]) {
      const mashed = new Planned(open).ask({ type: "conditions/toggle" }).ask({ type: "waterfall/toggle" }).ask(close)
      for (let press = 0; press < 20; press++) expect(mashed.ask(esc, 250).sent).toEqual([])
      expect(mashed.said).toBe("")
      expect(mashed.ask(esc, 1000).ask(esc, 10).sent).toEqual(interrupt)
    }
    const typed = new Planned(open).ask({ type: "find/begin" }).ask({ type: "typing/drop" })
    expect(typed.ask(esc, 10).ask(esc, 10).sent).toEqual([])
  })

  test("ends the search for a moment, as the way to the end does, and does not count towards an interrupt", () => {
    const screen = new Planned(open)
    screen.state = reduce(screen.state, { type: "time", change: { seeking: true } })
    expect([screen.ask(esc).state.time.seeking, screen.said]).toEqual([false, "The search was stopped"])
    expect(screen.ask(esc, 10).sent).toEqual([])
    screen.state = reduce(screen.state, { type: "time", change: { seeking: true } })
    expect([screen.ask({ type: "front/quit" }).state.time.seeking, screen.said]).toEqual([false, ""])
    screen.state = reduce(screen.state, { type: "time", change: { seeking: true } })
    expect(screen.ask({ type: "cursor/move", by: { unit: "follow" } }).state.time.seeking).toBe(false)
  })

  test("closes what the pane in front seeks before its whole screen, and nothing of another pane", () => {
    const after = (["log", "text", "live"] as const).map(focus => {
      const screen = new Planned(open, two)
      const session = idAt(screen.state.run, 0)
      const list = { filter: "a", selected: { type: "session", session } } as const
      const reader = { text: { ...screen.view.reader.text, session, find: "b" } }
      const view = { focus, maximized: true, reader, list, home: { filter: "h" } }
      screen.state = reduce(screen.state, { type: "view", change: view })
      const { list: shown, home, reader: now, maximized } = screen.ask(esc).view
      return [shown.filter, now.text.find, home.filter, maximized]
    })
    expect(after).toEqual([
      ["a", "b", "h", false],
      ["a", null, "h", true],
      ["", "b", "h", true],
    ])
  })

  test("leads from the text to the question that was read for, to the row that was, or to the list", () => {
    const asks = line({ kind: "prompt", "prompt-id": "p", type: "text" })
    const cursor = { epoch: 0, order: 0, nth: 0 }
    for (const [reads, lines, log, to] of [
      ["asker", [...two, asks], null, ["text", "selection", false]],
      ["asker", two, null, ["live", "asker", true]],
      ["row", two, null, ["live", "row", true]],
      ["row", two, cursor, ["log", "row", true]],
    ] as const) {
      const screen = new Planned(open, lines)
      const view = {
        focus: "text",
        reader: { reads },
        log: { cursor: log },
        questions: { promptHidden: true },
      } as const
      screen.state = reduce(screen.state, { type: "view", change: view })
      const { focus, reader, questions } = screen.ask(esc).view
      expect([focus, reader.reads, questions.promptHidden]).toEqual([...to])
    }
  })

  test("closes the overlay opened last, then the one before", () => {
    const screen = new Planned(open).ask({ type: "conditions/toggle" }).ask({ type: "waterfall/toggle" })
    expect(screen.ask(esc).view.overlays.map(one => one.type)).toEqual(["conditions"])
    expect(screen.ask(esc).view.overlays).toEqual([])
  })

  test("closes a page that lies over another, and goes from the last one back to its list", () => {
    const screen = new Planned(open).ask({ type: "conditions/toggle" })
    for (const top of [0, 1]) {
      const change = { overlays: [...screen.view.overlays, { type: "status", top }], focus: "text" } as const
      screen.state = reduce(screen.state, { type: "view", change })
    }
    const after = () => [screen.ask(esc).view.overlays.map(({ type }) => type), screen.view.focus]
    expect(after()).toEqual([["conditions", "status"], "text"])
    expect(after()).toEqual([["conditions", "status"], "live"])
  })
})

describe("q", () => {
  const q = { type: "front/quit" } as const
  const viewed = (screen: Planned, change: ViewChange): Planned => {
    screen.state = reduce(screen.state, { type: "view", change })
    return screen
  }
  const over = (change: ViewChange = {}) => viewed(new Planned(open, [event(0, "runner/done")]), change)
  const kept = () => over({ setup: { isKept: true } })

  test("warns where a finished run is kept nowhere, until another key, and leaves at the second press", () => {
    for (const setup of [{}, { isAttached: true }, { isFromHome: true }]) {
      const screen = over({ setup }).ask(q)
      expect([screen.effects, screen.said]).toEqual([[], "q again leaves · x exports first"])
      expect(screen.ask(q, 999).effects).toEqual([])
      expect(screen.said).toContain("q again leaves")
      screen.ask({ type: "notice/dismiss" }, 60_000).ask(q)
      expect([screen.effects, screen.said]).toEqual([[], "q again leaves · x exports first"])
      screen.state = reduce(screen.state, { type: "tick", now: screen.now + 600_000 })
      const left = screen.ask(q, 600_000).effects.map(({ type }) => type)
      expect(left).toContain(setup.isFromHome === true ? "run/leave" : "program/exit")
    }
  })

  test("warns by Esc too, which would go home and lose the run", () => {
    const screen = over({ setup: { isFromHome: true } }).ask(esc)
    expect([screen.effects, screen.said]).toEqual([[], "Esc again leaves · x exports first"])
    expect(screen.ask(esc, NOTICE_MS + 1).effects).toEqual([])
    expect(screen.ask({ type: "notice/dismiss" }).ask(esc, NOTICE_MS).effects).toEqual([{ type: "run/leave" }])
    const open = over({ setup: { isFromHome: true } })
      .ask({ type: "waterfall/toggle" })
      .ask(esc)
    expect(open.ask(esc, 999).effects).toEqual([])
    expect(open.ask(esc, 1000).said).toContain("Esc again leaves")
    expect(over({ setup: { isFromHome: true, isKept: true } }).ask(esc).effects).toEqual([{ type: "run/leave" }])
  })

  test("closes what is in front, and with nothing open quits a recording or a run that is over", () => {
    for (const screen of [new Planned(replaying), kept()]) {
      screen.ask({ type: "conditions/toggle" }).ask({ type: "waterfall/toggle" })
      expect(screen.ask(q).view.overlays.map(one => one.type)).toEqual(["conditions"])
      expect(screen.ask(q).view.overlays).toEqual([])
      // A second press was meant for what the first has closed.
      expect(screen.ask(q, 999).exits).toBe(false)
      expect(screen.ask(q, 1).exits).toBe(true)
    }
    expect(kept().ask(q).sent).toEqual([{ type: "ui-quit" }])
    const escaped = kept().ask({ type: "conditions/toggle" }).ask(esc)
    expect(escaped.ask(q, 999).exits).toBe(false)
    expect(escaped.ask(q, 1).exits).toBe(true)
  })

  test("says at once what leaves though Esc has just warned, and asks nothing where a directory has the run", () => {
    expect(new Planned(open, two).ask(esc).ask(q, 10).said).toBe("Ctrl-C twice ends the run")
    for (const error of [null, "gone"]) {
      const screen = over()
      screen.state = reduce(screen.state, { type: "directory", directory: { path: "/r", error } })
      expect(screen.ask(q).exits).toBe(error === null)
    }
  })

  test("does nothing within a second after it has warned, though the run ended meanwhile", () => {
    const screen = viewed(new Planned(open, [event(0, "runner/started")]), { setup: { isKept: true } })
      .ask(q)
      .tell(event(1, "runner/done"))
    expect(screen.ask(q, 999).effects).toEqual([])
    expect(screen.ask(q, 1).exits).toBe(true)
  })

  test("leaves a finished run that is read-only or whose past is shown", () => {
    const past = viewed(new Planned(open, [event(0, "runner/started")]), { setup: { isKept: true } })
    past.state = reduce(past.state, { type: "show", run: past.state.run })
    past.tell(event(1, "runner/done"))
    expect(past.ask(q).exits).toBe(true)
    const watched = over({ setup: { isKept: true, readOnly: true } })
    expect(watched.ask(q).sent).toEqual([])
    expect(watched.exits).toBe(true)
  })
})

describe("Ctrl-C", () => {
  test("asks at the first press and quits at the second while the run is alive", () => {
    const screen = new Planned(open, [event(0, "runner/started")]).ask(quit)
    expect(screen.exits).toBe(false)
    expect(screen.said).toContain("Ctrl-C again")
    expect(screen.ask(quit, 2900).effects).toEqual([
      { type: "agent/send", command: { type: "ui-quit" }, text: '{"kind":"control","op":"ui-quit"}' },
      { type: "program/exit", code: 0 },
    ])
  })

  test("asks again if the second press comes late", () => {
    expect(new Planned(open).ask(quit).ask(quit, 3000).exits).toBe(true)
    expect(new Planned(open).ask(quit).ask(quit, 3001).exits).toBe(false)
  })

  test("quits at once when the run is over, though a moment before its end is shown", () => {
    const screen = new Planned(open, [event(0, "runner/started")])
    const { run } = screen.state
    screen.tell(event(1, "runner/done"))
    screen.state = reduce(screen.state, { type: "show", run })
    expect(screen.ask(quit).exits).toBe(true)
  })
})

describe("an agent CLI that runs here", () => {
  const guest = { state: "running", command: "claude", talks: true } as const

  test("is asked for its choices by the session that is read, whose question may take the keyboard at once", () => {
    for (const what of ["model", "mode", "option", "session"] as const) {
      const screen = new Planned(guest, two).ask({ type: "time/goto", text: what })
      expect(screen.sent).toEqual([{ type: "choose", what, sessionId: "b" }])
      expect(screen.view.questions.settledAt).toBe(screen.now)
    }
    const watched = new Planned(guest, two)
    watched.state = reduce(watched.state, { type: "view", change: { setup: { readOnly: true } } })
    for (const screen of [watched, new Planned({ ...guest, talks: false }, two), new Planned(open, two)])
      expect(screen.ask({ type: "time/goto", text: "model" }).said).toBe("No agent CLI is here to be asked")
  })

  test("runs on while the sidecar is suspended, and is left by a word typed twice within half a minute", () => {
    const suspend = { type: "program/suspend" } as const
    const words = [guest, open].map(link => new Planned(link).ask(suspend).effects[0])
    expect(words).toEqual([
      { type: "terminal/suspend", words: "suspended; the command runs on" },
      { type: "terminal/suspend", words: null },
    ])
    const word = { type: "program/quit-by-word" } as const
    expect(new Planned(guest, two).ask(word).ask(word, 30_000).exits).toBe(true)
    const late = new Planned(guest, two).ask(word).ask(word, 30_001)
    expect([late.exits, late.said]).toEqual([false, "Type /quit again to end the run and quit"])
  })
})

test("a run is recorded, a recording is not", () => {
  const record = { type: "program/record" } as const
  expect(new Planned(open).ask(record).effects).toEqual([{ type: "recording/toggle" }])
  const screen = new Planned(replaying).ask(record)
  expect([screen.effects, screen.said]).toEqual([[], "This is already a recording"])
})

describe("who attached to an agent", () => {
  const attached = (setup: ViewChange["setup"] = {}): Planned => {
    const screen = new Planned(open, [event(0, "runner/started")])
    screen.state = reduce(screen.state, { type: "view", change: { setup: { isAttached: true, ...setup } } })
    return screen
  }

  test("goes back home from there by q or Esc, with nothing open and nothing sent", () => {
    const q = { type: "front/quit" } as const
    for (const key of [q, esc]) {
      const left = attached({ isFromHome: true }).ask(key)
      expect(left.effects).toEqual([{ type: "run/leave" }])
      const closed = attached({ isFromHome: true }).ask({ type: "waterfall/toggle" }).ask(key)
      expect(closed.effects).toEqual([])
    }
    // Esc pressed again and again closes things, and leaves nothing.
    const mashed = attached({ isFromHome: true }).ask({ type: "waterfall/toggle" }).ask(esc).ask(esc, 250)
    expect(mashed.effects).toEqual([])
    expect(mashed.ask(esc, 1001).effects).toEqual([{ type: "run/leave" }])
  })
})

const disk = { type: "notice/show", text: "Can't record to a.jsonl: disk full" } as const
const past = { type: "notice/show", text: "Can't store the past of this run any longer: disk full" } as const

test("a warning doesn't take the place of one that still stands", () => {
  const screen = new Planned(open).ask(disk).ask(past, 10)
  expect(screen.said).toBe(`${disk.text} · ${past.text}`)
  expect(screen.ask(disk, 10).said).toBe(`${disk.text} · ${past.text}`)
})

test("a warning whose time is over, and information, are replaced", () => {
  const screen = new Planned(open).ask(disk).ask(past, 3 * NOTICE_MS)
  expect(screen.said).toBe(past.text)
  const copied = new Planned(open).ask({ ...disk, level: "info" }).ask(past, 10)
  expect(copied.said).toBe(past.text)
  expect(copied.ask({ ...disk, level: "info" }, 10).said).toBe(disk.text)
})
