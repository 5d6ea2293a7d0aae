// Tests the transcript in the reader: one session, block by block.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { TextAttributes } from "@opentui/core"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { features } from "../../../src/panels/plan.ts"
import { readCapture } from "../../../src/session-dir/capture-file.ts"
import { SessionDirectory } from "../../../src/session-dir/session-directory.ts"
import { createStore } from "../../../src/view/store.ts"
import { capturedRun } from "../../captured.ts"
import { fixture, readFrames } from "../../fixtures.ts"
import { delta, event } from "../../run/lines.ts"
import { NOW, replay, type Shown, SIZES, show } from "../../screen/screen.tsx"

const j1 = { invokeid: "judge", "session-id": "judge.1" } as const
const j2 = { invokeid: "judge", "session-id": "judge.2" } as const

/** The rows of the reader where it has the whole screen, without the border, trimmed. */
async function page(screen: Shown): Promise<readonly string[]> {
  const rows = (await screen.rows()).filter(row => row.startsWith("│"))
  return rows.map(row => row.slice(2, -2).trimEnd())
}

function reply(seq: number, who: object, text: string, more: readonly object[] = []) {
  return event(seq, "llm/response", { ...who, content: [{ type: "text", text }, ...more] }, NOW)
}

describe("a transcript", () => {
  test("opened before the first session shows the session that comes and is selected", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    expect(await screen.press("tab", "m").text()).toContain("No session to read yet")
    screen.feed(event(0, "llm/start", j1, NOW), reply(1, j1, "here I am"))
    expect(await screen.row("┌─")).toContain("─ judge ")
    expect(await screen.text()).toContain("here I am")
  })

  test("shows exactly one session, though siblings share its invokeid", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    screen.feed(
      event(0, "llm/start", j1, NOW),
      reply(1, j1, "mine is the first"),
      event(2, "llm/start", j2, NOW),
      reply(3, j2, "mine is the second"),
    )
    expect(await screen.press("G", "enter", "m").row("┌─")).toContain("judge 2")
    expect(await screen.text()).toContain("mine is the second")
    expect(await screen.text()).not.toContain("mine is the first")
    expect(await screen.press("escape", "escape", "k", "enter", "m").row("┌─")).toContain("judge 1")
    expect(await screen.text()).toContain("mine is the first")
  })

  test.each(SIZES)("shows every kind of block whole at %dx%d", async (columns, rows) => {
    const screen = await show({ columns, rows })
    const input = { path: "poems/4.txt", old_string: "falls slow", new_string: "falls still" }
    screen.feed(
      event(0, "llm/start", { ...j1, model: "m" }, NOW),
      event(1, "llm/request", {
        ...j1,
        "system-preview": "Be kind",
        "user-blocks": [{ type: "text", text: "Who wins?" }],
      }),
      event(2, "llm/response", {
        ...j1,
        content: [
          { type: "thinking", thinking: "Let me see" },
          { type: "text", text: "## Verdict\n\n**Poet 4** wins" },
          { type: "tool_use", name: "edit_file", input },
          { type: "tool_use", name: "count", input: { many: ["a", "b"], note: `${"long ".repeat(30)}end` } },
          { type: "tool_use", name: "bash", input: { command: "wc -w poems/4.txt" } },
        ],
      }),
      event(3, "llm/tool-result", { ...j1, tool: "count", "content-preview": "17" }),
      event(4, "llm/tool-result", { ...j1, tool: "bash", "content-preview": "no such file", "is-error": true }),
      event(5, "llm/error", { ...j1, message: "connection reset" }),
    )
    screen.press("enter", "m", "g", "z", "z")
    const seen: string[] = []
    for (let step = 0; step < 60; step++) {
      seen.push(...(await page(screen)))
      screen.press("j")
    }
    for (const row of [
      "▎ system",
      "▎ Be kind",
      "▎ user",
      "▎ Who wins?",
      "▎ thinking",
      "▎ Let me see",
      "▎ assistant",
      "▎ Verdict",
      "▎ Poet 4 wins",
      "▎ edit_file  poems/4.txt",
      "▎ -falls slow",
      "▎ +falls still",
      "▎ count ✓",
      '▎ many: ["a","b"]',
      "▎ 17",
      "▎ $ wc -w poems/4.txt",
      "▎ bash ✗",
      "▎ no such file",
      "▎ error",
      "▎ connection reset",
    ]) {
      expect(seen.map(one => one.replace(/ +(?=[✓✗]$)/, " "))).toContain(row)
    }
    expect(seen.some(row => /\bend$/.test(row))).toBe(true)
  })

  test("a path too long for the heading of a call begins the call", async () => {
    const path = `/srv/${"deep/".repeat(6)}a.ts`
    const screen = await show({ columns: 40, rows: 20 })
    const call = { type: "tool_use", name: "write_file", input: { path, content: "const a = 1" } }
    screen.feed(event(0, "llm/start", j1, NOW), reply(1, j1, "", [call]))
    const rows = await page(screen.press("enter", "m"))
    const head = rows.findIndex(row => row.startsWith("▎ write_file"))
    const told = rows.slice(head + 1, rows.indexOf("▎ const a = 1")).map(row => row.slice(2))
    expect(told.join("")).toContain(path)
  })

  test("grows at its end while text streams, and keeps the reader's line in place", async () => {
    const screen = await show({ columns: 80, rows: 24 }, event(0, "llm/start", j1, NOW))
    for (let i = 1; i < 40; i++) screen.feed(delta(i, `line ${i}\n`, j1))
    screen.press("enter", "m")
    expect(await screen.text()).toContain("line 39")
    expect(await screen.text()).toMatch(/└─ following +f filter /)
    screen.press("g")
    const before = await page(screen)
    expect(before).toContain("▎ line 1")
    for (let i = 40; i < 90; i++) screen.feed(delta(i, `line ${i}\n`, j1))
    expect(before[0]).toStartWith("── turn 1 · 39 out ─")
    const after = await page(screen)
    expect(after[0]).toStartWith("── turn 1 · 89 out ─")
    expect(after.slice(1)).toEqual(before.slice(1))
    expect(await screen.press("end").text()).toContain("line 89")
    screen.feed(reply(90, j1, Array.from({ length: 89 }, (_, i) => `line ${i + 1}`).join("\n")))
    expect(await screen.text()).toContain("line 89")
  })

  test("moves from turn to turn, and says if there is no other", async () => {
    const lines = await readFrames(fixture("demo"))
    const screen = await show({ columns: 80, rows: 24, link: replay })
    screen.feed(...lines)
    screen.press(":")
    screen.type("drafter 1")
    screen.press("enter", "m", "g")
    expect(await screen.text()).toContain("└─ turn 1 of 2 ")
    screen.press("]", "t")
    expect(await screen.text()).toContain("└─ turn 2 of 2 ")
    expect((await page(screen)).some(row => row.startsWith("── turn 2 "))).toBe(true)
    screen.press("]", "t")
    expect(await screen.text()).toContain("No later turn")
    screen.press("[", "t")
    expect(await screen.text()).toContain("└─ turn 1 of 2 ")
  })

  test("gives the model, duration and tokens of each turn, as far as they fit", async () => {
    const lines = [
      event(0, "llm/start", { ...j1, model: "gemma3:1b" }, NOW),
      event(
        1,
        "llm/response",
        { ...j1, usage: { "input-tokens": 1210, "output-tokens": 40 }, content: [] },
        NOW + 2500,
      ),
      event(2, "llm/user-message", { ...j1, text: "again" }, NOW + 2600),
      event(3, "llm/start", { ...j1, model: "opus" }, NOW + 3000),
      event(
        4,
        "llm/response",
        {
          ...j1,
          model: "opus-4",
          usage: { "input-tokens": 900, "output-tokens": 7, "cached-tokens": 800 },
          content: [{ type: "text", text: "yes" }],
        },
        NOW + 4000,
      ),
      event(5, "llm/start", j1, NOW + 9000),
      event(6, "llm/delta", { ...j1, text: "well" }, NOW + 9500),
    ]
    for (const [columns, heads] of [
      [
        80,
        [
          "turn 1 · gemma3:1b · 2.5s · 1,210 in · 40 out",
          "turn 2 · opus-4 · 1.0s · 900 in (800 cached) · 7 out",
          "turn 3 · opus-4 · 0.5s · 1 out",
        ],
      ],
      [40, ["turn 1 · 1,210 in · 40 out", "turn 2 · 1.0s · 900 in · 7 out", "turn 3 · opus-4 · 0.5s · 1 out"]],
    ] as const) {
      const screen = await show({ columns, rows: 30, link: replay }, ...lines)
      const rows = (await page(screen.press("enter", "m", "g"))).filter(row => row.startsWith("── turn"))
      expect(rows.map(row => row.replace(/^── | ─+$/g, ""))).toEqual([...heads])
    }
  })

  test("a turn's heading says that its reply was refused or truncated and that tools failed, and e stops there", async () => {
    const screen = await show({ columns: 50, rows: 40 })
    const stop = (seq: number, reason: string) =>
      event(seq, "llm/response", { ...j1, "stop-reason": reason, content: [{ type: "text", text: "no" }] }, NOW)
    screen.feed(
      event(0, "llm/start", j1, NOW),
      stop(1, "tool_use"),
      event(2, "llm/tool-result", { ...j1, tool: "a", "content-preview": "x", "is-error": true }, NOW),
      event(3, "llm/tool-result", { ...j1, tool: "b", "content-preview": "x", "is-error": true }, NOW),
      event(4, "llm/start", j1, NOW),
      stop(5, "max_tokens"),
      event(6, "llm/start", j1, NOW),
      stop(7, "refusal"),
      event(8, "llm/worker-exit", { ...j1, reason: "error", "is-error": true }, NOW),
    )
    screen.press("enter", "m", "g")
    const heads = (await page(screen)).filter(row => row.startsWith("── turn")).map(row => row.replace(/ ─+$/, ""))
    expect(heads).toEqual(["── turn 1 · 2 tools failed", "── turn 2 · truncated: token limit", "── turn 3 · refused"])
    const stops: string[] = []
    for (let i = 0; i < 4; i++) {
      screen.press("e")
      stops.push(/turn \d/.exec(await screen.row("└─"))?.[0] ?? "")
    }
    expect(stops).toEqual(["turn 1", "turn 1", "turn 2", "turn 3"])
    expect((await screen.press("e").rows()).at(-1)).toContain("No later error")
  })

  test("of a session without errors leads e to the next one of the run", async () => {
    const screen = await show()
    screen.feed(event(0, "llm/start", { invokeid: "poet", "session-id": "p" }, NOW))
    screen.feed(event(1, "llm/tool-result", { ...j1, tool: "a", "content-preview": "x", "is-error": true }, NOW))
    screen.press("g", "tab")
    expect(await screen.press("e").row("▌+")).toContain("tool error a")
  })

  const uses = (...ids: readonly string[]) => ids.map(id => ({ type: "tool_use", id, name: "count", input: { id } }))
  const result = (seq: number, text: string, data: object = {}) =>
    event(seq, "llm/tool-result", { ...j1, tool: "count", "is-error": false, "content-preview": text, ...data }, NOW)

  test("joins the results of concurrent calls with their calls by id, in any order", async () => {
    const screen = await show({ columns: 80, rows: 40 })
    screen.feed(event(0, "llm/start", j1, NOW), reply(1, j1, "Let me count.", uses("a", "b")))
    const ref = "nodes/judging/0/turns/0/tool-results/a.edn"
    screen.feed(result(2, "of b", { "tool-use-id": "b" }), result(3, "of a", { "io/ref": ref }))
    screen.press("enter", "m")
    const calls = (await page(screen)).filter(row => row.startsWith("▸")).map(row => row.replace(/ +✓$/, ""))
    expect(calls).toEqual(["▸ count  a  of a", "▸ count  b  of b"])
    const opened = await page(screen.press("g", "j", "j", "j", "j", "l"))
    expect(opened).toContain("▎ of a")
    expect(opened).not.toContain("▎ of b")
  })

  test("leaves the results of concurrent calls without ids apart, since they may come in any order", async () => {
    const screen = await show({ columns: 80, rows: 30 })
    screen.feed(event(0, "llm/start", j1, NOW), reply(1, j1, "Let me count.", uses("a", "b")), result(2, "17"))
    screen.press("enter", "m", "g", ...Array.from({ length: 15 }, () => "j" as const), "h")
    const rows = await page(screen)
    expect(rows.filter(row => row === "▎ count")).toHaveLength(2)
    expect(rows).toContain("▸ tool result  count  1 line  17")
  })
})

describe("a search in a transcript", () => {
  /** The marked texts on the screen, in order. */
  const lit = async (screen: Shown) =>
    (await screen.frame()).lines.flatMap(({ spans }) =>
      spans.filter(one => (one.attributes & TextAttributes.INVERSE) !== 0).map(one => one.text.trim()),
    )

  test("counts and marks its hits, and continues into streaming text", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    screen.feed(event(0, "llm/start", j1, NOW), reply(1, j1, "snow falls\n\nno more Snow"))
    screen.feed(event(2, "llm/start", j1, NOW), delta(3, "First ", j1), delta(4, "sn", j1), delta(5, "ow comes\n", j1))
    screen.press("enter", "m", "g", "/").type("snow")
    expect(await screen.press("enter").row("┌─")).toContain("/snow 1 of 3")
    expect(await lit(screen)).toEqual(["snow", "Snow", "snow"])
    screen.press("n", "n")
    expect(await screen.text()).toContain("└─ turn 2 of 2 ")
    expect(await screen.row("┌─")).toContain("/snow 3 of 3")
    expect(await screen.feed(delta(6, "and then sn", j1)).row("┌─")).toContain("/snow 3 of 3")
    expect(await screen.feed(delta(7, "ow again", j1)).row("┌─")).toContain("/snow 3 of 4")
    expect(await screen.press("n").row("┌─")).toContain("/snow 4 of 4")
    screen.press("k")
    expect(await screen.press("k").row("┌─")).toContain("/snow 4 matches")
    expect(await screen.feed(reply(8, j1, "Gone.")).row("┌─")).toContain("/snow 2 matches")
    screen.press("/").type("kettle")
    expect(await screen.press("enter").row("┌─")).toContain("/kettle not found")
  })

  test("marks both halves of a hit that is wrapped", async () => {
    const screen = await show({ columns: 40, rows: 24 })
    screen.feed(event(0, "llm/start", j1, NOW), reply(1, j1, "Twelve words stand before the first snow of a year"))
    screen.press("enter", "m", "/").type("first snow")
    expect((await lit(screen.press("enter"))).join(" ")).toBe("first snow")
  })
})

describe("a capture in a transcript", () => {
  test("replaces the snippets of its turn; a snippet without one says so", async () => {
    await using run = await capturedRun()
    const store = createStore({ ...features, link: replay })
    const screen = await show({ store, link: replay, rows: 60 })
    screen.feed(...(await readFrames(join(run.path, "transcript.jsonl"))))
    expect(await screen.press("enter", "m").text()).toContain("▎ system  excerpt")
    const { value: directory } = await SessionDirectory.open(run.path)
    if (directory === undefined) throw new Error("no directory")
    for (const turn of ["0/request", "0/response", "0/tool-results/u1", "1/request", "1/response"]) {
      const ref = turn === "1/response" ? "nodes/../../../etc/passwd" : `nodes/judging/0/turns/${turn}.edn`
      store.dispatch({ type: "captured", ref, captured: await readCapture(directory, ref) })
    }
    const rows = await page(screen.press("z", "z"))
    expect(rows).toContain("▎ system")
    expect(rows).toContain("▎ • snow stays unsaid")
    const head = rows.findIndex(row => /^▎ edit_file {2}poems\/4.txt +✓$/.test(row))
    expect(rows.slice(head + 1, head + 4)).toEqual(["▎  First snow", "▎ -falls slow", "▎ +falls still"])
    expect(rows).toContain("▎ the last line")
    // Each turn says what its request asked with: the tools offered, the parameters.
    const requests = rows.flatMap((row, i) => (row === "▎ request" ? [rows.slice(i + 1, i + 5)] : []))
    expect(requests).toEqual([
      ["▎ model: gemma3:1b", "▎ temperature: 0.2", "▎ tools: count_words", ""],
      ["▎ model: gemma3:1b", "▎ temperature: 0.7", "", "▎ user"],
    ])
    expect(rows).toContain("▎ Say why.")
    expect(rows).toContain("▎ assistant  excerpt: nodes/../../../etc/passwd: outside the session directory")
    expect(rows).toContain("▎ The cut.")
  })

  test("of a failed tool shows its text line by line, as an error", async () => {
    const store = createStore({ ...features, link: replay })
    const screen = await show({ store, link: replay, rows: 30 })
    const ref = "nodes/judging/0/turns/0/tool-results/u1.edn"
    screen.feed(
      event(0, "llm/start", j1, NOW),
      event(1, "llm/tool-result", { ...j1, tool: "run", "content-preview": "ENO…", "io/ref": ref }, NOW),
    )
    screen.press("enter", "m")
    const capture = decodeCapture({ tool_use_id: "u1", content: "ENOENT\nexit 127", "is-error": true })
    store.dispatch({ type: "captured", ref, captured: { capture } })
    const rows = await page(screen)
    const head = rows.indexOf("▎ tool error  run")
    expect(rows.slice(head, head + 3)).toEqual(["▎ tool error  run", "▎ ENOENT", "▎ exit 127"])
  })
  test("tells a failure once, though the model that went down for it reports it again", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    screen.feed(
      event(0, "llm/start", j1, NOW),
      event(1, "llm/error", { ...j1, message: "connection reset by peer (ollama)" }, NOW),
      event(2, "llm/model-down", { ...j1, message: "connection reset by peer" }, NOW),
    )
    expect((await page(screen.press("enter", "m"))).filter(row => row === "▎ error")).toHaveLength(1)
    expect(await screen.text()).toContain("connection reset by peer (ollama)")
  })
})
