// Tests moving through time by keys: in a replay, and in the past of a live run.
import { describe, expect, test } from "bun:test"
import { fixture } from "../fixtures.ts"
import { openLive, openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

/** Expects this in the row of the time bar. */
const bar = (words: string | RegExp) => (rows: readonly string[]) => {
  const row = rows.findLast(one => /^ (playing|paused) /.test(one)) ?? ""
  return typeof words === "string" ? row.includes(words) : words.test(row)
}

/** Types `:50%` and Enter. */
async function toPercent(sidecar: Terminal, percent: number): Promise<void> {
  sidecar.press(":")
  await sidecar.waitFor("COMMANDS")
  sidecar.type(`${percent}%\r`)
}

describe("a replay", () => {
  test("opens paused at --at, and steps on and back, to an error, a change of state and a time", async () => {
    await using sidecar = await openSidecar({ cmd: [...spawned, "replay", fixture("demo"), "--at", "#5"] })
    // Five lines of the recording: started, its config, a phase, the planner's start and its request.
    const fifth = await sidecar.waitFor(bar(/^ paused 1× .* 5\/2,611 {2}seq 3 {2}00:00 of 01:00/))
    const upToFifth = /LOG {2}68 .* 64 later .*\n.*started.*\n.*config.*\n.*planner +start.*\n│ ▌.*planner +asked/
    expect(fifth.join("\n")).toMatch(upToFifth)
    expect(fifth[0]).toContain(" PAST ")
    // What came after the moment stays in sight.
    expect(fifth.join("\n")).toMatch(/asked .*\n│ {2}\+00:08.156 +planner +said/)
    sidecar.press(",")
    const fourth = await sidecar.waitFor(bar(" 4/2,611 "))
    expect(fourth.join("\n")).toMatch(/65 later .*\n(.*\n)*│ ▌.*planner +start/)
    sidecar.press(".")
    await sidecar.waitFor(rows => Bun.deepEquals(rows, fifth))
    sidecar.press("e")
    const error = await sidecar.waitFor(bar(" 810/2,611 "))
    expect(error.join("\n")).toContain("connection reset by peer")
    sidecar.press("]s")
    await sidecar.waitFor(bar(" 1,514/2,611 "))
    sidecar.press("[s")
    await sidecar.waitFor(bar(" 286/2,611 "))
    await toPercent(sidecar, 50)
    await sidecar.waitFor(bar(" 1,306/2,611 "))
    sidecar.press(":")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("802\r")
    await sidecar.waitFor(bar(" 810/2,611 "))
    sidecar.press("\x1b[F")
    await sidecar.waitFor("end of recording")
    await sidecar.waitFor(bar(/ 2,611\/2,611 .* 01:00 of 01:00/))
  })

  test("goes to the next and previous frame at which a condition comes true, and says if there is none", async () => {
    await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("end of recording")
    await toPercent(sidecar, 0)
    await sidecar.waitFor(bar(" 0/2,611 "))
    sidecar.press(":")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("state=reviewing\r")
    await sidecar.waitFor("state=reviewing became true at frame 1514")
    await sidecar.waitFor(bar(" 1,514/2,611 "))
    sidecar.press("n")
    await sidecar.waitFor(": no later match")
    sidecar.press("\x1b[F")
    await sidecar.waitFor("end of recording")
    sidecar.press("N")
    const there = await sidecar.waitFor(bar(" 1,514/2,611 "))
    expect(there[0]).toContain("reviewing")
  })

  test("plays again from the start by Space at its end, at a speed that can be read", async () => {
    await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("end of recording")
    await sidecar.waitFor(bar(/^ paused 1× .* 2,611\/2,611 /))
    sidecar.press(" ")
    const played = await sidecar.waitFor(bar(/^ playing 1× .* \d{1,3}\/2,611 /))
    expect(played[0]).toContain("PAST")
    sidecar.press(" >")
    await sidecar.waitFor(bar(/^ paused 2× /))
  })

  test("keeps the bar of the selected session in view while the view of times is zoomed", async () => {
    await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("end of recording")
    sidecar.press("T")
    await sidecar.waitFor(/SESSIONS {2}\d+ · \d.* TIME /)
    sidecar.press("g")
    sidecar.press(":zoom in\r")
    await sidecar.waitFor(/SESSIONS .* to .* TIME /)
    sidecar.press(":zoom in\r")
    const zoomed = await sidecar.waitFor(/▌ +planner .*[▇░]/)
    expect(zoomed.join("\n")).toMatch(/SESSIONS .* to .* TIME /)
  })

  test("marks no state of the chart as going on once the run is over", async () => {
    await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: fixture("demo") } })
    await sidecar.waitFor("end of recording")
    sidecar.press(":>chart\r")
    const chart = await sidecar.waitFor(/✓ +reviewing/)
    expect(chart.filter(row => /^│ +● /.test(row))).toEqual([])
  })

  test("shows a bookmark on the bar, and goes to its frame", async () => {
    await using sidecar = await openSidecar({ cmd: [...spawned, "replay", fixture("demo"), "--at", "#810"] })
    await sidecar.waitFor(bar(" 810/2,611 "))
    sidecar.press("M")
    sidecar.type("cut\r")
    await sidecar.waitFor("[cut]")
    await toPercent(sidecar, 0)
    await sidecar.waitFor(bar(/▌.* 0\/2,611 /))
    sidecar.press(":next bookmark\r")
    const there = await sidecar.waitFor(bar(" 810/2,611 "))
    expect(there.join("\n")).toContain("[cut]")
    sidecar.press(":next bookmark\r")
    await sidecar.waitFor("No later bookmark")
    sidecar.press("\x1b[27u")
    await sidecar.waitFor(rows => !rows.some(row => row.includes("COMMANDS")))
    await toPercent(sidecar, 90)
    await sidecar.waitFor(bar(" 2,350/2,611 "))
    sidecar.press(":previous bookmark\r")
    await sidecar.waitFor(bar(" 810/2,611 "))
  })

  test("lists each change of a watched condition, and goes to it", async () => {
    await using sidecar = await openSidecar({ cmd: [...spawned, "replay", fixture("demo"), "--at", "#300"] })
    await sidecar.waitFor(bar(" 300/2,611 "))
    sidecar.press(":")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("watch state=reviewing\r")
    const list = await sidecar.waitFor(/state=reviewing {2}2 changes/)
    expect(list.join("\n")).toMatch(
      /#1,514 +seq 1505 +\+00:21\.025 {2}true[\s\S]*#2,031 +seq 2021 +\+00:34\.702 {2}false/,
    )
    sidecar.press("jj\r")
    await sidecar.waitFor(bar(" 2,031/2,611 "))
  })

  test("stops when a condition comes true, and plays on", async () => {
    const cmd = [...spawned, "replay", fixture("demo"), "--speed", "64", "--pause-at", "event=llm/error"]
    await using sidecar = await openSidecar({ cmd })
    await sidecar.waitFor("paused at frame 810")
    const stopped = await sidecar.waitFor(bar(/^ paused 64× .* 810\/2,611 /))
    expect(stopped.join("\n")).toMatch(/llm\/error|✗/)
    sidecar.press(" ")
    const ended = await sidecar.waitFor("end of recording")
    expect(ended.join("\n")).toContain("2,611/2,611")
  })
})

describe("the past of a live run", () => {
  test("is shown under a badge while the run goes on, sends nothing, and ends with End", async () => {
    await using sidecar = await openLive(fixture("demo"), { agent: { speed: 1, debug: true } })
    await sidecar.waitFor(/planner +asked/)
    sidecar.press(",")
    await sidecar.waitFor(/LIVE \+\d/)
    sidecar.press(":")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("#4\r")
    const past = await sidecar.waitFor(bar(/ 4\/[\d,]+ /))
    expect(past.join("\n")).toMatch(/LOG {2}4 · 2 later .*\n.*\n│ ▌.*config.*\n.*start.*\n.*planner +asked/)
    expect(past[0]).toMatch(/ PAST +LIVE \+\d/)
    const behind = (rows: readonly string[]) => Number(/LIVE \+([\d,]+)/.exec(rows[0] ?? "")?.[1]?.replace(",", ""))
    const then = behind(past)
    await sidecar.waitFor(rows => behind(rows) > then + 10)
    sidecar.press("p")
    await sidecar.waitFor("You're in the past. End returns to live")
    sidecar.press("\x1b[F")
    await sidecar.waitFor(rows => /live/.test(rows[0] ?? "") && /planner +asked/.test(rows.join("\n")))
    expect(sidecar.agent.inbound()).toEqual([])
  })

  test("is opened from the watch list, which grows while the run goes on", async () => {
    await using sidecar = await openLive(fixture("demo"), { agent: { speed: 1, debug: true } })
    await sidecar.waitFor(/planner +asked/)
    sidecar.press(":")
    await sidecar.waitFor("COMMANDS")
    sidecar.type("watch tokens\r")
    const counted = (rows: readonly string[]) => Number(/tokens {2}(\d+) changes/.exec(rows.join("\n"))?.[1] ?? 0)
    const first = counted(await sidecar.waitFor(rows => counted(rows) > 0))
    await sidecar.waitFor(rows => counted(rows) > first)
    sidecar.press("\r")
    const past = await sidecar.waitFor(/LIVE \+\d[\s\S]*planner/)
    expect(past.join("\n")).not.toMatch(/tokens {2}\d+ changes/)
  })
})

test("a replay at a moment that the recording lacks ends with 2, and says so on the terminal that it gave back", async () => {
  const cmd = [...spawned, "replay", fixture("demo"), "--at", "99999"]
  await using sidecar = await openSidecar({ cmd })
  expect(await sidecar.exited).toBe(2)
  expect(sidecar.raw).toContain("--at: the recording doesn't have that moment")
})
