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
  await sidecar.press(":").waitFor("COMMANDS")
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
    const fourth = await sidecar.press(",").waitFor(bar(" 4/2,611 "))
    expect(fourth.join("\n")).toMatch(/65 later .*\n(.*\n)*│ ▌.*planner +start/)
    await sidecar.press(".").waitFor(rows => Bun.deepEquals(rows, fifth))
    const error = await sidecar.press("e").waitFor(bar(" 810/2,611 "))
    expect(error.join("\n")).toContain("connection reset by peer")
    await sidecar.press("]s").waitFor(bar(" 1,514/2,611 "))
    await sidecar.press("[s").waitFor(bar(" 286/2,611 "))
    await toPercent(sidecar, 50)
    await sidecar.waitFor(bar(" 1,306/2,611 "))
    await sidecar.press(":").waitFor("COMMANDS")
    await sidecar.type("802\r").waitFor(bar(" 810/2,611 "))
    await sidecar.press("\x1b[F").waitFor("end of recording")
    await sidecar.waitFor(bar(/ 2,611\/2,611 .* 01:00 of 01:00/))
  })

  test("stops when a condition comes true, and plays on", async () => {
    const cmd = [...spawned, "replay", fixture("demo"), "--speed", "64", "--pause-at", "event=llm/error"]
    await using sidecar = await openSidecar({ cmd })
    await sidecar.waitFor("paused at frame 810")
    const stopped = await sidecar.waitFor(bar(/^ paused 64× .* 810\/2,611 /))
    expect(stopped.join("\n")).toMatch(/llm\/error|✗/)
    const ended = await sidecar.press(" ").waitFor("end of recording")
    expect(ended.join("\n")).toContain("2,611/2,611")
  })
})

test("the past of a live run is shown under a badge while the run goes on, sends nothing, and ends with End", async () => {
  await using sidecar = await openLive(fixture("demo"), { agent: { speed: 1, debug: true } })
  await sidecar.waitFor(/planner +asked/)
  await sidecar.press(",").waitFor(/LIVE \+\d/)
  await sidecar.press(":").waitFor("COMMANDS")
  const past = await sidecar.type("#4\r").waitFor(bar(/ 4\/[\d,]+ /))
  expect(past.join("\n")).toMatch(/LOG {2}4 · 2 later .*\n.*\n│ ▌.*config.*\n.*start.*\n.*planner +asked/)
  expect(past[0]).toMatch(/ PAST +LIVE \+\d/)
  const behind = (rows: readonly string[]) => Number(/LIVE \+([\d,]+)/.exec(rows[0] ?? "")?.[1]?.replace(",", ""))
  const then = behind(past)
  await sidecar.waitFor(rows => behind(rows) > then + 10)
  await sidecar.press("p").waitFor("You're in the past. End returns to live")
  sidecar.press("\x1b[F")
  await sidecar.waitFor(rows => /live/.test(rows[0] ?? "") && /planner +asked/.test(rows.join("\n")))
  expect(sidecar.agent.inbound()).toEqual([])
})

test("a replay at a moment that the recording lacks ends with 2, and says so on the terminal that it gave back", async () => {
  const cmd = [...spawned, "replay", fixture("demo"), "--at", "99999"]
  await using sidecar = await openSidecar({ cmd })
  expect(await sidecar.exited).toBe(2)
  expect(sidecar.raw).toContain("--at: the recording doesn't have that moment")
})
