// Tests the live pane in a terminal: what its rows tell, and how a person finds the row that matters.
import { describe, expect, test } from "bun:test"
import { event } from "../agent/ui.ts"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"

const replayed = (name: string, at: string, size: { cols?: number; rows?: number } = {}) =>
  openSidecar({ ...size, cmd: [...spawned, "replay", fixture(name), "--at", at] })

describe("a row of the live pane", () => {
  test("tells what each session is doing, its rate, its time and its context", async () => {
    await using sidecar = await replayed("demo", "#826", { cols: 200 })
    const rows = (await sidecar.waitFor("drafter 1/4")).join("\n")
    expect(rows).toMatch(/✓ planner +1\. Timeline - /)
    expect(rows).toMatch(/▾ drafter 1\/4 +✗1 · 3 running .* \d+\/s +[\d.]+s/)
    expect(rows).toMatch(/● 1 .*quieter than it sho.* 30\/s /)
    expect(rows).toMatch(/✗ 3 +connection reset by peer /)
    expect(rows).toMatch(/● 2 .* ▮▮▮▮▯ +88%/)
  })

  test("has the tool that runs while it runs, and the question while it waits", async () => {
    const ids = { invokeid: "judge", "session-id": "s1" }
    const asks = (invokeid: string, prompt: string) =>
      JSON.stringify({ kind: "prompt", "prompt-id": `${invokeid}#1`, invokeid, type: "text", opts: { prompt } })
    const content = [{ type: "tool_use", name: "run_bash", input: { command: "wc -w 4.txt" } }]
    const reply = event("llm/response", { ...ids, content, "stop-reason": "tool_use" })
    // The question of nobody stays open, so the run goes on.
    await using sidecar = await openLive([event("llm/start", ids), reply, asks("nobody", "Well?")], { cols: 200 })
    await sidecar.waitFor("Well?")
    sidecar.press("\x1bh")
    await sidecar.waitFor(/● judge +run_bash \d+\.\ds wc -w 4\.txt/)
    sidecar.agent.emit(event("llm/tool-result", { ...ids, tool: "run_bash", "content-preview": "17" }))
    await sidecar.waitFor(/● judge +waiting for its next turn/)
    sidecar.agent.emit(asks("judge", "Which haiku wins?"))
    const rows = await sidecar.waitFor(/\? judge +asks: Which haiku wins\?/)
    expect(rows.join("\n")).toMatch(/SESSIONS {2}1 · .*\?2/)
  })

  test("has numbers in place of ids, the same ones in the log and the view of times", async () => {
    const ids = ["2664f87a-11d3-4b02-b1a3-bff04424a130", "887cb50c-c550-4f6e-8b61-65ee85d8d962"]
    await using sidecar = await openLive(ids.map(id => event("llm/start", { invokeid: "judge", "session-id": id })))
    const rows = (await sidecar.waitFor(/– 2 +stopped before/)).join("\n")
    expect(rows).toContain("judge 2 ")
    expect(rows).not.toMatch(/65ee85d8d962|bff04424a130/)
    sidecar.press("T")
    expect((await sidecar.waitFor("TIME")).join("\n")).toMatch(/judge 1 .*\n.*judge 2 /s)
  })
})

describe("the list of the live pane", () => {
  test("says at its lower edge which row is selected", async () => {
    await using sidecar = await replayed("parallel-60", "#900", { cols: 80, rows: 24 })
    await sidecar.waitFor("─ 59 of 59 ")
    sidecar.press("g")
    await sidecar.waitFor(/└─ 1 of \d+ {3}S sort: as they came/)
    sidecar.press("G")
    expect((await sidecar.waitFor(/└─ (\d+) of \1 {3}S sort/)).join("\n")).not.toContain("─ 1 of ")
  })

  test("keeps what runs in sight, and folds finished sessions with bars that begin in one column", async () => {
    await using sidecar = await openSidecar({ rows: 30, env: { OPENTUI_REPLAY: fixture("parallel-60") } })
    await sidecar.waitFor("end of recording")
    const rows = await sidecar.waitFor(/▸ lights\S* 10\/10/)
    const columns = rows.filter(row => row.includes("▸")).map(row => row.search(/\d\.\ds/))
    expect([new Set(columns).size, columns.every(column => column > 0)]).toEqual([1, true])
    sidecar.press("gl")
    await sidecar.waitFor(/✓ 1 +Buoy 1 off the north/)
    sidecar.press("h")
    await sidecar.waitFor(rows => !rows.some(row => row.includes("Buoy 1 off the north r")))
  })

  test("keeps its height as sessions come, and leaves the log a third", async () => {
    const heights = []
    for (const name of ["demo", "parallel-60"]) {
      await using sidecar = await replayed(name, "#700", { cols: 120, rows: 40 })
      const rows = await sidecar.waitFor(/ 700\/[\d,]+ /)
      heights.push(rows.findIndex(row => row.includes("─ LOG ")))
    }
    expect(heights).toEqual([27, 27])
  })

  test("gives no rate to groups that are done, and the header and the view of costs have the same sums", async () => {
    await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("2,611/2,611")
    const rows = (await sidecar.waitFor(/drafter 4\/4/)).join("\n")
    expect(rows).toMatch(/✓ planner .* 8\.2s[\s\S]*▾ drafter 4\/4 +13s[\s\S]*✓ reviewer [\s\S]*✓ scribe /)
    expect(rows.split("\n")[0]).toMatch(/ 2,755 out {2}\$0\.0013$/)
    sidecar.press("$")
    expect((await sidecar.waitFor("COST")).join("\n")).toMatch(/run .* 2,755 .* \$0\.0013/)
  })

  test("is sorted by S, and its edge says how", async () => {
    await using sidecar = await replayed("demo", "#826")
    await sidecar.waitFor("─ 6 of 6 ")
    sidecar.press("Sj\r")
    const rows = await sidecar.waitFor("S sort: what needs you first")
    expect(rows[2]).toContain("✗ drafter 3")
    sidecar.press("Sj\r")
    await sidecar.waitFor("S sort: newest first")
    sidecar.press("Sj\r")
    await sidecar.waitFor("S sort: most tokens first")
  })

  test("is filtered by / with letters or by what sessions do, while the log keeps its rows", async () => {
    await using sidecar = await replayed("demo", "#826")
    await sidecar.waitFor(/─ 6 of 6 [\s\S]*LOG {2}68 /)
    sidecar.type("/failed")
    const rows = await sidecar.waitFor(/─ \d of 2 /)
    expect(rows.join("\n")).toContain("✗ 3 ")
    expect(rows.join("\n")).toContain("LOG  68 ")
    sidecar.press("\r")
    await sidecar.waitFor("/ failed ─")
    sidecar.press("\x1b")
    await sidecar.waitFor(/─ \d of 6 /)
    sidecar.type("/dr4\r")
    await sidecar.waitFor(/─ \d of 2 /)
  })

  test("is not filtered by f, which filters the log", async () => {
    await using sidecar = await replayed("demo", "#826")
    await sidecar.waitFor(/─ \d of 6 /)
    sidecar.press("f")
    sidecar.type("invokeid=drafter* and error\r")
    const rows = await sidecar.waitFor(/LOG {2}2 of \d+/)
    expect(rows.join("\n")).toMatch(/─ \d of 6 /)
  })

  test("has a pinned session at its top", async () => {
    await using sidecar = await replayed("parallel-60", "#900", { cols: 80, rows: 24 })
    await sidecar.waitFor("─ 59 of 59 ")
    sidecar.press("G*g")
    const rows = await sidecar.waitFor(/│ ▌◌ lights\S* 10/)
    sidecar.press("j")
    await sidecar.waitFor(rows => /│ \*◌ \S+ 10/.test(rows[2] ?? ""))
    expect(rows[2]).toContain("10")
  })
})

test("the header ticks the states that were passed, and counts what is done and what failed", async () => {
  await using sidecar = await replayed("demo", "#826", { cols: 200 })
  const rows = await sidecar.waitFor("─ 6 of 6 ")
  expect(rows[0]).toMatch(
    /planning ✓ {2}▸drafting {2}reviewing {2}deciding {2}done .* ✗1 .* 2 of 5 done .* in {2}847 out/,
  )
})
