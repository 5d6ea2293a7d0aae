// Tests how the live pane lists sessions: folded, sorted, filtered, pinned, and where in the list one is.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { event, line } from "../../run/lines.ts"
import { NOW, replay, type Shown, show as showAt } from "../../screen/screen.tsx"

/** As wide as leaves the list 78 columns. */
const show = (options: Parameters<typeof showAt>[0] = {}, ...lines: readonly Decoded[]) =>
  showAt({ columns: 142, ...options }, ...lines)

type End = "done" | "failed" | "running" | "tool"

/** Sessions of one invocation that have streamed a word, and ended in these ways. */
function group(invokeid: string, ends: readonly End[]): readonly Decoded[] {
  return ends.flatMap((end, i) => {
    const ids = { invokeid, "session-id": `${invokeid}.${i + 1}` }
    const content = [{ type: "text", text: "word" }, ...(end === "tool" ? [{ type: "tool_use", name: "ls" }] : [])]
    return [
      event(null, "llm/start", ids, NOW),
      event(null, "llm/delta", { ...ids, type: "text-delta", text: "word" }, NOW + 1),
      ...(end === "done" || end === "tool" ? [event(null, "llm/response", { ...ids, content }, NOW + 2)] : []),
      ...(end === "failed" ? [event(null, "llm/error", { ...ids, message: "reset" }, NOW + 2)] : []),
    ]
  })
}

const times = (count: number, end: End): readonly End[] => Array.from({ length: count }, () => end)
const question = (invokeid: string) =>
  line({ kind: "prompt", "prompt-id": "p", invokeid, type: "confirm", opts: { prompt: "Milk?" } })

/** The rows of the list, each without the columns behind what is done now. */
async function listed(screen: Shown): Promise<readonly string[]> {
  const rows = (await screen.rows()).map(row => row.slice(0, 42))
  const from = rows.findIndex(row => row.includes("─ SESSIONS ")) + 1
  const list = rows.slice(
    from,
    rows.findIndex((row, i) => i >= from && /^(│ +$|└)/.test(row)),
  )
  return list.map(row => row.slice(1).trim().replaceAll(/ {2,}/g, " "))
}

test("a finished turn whose end has no time is not said to have taken none", async () => {
  const ids = { invokeid: "claude", "session-id": "c" }
  const reply = { ...ids, content: [{ type: "text", text: "Both say 3." }] }
  const screen = await show({}, event(null, "llm/start", ids, NOW), event(null, "llm/response", reply, null))
  expect(await screen.row("Both say 3.")).not.toContain("0.0s")
})

describe("a list that does not fit", () => {
  const crowd = [
    ...group("poet", times(7, "done")),
    ...group("judge", [...times(20, "done"), "failed", "running", "tool"]),
  ]

  test("folds the finished sessions of a group into one row, and keeps what runs, failed and calls tools", async () => {
    const screen = await show()
    expect(await listed(screen.feed(...crowd))).toEqual([
      "▸ poet 7/7",
      "▾ judge 21/23 ✗1 · 2 running",
      "▸ 20 done Enter shows them",
      "✗ 21 reset",
      "● 22 word",
      expect.stringMatching(/^▌ ● 23 ls 0\.0s$/),
    ])
  })

  test("keeps a session that asks", async () => {
    const screen = await show()
    screen.feed(...group("poet", times(40, "done")), question("poet")).press("alt-h")
    expect(await listed(screen)).toEqual(["▾ poet 40/40 ?1", "▸ 39 done Enter shows them", "▌ ? 40 asks: Milk?"])
  })

  test("unfolds them by Enter and by l, and folds them by h", async () => {
    const screen = await show({}, ...crowd)
    expect(await screen.press("g", "j", "j", "enter").row("S sort")).toContain(" of 25 ")
    expect(await screen.text()).toContain("✓ 12 ")
    expect(await screen.press("h").row("S sort")).toContain(" of 6 ")
    expect(await screen.press("g", "l").text()).toContain("✓ 7 ")
  })

  test("folds nothing while it fits", async () => {
    const screen = await show({}, ...group("poet", times(7, "done")), ...group("judge", times(7, "done")))
    expect((await listed(screen)).length).toBe(16)
  })

  test("folds failed sessions too where they would push out of sight what runs", async () => {
    const screen = await show()
    screen.feed(
      ...group("poet", [...times(3, "done"), ...times(30, "failed"), "tool"]),
      ...group("judge", ["failed", "running"]),
    )
    expect(await listed(screen)).toEqual([
      "▾ poet 33/34 ✗30 · 1 running",
      "▸ 3 done ✗30 Enter shows them",
      "● 34 ls 0.0s",
      "▾ judge 1/2 ✗1 · 1 running",
      "✗ 1 reset",
      "▌ ● 2 word",
    ])
    const sorted = await listed(screen.press("S", "j", "enter"))
    expect(sorted.slice(0, 3)).toEqual(["▌● poet 34 ls 0.0s", "● judge 2 word", "✗ poet 4 reset"])
  })

  test("leaves the cursor on the row that stands for the session that is read", async () => {
    const screen = await show({}, ...group("judge", times(3, "done")))
    screen.press("g", "j").feed(...group("judge", [...times(60, "done"), "running"]))
    expect((await listed(screen))[1]).toStartWith("▌ ▸ 60 done")
    expect(await screen.row("─ judge")).toContain("─ judge 1 ")
  })

  test("says at its lower edge where in it a person is", async () => {
    const screen = await show({}, ...group("judge", times(60, "running")))
    expect(await screen.press("g").row("S sort")).toContain("└─ 1 of 61   S sort: as they came   / filter ─")
    expect(await screen.press("G").row("S sort")).toContain("└─ 61 of 61   S sort")
  })
})

/** Two hours of 200 sessions under eight invokeids, one each 36 s; each works for 100 s, and each fortieth fails. */
function twoHours(): readonly Decoded[] {
  const at = Array.from({ length: 200 }, (_, i) => {
    const ids = {
      invokeid: ["triage", "coder", "tester", "judge", "critic", "scribe", "planner", "poet"][i % 8],
      "session-id": `s-${i}`,
    }
    const from = NOW + i * 36_000
    const word = event(null, "llm/delta", { ...ids, type: "text-delta", text: `note ${i}` }, from + 99_000)
    const end = i % 40 === 39 ? "llm/error" : "llm/response"
    const content = [{ type: "text", text: "done" }]
    return [
      { ts: from, frame: event(null, "llm/start", ids, from) },
      { ts: from + 99_000, frame: word },
      { ts: from + 100_000, frame: event(null, end, { ...ids, content, message: "reset" }, from + 100_000) },
    ]
  })
  return at
    .flat()
    .sort((a, b) => a.ts - b.ts)
    .map(({ frame }) => frame)
}

test("after two hours of 200 sessions, the few that run or failed are in sight", async () => {
  const screen = await show({ link: replay })
  const lines = twoHours()
  // The first half hour and more: 60 sessions have begun.
  screen.feed(...lines.slice(0, 175))
  const { counts } = screen.store.get().run.tally
  expect(counts.waiting + counts.streaming).toBeGreaterThan(1)
  const rows = await listed(screen)
  expect(rows.filter(row => /[◌●] \d/.test(row))).toHaveLength(counts.waiting + counts.streaming)
  expect(rows.filter(row => row.includes("✗ "))).toHaveLength(counts.error)
  expect(await screen.feed(...lines.slice(175)).row("of 200 done")).toContain("200 of 200 done")
  expect((await listed(screen)).length).toBeLessThan(24)
})

describe("S", () => {
  test("sorts sessions without their groups: what needs a person first, the newest, those with most tokens", async () => {
    const screen = await show({}, ...group("poet", ["done", "failed"]), ...group("judge", ["running", "done"]))
    const long = { invokeid: "judge", "session-id": "judge.2", type: "text-delta", text: "x", coalesced: 500 }
    screen.feed(event(null, "llm/start", long, NOW + 3), event(null, "llm/delta", long, NOW + 4))
    screen.feed(event(null, "llm/response", long, NOW + 5), question("judge")).press("alt-h", "S", "j", "enter")
    expect(await screen.row("S sort")).toContain("S sort: what needs you first")
    const names = async () => (await listed(screen)).map(row => /[a-z]{2,} \d/.exec(row)?.[0])
    expect(await names()).toEqual(["judge 2", "poet 2", "judge 1", "poet 1"])
    expect(await screen.press("S", "j", "enter").row("S sort")).toContain("S sort: newest first")
    expect(await names()).toEqual(["judge 2", "judge 1", "poet 2", "poet 1"])
    expect(await screen.press("S", "j", "enter").row("S sort")).toContain("S sort: most tokens first")
    expect((await names())[0]).toBe("judge 2")
    expect(await screen.press("S", "g", "enter").row("S sort")).toContain("S sort: as they came")
    expect((await listed(screen))[0]).toBe("▌▾ poet 2/2 ✗1")
  })

  test("shows the first rows of the order that was chosen, the cursor on them", async () => {
    const screen = await show({}, ...group("poet", times(50, "running")), ...group("judge", ["failed"]))
    expect((await listed(screen.press("G", "S", "j", "enter")))[0]).toStartWith("▌")
  })
})

describe("/ in the live pane", () => {
  const some = [...group("poet", ["done", "failed"]), ...group("judge", ["running", "done", "failed"])]

  test("finds sessions by parts of their names while they are typed, and leaves the log alone", async () => {
    const screen = await show({}, ...some)
    screen.press("/").type("ju 2")
    await screen.settle()
    const found = ["▾ judge 2/3 ✗1 · 1 running", "▌ ✓ 2 word"]
    expect(await listed(screen)).toEqual(found)
    expect(screen.store.get().view.log.filters.search).toBeNull()
    expect(await screen.press("enter").row("S sort")).toContain("/ ju 2 ")
    expect(await listed(screen)).toEqual(found)
    expect((await listed(screen.press("escape"))).length).toBe(7)
  })

  test("puts the cursor on the first that is found while it is typed, reads it beside the list, and Esc brings the old one back", async () => {
    const screen = await show({}, ...some)
    const seen = async () => {
      await screen.settle()
      return [
        /─ (\w+ \d) /.exec(await screen.row("─ SESSIONS"))?.[1],
        (await listed(screen)).findIndex(row => row.startsWith("▌")),
      ]
    }
    screen.press("G", "k")
    expect(await seen()).toEqual(["judge 2", 5])
    screen.press("/").type("failed")
    expect(await seen()).toEqual(["poet 2", 1])
    screen.type(" ju")
    expect(await seen()).toEqual(["judge 3", 1])
    screen.type("xyz")
    expect(await seen()).toEqual(["judge 3", -1])
    screen.press("escape")
    expect(await seen()).toEqual(["judge 2", 5])
    screen.press("/").type("judge")
    expect(await seen()).toEqual(["judge 2", 2])
  })

  test("goes on to the next that is found when the one that is read is found no more", async () => {
    const screen = await show({}, ...group("poet", ["running"]), ...group("judge", ["running"]))
    screen.press("g", "/").type("running")
    await screen.settle()
    screen
      .press("enter")
      .feed(event(null, "llm/response", { invokeid: "poet", "session-id": "poet.1", content: [] }, NOW + 9))
    expect(await screen.row("─ SESSIONS")).toContain("─ judge ")
    expect(await listed(screen)).toEqual([expect.stringMatching(/^▌ ?● judge word/)])
  })

  test("finds sessions by what they do, with a name or without", async () => {
    const screen = await show({}, ...some)
    screen.press("/").type("failed")
    await screen.settle()
    expect((await listed(screen)).map(row => row.replace(/^▌ ?/, ""))).toEqual([
      "▾ poet 2/2 ✗1",
      "✗ 2 reset",
      "▾ judge 2/3 ✗1 · 1 running",
      "✗ 3 reset",
    ])
    screen.type(" judge running")
    expect((await listed(screen)).map(row => row.replace(/^▌ ?/, ""))).toEqual([
      "▾ judge 2/3 ✗1 · 1 running",
      "● 1 word",
      "✗ 3 reset",
    ])
  })

  test("gives up what was typed by Esc, and says so where nothing is found", async () => {
    const screen = await show({}, ...some)
    screen.press("/").type("xyz")
    await screen.settle()
    expect(await screen.text()).toContain("No session matches xyz. Esc shows all, then F searches all texts")
    expect((await listed(screen.press("escape"))).length).toBe(7)
  })
})

test("* pins a session to the top, where it stays while the list moves, and lets it go", async () => {
  const screen = await show({}, ...group("judge", times(60, "running")))
  expect(await screen.press("g", "j", "j", "j", "*").text()).toContain("Pinned to the top of the list")
  expect((await listed(screen.press("G")))[0]).toBe("*● judge 3 word")
  expect((await listed(screen)).at(-1)).toBe("▌ ● 60 word")
  expect((await listed(screen.press("g")))[0]).toBe("*● judge 3 word")
  expect((await listed(screen.press("*", "G")))[0]).not.toContain("judge 3")
  expect(await screen.press("g", "*").text()).toContain("Only a session can be pinned")
})
