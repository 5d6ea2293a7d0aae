// Tests the live pane: status, progress, rates and failures of every session.
import { afterEach, describe, expect, test } from "bun:test"
import { sectionOf, textsInMemory } from "../../../src/export/section.ts"
import type { Decoded } from "../../../src/protocol/frame.ts"
import { sanitize } from "../../../src/protocol/sanitize.ts"
import { report } from "../../../src/run/select/report.ts"
import { fixture, readFrames } from "../../fixtures.ts"
import { event, idAt, line } from "../../run/lines.ts"
import { endScreens, NOW, replay, type Shown, show } from "../../screen/screen.tsx"

afterEach(endScreens)

const SIZES = [
  [120, 40],
  [80, 24],
  [40, 10],
] as const

/** A session with `tokens` tokens in the second after its first, which came 250 ms after its start. */
function streams(invokeid: string, sessionId: string, tokens: number, model = "gemma3:1b"): readonly Decoded[] {
  const ids = { invokeid, "session-id": sessionId }
  const says = (at: number, n: number) =>
    event(null, "llm/delta", { ...ids, type: "text-delta", text: "word ", usage: { "output-tokens": n } }, at)
  return [event(null, "llm/start", { ...ids, model }, NOW), says(NOW + 250, 1), says(NOW + 1250, tokens)]
}

function responds(invokeid: string, sessionId: string, more: object = {}): Decoded {
  const data = { invokeid, "session-id": sessionId, content: [{ type: "text", text: "word" }], ...more }
  return event(null, "llm/response", data, NOW + 1300)
}

/** The row of the live pane that begins with a glyph and a name, without the pane's border. */
async function rowOf(screen: Shown, pattern: RegExp): Promise<string> {
  const panes = (await screen.rows()).filter(row => row.startsWith("│"))
  const rows = panes.map(row => row.slice(2, row.indexOf("│", 2)).trimEnd())
  const found = rows.find(row => pattern.test(row))
  if (found === undefined) throw new Error(`No row like ${pattern}:\n${rows.join("\n")}`)
  return found
}

/** The colour of the pane's first text that begins with this. */
async function colourOf(screen: Shown, text: string): Promise<readonly number[] | undefined> {
  const spans = (await screen.frame()).lines.flatMap(line => line.spans)
  const [first = ""] = text
  return spans.find(one => one.text.trimStart().startsWith(text) || one.text === first)?.fg.toInts()
}

/** The column after `text` in the first row of the pane that has it. */
async function endOf(screen: Shown, text: string): Promise<number> {
  const row = await rowOf(screen, new RegExp(text.replaceAll(/[.,/]/g, "\\$&")))
  return Bun.stringWidth(row.slice(0, row.indexOf(text) + text.length))
}

describe("a row of the live pane", () => {
  test("has a glyph, name, model, tokens, rate with one decimal, and time to first token", async () => {
    const screen = await show()
    screen.feed(...streams("planner", "s1", 59))
    expect(await rowOf(screen, /planner/)).toMatch(/^▌● planner +gemma3:1b +59 +59\.0 +0\.3s$/)
  })

  test("has the tokens of all replies of a tool loop, as have its group, the header and exports", async () => {
    const screen = await show()
    const reply = (tokens: number) => responds("a", "s1", { usage: { "output-tokens": tokens } })
    screen.feed(...streams("a", "s1", 1), reply(20), ...streams("a", "s1", 1).slice(1, 2), reply(5))
    screen.feed(...streams("a", "s2", 3))
    expect(await rowOf(screen, /✓ 1 /)).toMatch(/ gemma3:1b +25 /)
    expect(await rowOf(screen, /▾/)).toMatch(/ 28 /)
    expect(await screen.row("● live")).toContain(" 28 tok")
    const { run } = screen.store.get()
    const exported = (session: number) => sectionOf(textsInMemory(run), session, sanitize, null).facts
    expect(exported(0)).toContainEqual({ name: "Tokens out", value: "25" })
    expect(exported(1)).toContainEqual({ name: "Tokens out", value: "3" })
    expect(report(run)).toMatchObject({ run: { tokens: 28 }, invocations: [{ tokens: 28 }] })
  })

  test("of a done or failed session has its own glyph and keeps its figures", async () => {
    const screen = await show()
    screen.feed(...streams("a", "s1", 1204), responds("a", "s1", { "output-tps": 58.88 }))
    screen.feed(
      ...streams("b", "s2", 17),
      event(null, "llm/error", { invokeid: "b", "session-id": "s2", message: "connection reset by peer" }),
    )
    expect(await rowOf(screen, / a /)).toMatch(/✓ a +gemma3:1b +1,204 +58\.9 +0\.3s$/)
    expect(await rowOf(screen, / b /)).toMatch(/✗ b {2}connection reset by peer +17 +17\.0 +0\.3s$/)
  })

  test("of a waiting session says for how long, with a shimmer unless motion is reduced", async () => {
    for (const motion of [true, false]) {
      const screen = await show({ motion })
      screen.feed(event(null, "llm/start", { invokeid: "a", "session-id": "s" }, NOW - 1800))
      expect(await rowOf(screen, / a /)).toMatch(/◌ a {2}[·•]{3} +0 +– +1\.8s…$/)
      const before = await rowOf(screen, / a /)
      screen.pass(250)
      screen.feed(event(null, "other", {}, NOW))
      const after = await rowOf(screen, / a /)
      expect(after.slice(0, 8) === before.slice(0, 8)).toBe(!motion)
    }
  })

  for (const [columns, rows] of SIZES) {
    test(`of a session that falls silent in a reply turns amber and says so, as the header does, at ${columns}`, async () => {
      const screen = await show({ columns, rows })
      screen.feed(...streams("a", "s1", 5))
      expect(await screen.text()).not.toContain("silent")
      screen.pass(21_250)
      screen.feed(event(null, "runner/tick", {}, NOW))
      expect(await rowOf(screen, / a /)).toContain("● a  ! silent")
      expect(await colourOf(screen, "● a")).toEqual(await colourOf(screen, "! silent"))
      const [header = ""] = await screen.rows()
      expect(header).toContain(columns < 60 ? " !1 " : " ! 1 silent ")
      screen.feed(responds("a", "s1"))
      expect(await screen.text()).not.toContain("silent")
      expect((await screen.rows())[0]).not.toContain("!1")
    })
  }

  test("of a group counts its silent sessions, also where it is folded and in a recording", async () => {
    const screen = await show({ link: replay })
    screen.feed(...streams("g", "s.1", 5), ...streams("g", "s.2", 5), responds("g", "s.2"))
    screen.feed(event(null, "runner/tick", {}, NOW + 71_000))
    expect(await rowOf(screen, / g /)).toContain("1/2  ! 1 silent")
    screen.press("z")
    expect(await rowOf(screen, / g /)).toContain("1/2  ! 1 silent")
  })

  test("shows a retry, a truncated reply, a refusal and a context that is nearly full", async () => {
    const screen = await show()
    const ids = (name: string) => ({ invokeid: name, "session-id": name })
    screen.feed(
      ...streams("a", "a", 5),
      event(null, "llm/retry", { ...ids("a"), attempt: 2, "max-retries": 5, category: "rate-limit" }),
    )
    screen.feed(...streams("b", "b", 5), responds("b", "b", { "stop-reason": "max_tokens" }))
    screen.feed(...streams("c", "c", 5), responds("c", "c", { "stop-reason": "refusal" }))
    screen.feed(...streams("d", "d", 5), event(null, "llm/context-warning", { ...ids("d"), "used-frac": 0.83 }))
    expect(await rowOf(screen, / a /)).toContain("retry 2 of 5 rate-limit")
    expect(await rowOf(screen, / b /)).toContain("! truncated: token limit")
    expect(await rowOf(screen, / c /)).toContain("! refused")
    screen.feed(event(70, "llm/worker-exit", { invokeid: "c", "session-id": "c", reason: "error", "is-error": true }))
    expect(await rowOf(screen, / c /)).toMatch(/✗ c {2}refused(?!;)/)
    screen.feed(event(71, "llm/error", { invokeid: "b", "session-id": "b", message: "reset" }))
    expect(await rowOf(screen, / b /)).toContain("truncated: token limit; reset")
    expect(await rowOf(screen, / d /)).toContain("! context 83%")
  })

  test("shows progress as a labelled bar, also as percent if above 1, until it ends", async () => {
    const screen = await show()
    const progress = (phase: string, pct: number) =>
      line({ kind: "progress", phase, invokeid: "a", pct, label: "indexing" })
    screen.feed(...streams("a", "s", 5), progress("start", 0.5))
    expect(await rowOf(screen, / a /)).toContain("███░░░ 50% indexing")
    screen.feed(progress("update", 100))
    expect(await rowOf(screen, / a /)).toContain("██████ 100% indexing")
    screen.feed(progress("end", 1))
    expect(await rowOf(screen, / a /)).not.toContain("indexing")
  })

  test("of a session that asks shows its question", async () => {
    const screen = await show()
    screen.feed(...streams("a", "s", 5))
    screen.feed(line({ kind: "prompt", "prompt-id": "p", invokeid: "a", type: "confirm", opts: { prompt: "Milk?" } }))
    screen.press("alt-h")
    expect(await rowOf(screen, / a /)).toMatch(/\? a {2}\? asks: Milk\?/)
    expect(await screen.row("LIVE")).toContain("?1")
  })
})

describe("a group of the live pane", () => {
  for (const [columns, rows] of SIZES) {
    test(`sums up its sessions and says how many are done at ${columns}x${rows}`, async () => {
      const screen = await show({ columns, rows })
      screen.feed(...streams("poet", "run.1", 812), ...streams("poet", "run.2", 431), ...streams("poet", "run.3", 100))
      screen.feed(responds("poet", "run.1", { usage: { "output-tokens": 812 } }))
      expect(await rowOf(screen, /▾ poet/)).toMatch(/▾ poet .*1\/3/)
      // 812 + 431 + 100 tokens, each in one second; the first session has ended.
      expect(await rowOf(screen, /▾ poet/)).toMatch(/1,343 +531\.0/)
      expect(await rowOf(screen, /✓ 1/)).toMatch(/^ {3}✓ 1 /)
    })
  }

  test("counts the tokens of every turn, as the header does", async () => {
    const screen = await show()
    const ended = (tokens: number) => responds("poet", "run.1", { usage: { "output-tokens": tokens } })
    screen.feed(...streams("poet", "run.1", 200), ended(236), ...streams("poet", "run.1", 40), ended(52))
    screen.feed(...streams("poet", "run.2", 12))
    expect(await rowOf(screen, /▾ poet/)).toMatch(/ 300 +12\.0/)
    expect(await rowOf(screen, /✓ 1/)).toMatch(/ 288 /)
    expect(await screen.row("tok")).toContain("300 tok")
  })

  test("has a completion bar if it fits, on wide screens too", async () => {
    for (const columns of [80, 120, 200]) {
      const screen = await show({ columns })
      screen.feed(...streams("drafter", "run.1", 5), ...streams("drafter", "run.2", 5))
      expect(await rowOf(screen, /drafter/)).toContain("▾ drafter ░░░░░░░░ 0/2")
      screen.feed(responds("drafter", "run.1"))
      expect(await rowOf(screen, /drafter/)).toContain("▾ drafter ████░░░░ 1/2")
    }
  })

  test("counts its failures", async () => {
    const screen = await show()
    screen.feed(...streams("a", "r.1", 5), ...streams("a", "r.2", 5))
    screen.feed(event(null, "llm/error", { invokeid: "a", "session-id": "r.2", message: "no" }))
    expect(await rowOf(screen, /▾ a/)).toContain("1/2 ✗1")
    expect(await screen.row("LIVE")).toContain("1 failed")
  })

  test("folds with h and unfolds with l, and all groups with z", async () => {
    const screen = await show()
    screen.feed(
      ...streams("a", "r.1", 5),
      ...streams("a", "r.2", 5),
      ...streams("b", "r.3", 5),
      ...streams("b", "r.4", 5),
    )
    screen.press("g", "j", "h")
    expect(await rowOf(screen, /[▸▾] a/)).toStartWith("▌▸ a")
    expect(await screen.text()).not.toMatch(/● 1 /)
    expect(await screen.text()).toMatch(/● 3 /)
    screen.press("l")
    expect(await screen.text()).toMatch(/● 1 /)
    screen.press("z")
    expect(await screen.text()).not.toMatch(/● [1-4] /)
    screen.press("z")
    expect(await screen.text()).toMatch(/● 4 /)
  })

  test("names its sessions by their numbers, never by their ids", async () => {
    const screen = await show()
    for (const id of ["2664f87a-11d3-4b02-b1a3-bff04424a130", "887cb50c-c550-4f6e-8b61-65ee85d8d962"]) {
      screen.feed(event(null, "llm/start", { invokeid: "judge", "session-id": id }))
    }
    screen.feed(...streams("judge", "887cb50c-c550-4f6e-8b61-65ee85d8d962/branch-1", 5))
    expect(await rowOf(screen, /◌ 1 /)).not.toContain("130")
    expect(await rowOf(screen, /◌ 2 /)).not.toContain("962")
    expect(await rowOf(screen, /● 2 · branch 1/)).toBeString()
    screen.feed(...streams("poet", "multiplex.poets.12", 5), ...streams("poet", "multiplex.poets.4", 5))
    expect(await rowOf(screen, /● 12/)).toBeString()
    expect(await rowOf(screen, /● 4/)).toBeString()
  })
})

describe("the columns of the live pane", () => {
  for (const [columns, rows] of SIZES) {
    test(`align numbers with their headings, small or huge, at ${columns}x${rows}`, async () => {
      const screen = await show({ columns, rows: Math.max(rows, 14) })
      screen.feed(...streams("日本語の名前がとても長いとき", "s1", 7), ...streams("🎉👩‍👩‍👧", "s2", 1_234_567))
      screen.feed(...streams("a-name-that-is-much-longer-than-the-column-which-it-has-been-given", "s3", 999_999))
      screen.feed(
        ...streams("g", "x.1", 3),
        ...streams("g", "x.2", 54_321, "a-model-with-a-very-long-name:405b-instruct-q4"),
      )
      const tokens = await endOf(screen, "tok")
      for (const number of ["1,234,567", " 7", "999,999", "54,321", "54,324"]) {
        expect(`${number}${await endOf(screen, number)}`).toBe(`${number}${tokens}`)
      }
      const rate = await endOf(screen, "tok/s")
      for (const number of [" 1.2M", " 7.0", "999,999 999,999", "54,321  54,321", "54,324  54,324"]) {
        expect(`${number}${await endOf(screen, number)}`).toBe(`${number}${rate}`)
      }
    })
  }

  test("end every row at the same column, and leave the border in place", async () => {
    const screen = await show()
    screen.feed(...streams("日本語", "s1", 7), ...streams("👩‍👩‍👧 family", "s2", 8), ...streams("é́́́", "s3", 9))
    for (const row of (await screen.rows()).slice(1, -1)) expect(Bun.stringWidth(row)).toBe(120)
  })

  test("hold a huge rate and a long time", async () => {
    const screen = await show()
    const ids = { invokeid: "a", "session-id": "s" }
    const says = (at: number, n: number) =>
      event(null, "llm/delta", { ...ids, type: "text-delta", text: "x", usage: { "output-tokens": n } }, at)
    screen.feed(event(null, "llm/start", ids, NOW - 50_000_000), says(NOW, 1), says(NOW + 1, 123_456_789))
    expect(await rowOf(screen, / a /)).not.toContain("…")
    expect(await rowOf(screen, / a /)).toEndWith("13h53m")
  })
})

describe("the live pane with many sessions", () => {
  test("reaches row 60 of 60 by j, G, PgDn and End on 24 lines", async () => {
    const lines = await readFrames(fixture("parallel-60"))
    const ways = [Array.from({ length: 70 }, () => "j"), ["G"], Array.from({ length: 8 }, () => "pagedown"), ["end"]]
    for (const way of ways) {
      const screen = await show({ columns: 80, rows: 24 })
      screen.feed(...lines)
      screen.press("g")
      expect(await rowOf(screen, /^▌/)).toStartWith("▌▾ ")
      screen.press(...way)
      const shown = (await screen.rows()).filter(row => /^│ {2,}. |^│ ▌/.test(row) && !row.includes("+00:"))
      expect(shown.at(-1)).toContain("▌")
      const { run, view } = screen.store.get()
      expect(view.selected).toEqual({ type: "session", session: idAt(run, run.sessions.length - 1) })
    }
  })

  test("keeps the selected row on the screen through every resize", async () => {
    const lines = await readFrames(fixture("parallel-60"))
    const screen = await show()
    screen.feed(...lines)
    screen.press("g", ..."j".repeat(30))
    for (const [columns, rows] of [
      [80, 24],
      [40, 10],
      [120, 40],
      [61, 16],
      [200, 60],
    ] as const) {
      screen.resize(columns, rows)
      expect(await screen.text()).toContain("▌ ")
    }
  })

  test("keeps the sessions of an earlier run, marked as such", async () => {
    const screen = await show()
    const started = (resume: boolean) =>
      event(0, "runner/started", { "session-id": "x", "chart-id": "c", "resume?": resume })
    screen.feed(started(false), event(1, "llm/start", { invokeid: "a", "session-id": "s" }))
    screen.feed(started(true), event(1, "llm/start", { invokeid: "a", "session-id": "s" }, 9000))
    expect(await rowOf(screen, /earlier/)).toContain("a (earlier run)")
    screen.feed(line({ kind: "prompt", "prompt-id": "p#1", invokeid: "a", type: "text", opts: { prompt: "Why?" } }))
    screen.press("alt-h")
    expect(await rowOf(screen, /earlier/)).not.toContain("?")
    expect(await rowOf(screen, /asks: W/)).toContain("? a")
  })

  test("says what it waits for if empty, and that a recording has no sessions", async () => {
    const screen = await show({ link: { state: "connecting", url: "ws://127.0.0.1:3737/ws", attempt: 1 } })
    expect(await screen.text()).toContain("Waiting for the agent at 127.0.0.1:3737")
    const since = NOW - 5000
    const url = "ws://127.0.0.1:3737/ws"
    screen.link({ state: "lost", url, since, retryAt: NOW + 2000, why: "refused", everOpen: false })
    expect(await screen.text()).toContain("No connection to 127.0.0.1:3737: refused. Trying again in 2s")
    screen.resize(40, 10)
    expect(await screen.text()).toContain("No connection to 127.0.0.1:3737:")
    expect(await screen.text()).toContain("Trying again in 2s")
    const recorded = await show({ link: replay })
    recorded.feed(event(0, "runner/started", {}), event(1, "runner/done", { status: "done" }))
    expect(await recorded.text()).toContain("No sessions")
  })
})
