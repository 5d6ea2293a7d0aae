// Tests the header: the run, its state, the connection and the figures.
import { describe, expect, test } from "bun:test"
import { delta, event, line } from "../run/lines.ts"
import { type Shown, show, URL } from "./screen.tsx"

const started = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":tea/party", "resume?": false })

const ids = { invokeid: "a", "session-id": "s" }
const asks = (id: string) => line({ kind: "prompt", "prompt-id": id, type: "confirm", opts: { prompt: "Milk?" } })

async function header(screen: Shown): Promise<string> {
  const [first = ""] = await screen.rows()
  return first.trimEnd()
}

describe("the header", () => {
  test("groups tokens in thousands, and has the current rate with one decimal", async () => {
    const screen = await show({ now: 134_310 })
    screen.feed(started, event(1, "llm/start", { invokeid: "a", "session-id": "s" }))
    screen.feed(delta(2, "x", { usage: { "output-tokens": 11_931 }, ts: 10_000 }))
    screen.feed(delta(3, "x", { usage: { "output-tokens": 12_431 }, ts: 134_310 }))
    // 500 tokens in the five seconds from 130 to 134.31.
    expect(await header(screen)).toEndWith("02:13  12,431 out  116/s")
    screen.feed(event(4, "llm/worker-exit", { invokeid: "a", "session-id": "s", reason: "done" }))
    expect(await header(screen)).toEndWith("12,431 out")
  })

  test("goes on with the clock and without a rate where the replies of a live run stall, as the rows do", async () => {
    const screen = await show({ now: 10_000 })
    screen.feed(event(1, "llm/start", { invokeid: "a", "session-id": "s" }, 1000))
    for (let seq = 2; seq < 40; seq++) screen.feed(delta(seq, "x", { ts: 1000 + 150 * seq }))
    expect(await header(screen)).toMatch(/00:09 .* \d\d?\.\d\/s$/)
    screen.pass(32_000)
    expect(await header(screen.press("m"))).toEndWith("00:41  38 out  0/s")
    screen.link({ state: "lost", url: URL, since: 42_000, retryAt: 43_000, why: "closed", everOpen: true })
    expect(await header(screen)).toContain("00:05")
  })

  test("goes on with the clock while a person is asked, as the waterfall does, and stands once the run is over", async () => {
    const screen = await show({ now: 43_000 })
    screen.feed(started, event(1, "llm/worker-exit", { ...ids, reason: "done" }, 42_000), asks("p1"))
    screen.pass(60_000)
    expect(await header(screen.press("alt-h"))).toMatch(/ 01:42$/)
    screen.feed(event(2, "runner/done", { status: "done" }, 50_000))
    expect(await header(screen)).toMatch(/ 00:49$/)
  })
})
