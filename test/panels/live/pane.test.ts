// Tests the live pane: status, progress, rates and failures of every session.
import { describe, expect, test } from "bun:test"
import { TextAttributes } from "@opentui/core"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { sanitize } from "../../../packages/wire/src/sanitize.ts"
import { sectionOf } from "../../../src/export/section.ts"
import { report } from "../../../src/run/select/report.ts"
import { textsInMemory } from "../../../src/run/select/run-texts.ts"
import { fixture, readFrames } from "../../fixtures.ts"
import { event, line } from "../../run/lines.ts"
import { NOW, replay, type Shown, SIZES, show as showAt } from "../../screen/screen.tsx"

/** As wide as leaves the list 78 columns. */
const show = (options: Parameters<typeof showAt>[0] = {}, ...lines: readonly Decoded[]) =>
  showAt({ columns: 142, ...options }, ...lines)

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
  test("has its own words below its group, whose long name is whole", async () => {
    const screen = await show()
    const start = (id: string, label: string) =>
      event(null, "llm/start", { invokeid: "general-purpose-agent", "session-id": id, "session-label": label }, NOW)
    screen.feed(start("s1", "Count lines"), start("s2", "Find it"))
    expect(await rowOf(screen, /general/)).toMatch(/▾ general-purpose-agent 0\/2 2 running /)
    expect(await rowOf(screen, /Count/)).toMatch(/ Count lines +waiting/)
    expect(await rowOf(screen, /Find it/)).toMatch(/ Find it +waiting/)
  })

  test("shows it also where only a warning of another session told how much its model can take", async () => {
    const screen = await show()
    const warned = { invokeid: "other", "session-id": "s0", "input-tokens": 29_440, "used-frac": 0.92 }
    screen.feed(...streams("other", "s0", 59), event(null, "llm/context-warning", warned, NOW + 1250))
    screen.feed(...streams("planner", "s1", 59), responds("planner", "s1", { usage: { "input-tokens": 8000 } }))
    expect(await rowOf(screen, /planner/)).toContain(" 25%")
  })

  test("has its lane beside it from 160 columns on, and the axis of all lanes below the last row", async () => {
    const screen = await show({ columns: 160 }, ...streams("planner", "s1", 59), ...streams("poet", "s2", 5))
    const row = await rowOf(screen, /planner/)
    expect(row).toMatch(/^ ● planner +word word +░+▇+ +59\/s +1\.3s$/)
    const axis = await rowOf(screen, /^ +0 +1 s$/)
    expect(axis.indexOf("0")).toBe(row.indexOf("░"))
    expect(await screen.text()).not.toContain("so far")
  })

  test("is in full colour while it works, and faint once it is over, as is its lane", async () => {
    const screen = await show()
    const faintOf = async (text: string) =>
      (await screen.frame()).lines
        .flatMap(({ spans }) => spans)
        .filter(one => one.text.trim().startsWith(text))
        .map(({ attributes }) => (attributes & TextAttributes.DIM) !== 0)
    screen.feed(...streams("planner", "s1", 59), ...streams("poet", "s2", 5))
    expect([...(await faintOf("planner")), ...(await faintOf("▇"))]).not.toContain(true)
    screen.feed(responds("planner", "s1"))
    expect(await faintOf("planner")).not.toContain(false)
    expect(await faintOf("poet")).not.toContain(true)
    expect(await faintOf("▇")).toEqual([true, false])
  })

  test("counts a rate from the last five seconds alone", async () => {
    const screen = await show()
    const says = (at: number, tokens: number) =>
      event(null, "llm/delta", { ...ids, type: "text-delta", text: "w ", usage: { "output-tokens": tokens } }, at)
    const ids = { invokeid: "a", "session-id": "s" }
    screen.feed(event(null, "llm/start", ids, NOW), says(NOW + 100, 400), says(NOW + 9900, 410))
    // Ten tokens in the five seconds from 5 to 9.9 s.
    expect(await rowOf(screen, / a /)).toMatch(/ w w +2\/s +9\.9s$/)
  })

  test("has the first of the tools that run, for how long, and its first argument, until its result comes", async () => {
    const screen = await show()
    const call = { type: "tool_use", name: "run_bash", input: { command: "wc -w 4.txt", cwd: "/tmp" } }
    screen.feed(...streams("a", "s1", 5), responds("a", "s1", { content: [call, { ...call, name: "look" }] }))
    screen.feed(event(null, "other", {}, NOW + 4300))
    screen.pass(4300).feed(event(null, "other", {}, NOW + 4300))
    expect(await rowOf(screen, / a /)).toMatch(/● a +run_bash 3\.0s wc -w/)
    expect(await screen.row("SESSIONS")).toContain("1 running")
    const result = (tool: string) =>
      event(null, "llm/tool-result", { invokeid: "a", "session-id": "s1", tool }, NOW + 4400)
    expect(await rowOf(screen.feed(result("run_bash")), / a /)).toMatch(/● a +look \d/)
    screen.feed(result("look"))
    expect(await rowOf(screen, / a /)).toContain("waiting for its next turn")
  })

  test("has the first line of the reply once that is there, without a heading or marks of Markdown", async () => {
    const screen = await show()
    const text = "## Verdict\n\nPoet 4 **keeps** the cut.\nMore."
    screen.feed(...streams("a", "s1", 5), responds("a", "s1", { content: [{ type: "text", text }] }))
    expect(await rowOf(screen, / a /)).toContain("  Poet 4 keeps the cut")
  })

  test("shows the row of text that is being written from its beginning, and then begins the next", async () => {
    const screen = await show()
    const ids = { invokeid: "a", "session-id": "s1" }
    const says = (text: string) => event(null, "llm/delta", { ...ids, type: "text-delta", text }, NOW + 1300)
    screen.feed(...streams("a", "s1", 5), says("More.\n\nThe pier is asked for"))
    expect(await rowOf(screen, / a /)).toMatch(/● a +The pier is asked for +\d/)
    screen.feed(says(" where it can be missing, and there alone"))
    expect(await rowOf(screen, / a /)).toMatch(/● a +missing, and there alone +\d/)
    expect(await rowOf(screen.feed(says(".\n\n- ")), / a /)).toMatch(/● a +missing, and there alone\. +\d/)
  })

  test("has in the header and in exports the tokens of all replies of a tool loop", async () => {
    const screen = await show()
    const reply = (tokens: number) => responds("a", "s1", { usage: { "output-tokens": tokens } })
    screen.feed(...streams("a", "s1", 1), reply(20), ...streams("a", "s1", 1).slice(1, 2), reply(5))
    expect(await screen.feed(...streams("a", "s2", 3)).row("● live")).toContain(" 28 out")
    const { run } = screen.store.get()
    const exported = (session: number) => sectionOf(textsInMemory(run), session, sanitize, null).facts
    expect(exported(0)).toContainEqual({ name: "Tokens out", value: "25" })
    expect(exported(1)).toContainEqual({ name: "Tokens out", value: "3" })
    expect(report(run)).toMatchObject({ run: { tokens: 28 }, invocations: [{ tokens: 28 }] })
  })

  test("of a waiting session says for how long, with a shimmer unless motion is reduced, where there is room", async () => {
    for (const motion of [true, false]) {
      const screen = await show({ motion, columns: 158 })
      screen.feed(event(null, "llm/start", { invokeid: "a", "session-id": "s" }, NOW - 1800))
      expect(await rowOf(screen, / a /)).toMatch(/◌ a +waiting for first token [·•]{3} +1\.8s$/)
      const before = await rowOf(screen, / a /)
      screen.pass(250)
      const after = await rowOf(screen.feed(event(null, "other", {}, NOW)), / a /)
      expect(/[·•]{3}/.exec(after)?.[0] === /[·•]{3}/.exec(before)?.[0]).toBe(!motion)
    }
  })

  test.each(SIZES)(
    "of a session that falls silent in a reply turns amber and says so, as the header does, at %d",
    async (columns, rows) => {
      const screen = await show({ columns, rows })
      expect(await screen.feed(...streams("a", "s1", 5)).text()).not.toContain("silent")
      screen.pass(12_250)
      expect(await rowOf(screen.feed(event(null, "runner/tick", {}, NOW)), / a /)).toContain("silent for 11s")
      const calm = await colourOf(screen, "silent for 11s")
      screen.pass(9000)
      const silent = await rowOf(screen.feed(event(null, "runner/tick", {}, NOW)), / a /)
      expect(silent).toContain("silent for 20s")
      expect(silent).not.toContain("/s")
      expect(await colourOf(screen, "silent for 20s")).not.toEqual(calm)
      const [header = ""] = await screen.rows()
      expect(header).toContain(columns < 60 ? " !1 " : " ! 1 silent ")
      expect(await screen.feed(responds("a", "s1")).text()).not.toContain("silent")
      expect((await screen.rows())[0]).not.toContain("!1")
    },
  )

  test("of a group counts its silent sessions, also where it is folded and in a recording", async () => {
    const screen = await show({ link: replay })
    screen.feed(...streams("g", "s.1", 5), ...streams("g", "s.2", 5), responds("g", "s.2"))
    screen.feed(event(null, "runner/tick", {}, NOW + 71_000))
    expect(await rowOf(screen, / g /)).toMatch(/g 1\/2 +1 running · 1 silent/)
    expect(await rowOf(screen.press("z"), / g /)).toMatch(/g 1\/2 +1 running · 1 silent/)
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
    screen.feed(event(null, "llm/delta", { ...ids("a"), type: "text-delta", text: "again" }, NOW + 1300))
    expect(await rowOf(screen, / a /)).toMatch(/ a .*again/)
    expect(await rowOf(screen, / b /)).toContain("! truncated: token limit")
    expect(await rowOf(screen, / c /)).toContain("! refused")
    screen.feed(event(70, "llm/worker-exit", { invokeid: "c", "session-id": "c", reason: "error", "is-error": true }))
    expect(await rowOf(screen, / c /)).toMatch(/✗ c +refused +1\.3s$/)
    screen.feed(event(71, "llm/error", { invokeid: "b", "session-id": "b", message: "reset" }))
    expect(await rowOf(screen, / b /)).toContain("reset; truncated: token limit")
    expect(await rowOf(screen, / d /)).toContain(" 83%")
  })

  test("shows progress with its label, also as percent if above 1, until it ends", async () => {
    const screen = await show()
    const progress = (phase: string, pct: number) =>
      line({ kind: "progress", phase, invokeid: "a", pct, label: "indexing" })
    screen.feed(...streams("a", "s", 5), progress("start", 0.5))
    expect(await rowOf(screen, / a /)).toContain("50% indexing ")
    expect(await rowOf(screen.feed(progress("update", 100)), / a /)).toContain("100% indexing ")
    expect(await rowOf(screen.feed(progress("end", 1)), / a /)).not.toContain("indexing")
  })
})

describe("a group of the live pane", () => {
  test("counts the tokens of every turn, as the header does", async () => {
    const screen = await show()
    const ended = (tokens: number) => responds("poet", "run.1", { usage: { "output-tokens": tokens } })
    screen.feed(...streams("poet", "run.1", 200), ended(236), ...streams("poet", "run.1", 40), ended(52))
    expect(await rowOf(screen.feed(...streams("poet", "run.2", 12)), /▾ poet/)).toMatch(/ 12\/s +1\.3s$/)
    expect(await screen.row("● live")).toContain("300 out")
  })

  test("that has ended has no rate, and the time from its first start to its end", async () => {
    const screen = await show()
    screen.feed(...streams("a", "r.1", 50), ...streams("a", "r.2", 50), responds("a", "r.1"), responds("a", "r.2"))
    expect(await rowOf(screen, /▾ a/)).toMatch(/▾ a 2\/2 +1\.3s$/)
  })

  test("folds with h and unfolds with l, and all groups with z", async () => {
    const screen = await show()
    screen.feed(
      ...streams("a", "r.1", 5),
      ...streams("a", "r.2", 5),
      ...streams("b", "r.3", 5),
      ...streams("b", "r.4", 5),
    )
    expect(await rowOf(screen.press("g", "j", "h"), /[▸▾] a/)).toStartWith("▌▸ a")
    expect(await screen.text()).not.toMatch(/● 1 /)
    expect(await screen.text()).toMatch(/● 3 /)
    expect(await screen.press("l").text()).toMatch(/● 1 /)
    expect(await screen.press("z").text()).not.toMatch(/● [1-4] /)
    expect(await screen.press("z").text()).toMatch(/● 4 /)
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
  test.each(SIZES)("stand below each other, whatever stands before them, at %dx%d", async (columns, rows) => {
    const screen = await show({ columns, rows: Math.max(rows, 14) })
    screen.feed(...streams("日本語の名前がとても長いとき", "s1", 7), ...streams("🎉👩‍👩‍👧", "s2", 1_234_567))
    screen.feed(...streams("a-name-that-is-much-longer-than-the-column-which-it-has-been-given", "s3", 999_999))
    screen.feed(...streams("g", "x.1", 3), ...streams("g", "x.2", 54_321))
    const rates = columns < 60 ? [] : [" 7/s", "1.2M/s", "1.0M/s", "54k/s"]
    for (const one of rates) expect(`${one}${await endOf(screen, one)}`).toBe(`${one}${await endOf(screen, "/s")}`)
    const ends = [/日本/, /🎉/, /a-name/, /▾ g/, /● 1/].map(async name => Bun.stringWidth(await rowOf(screen, name)))
    expect(new Set(await Promise.all(ends)).size).toBe(1)
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
  test("keeps the selected row on the screen through every resize", async () => {
    const lines = await readFrames(fixture("parallel-60"))
    const screen = await show()
    screen.feed(...lines).press("S", "j", "j", "enter", "g", ..."j".repeat(30))
    for (const [columns, rows] of [
      [80, 24],
      [40, 10],
      [120, 40],
      [61, 16],
      [200, 60],
    ] as const) {
      expect(await screen.resize(columns, rows).text()).toMatch(/│ ▌[✓✗]/)
    }
  })

  test("keeps the sessions of an earlier run, marked as such", async () => {
    const screen = await show()
    const started = (resume: boolean) =>
      event(0, "runner/started", { "session-id": "x", "chart-id": "c", "resume?": resume })
    screen.feed(started(false), event(1, "llm/start", { invokeid: "a", "session-id": "s" }))
    screen.feed(started(true), event(1, "llm/start", { invokeid: "a", "session-id": "s" }, 9000))
    expect(await rowOf(screen, /earlier/)).toMatch(/a +\(earlier run\)/)
    screen.feed(line({ kind: "prompt", "prompt-id": "p#1", invokeid: "a", type: "text", opts: { prompt: "Why?" } }))
    expect(await rowOf(screen.press("alt-h"), /earlier/)).not.toContain("?")
    expect(await rowOf(screen, /asks: W/)).toContain("? a")
  })
})

test("a run that ended without a session waits for none", async () => {
  const screen = await show()
  expect(await rowOf(screen, /session/)).toBe(" Waiting for the first session")
  screen.feed(event(0, "runner/done"))
  expect(await rowOf(screen, /session/)).toBe(" No sessions")
})
