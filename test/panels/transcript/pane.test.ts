// Tests the transcript in the reader: one session, block by block.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { TextAttributes } from "@opentui/core"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { features } from "../../../src/panels/plan.ts"
import { readCapture } from "../../../src/session-dir/capture-file.ts"
import { SessionDirectory } from "../../../src/session-dir/session-directory.ts"
import { createStore } from "../../../src/view/store.ts"
import { capturedRun } from "../../captured.ts"
import { readFrames } from "../../fixtures.ts"
import { delta, event } from "../../run/lines.ts"
import { NOW, replay, type Shown, SIZES, show } from "../../screen/screen.tsx"
import { untilShown } from "../../until.ts"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

const j1 = { invokeid: "judge", "session-id": "judge.1" } as const

/** The rows of the reader where it has the whole screen, without the border, trimmed. */
async function page(screen: Shown): Promise<readonly string[]> {
  const rows = (await screen.rows()).filter(row => row.startsWith("│"))
  return rows.map(row => row.slice(2, -2).trimEnd())
}

function reply(seq: number, who: object, text: string, more: readonly object[] = []) {
  return event(seq, "llm/response", { ...who, content: [{ type: "text", text }, ...more] }, NOW)
}

/** The marked texts on the screen, in order. */
const lit = async (screen: Shown) =>
  (await screen.frame()).lines.flatMap(({ spans }) =>
    spans.filter(one => (one.attributes & TextAttributes.INVERSE) !== 0).map(one => one.text.trim()),
  )

const feeding = (screen: Shown, name: string, ...lines: readonly Decoded[]): Step => [name, () => screen.feed(...lines)]

test.each(SIZES)(
  "a transcript shows every kind of block whole, folded and unfolded, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows })
    const input = { path: "poems/4.txt", old_string: "falls slow", new_string: "falls still" }
    const long = `/srv/${"deep/".repeat(6)}a.ts`
    const content = [
      { type: "thinking", thinking: "Let me see" },
      { type: "text", text: "## Verdict\n\n**Poet 4** wins" },
      { type: "tool_use", name: "edit_file", input },
      { type: "tool_use", name: "write_file", input: { path: long, content: "const a = 1" } },
      { type: "tool_use", name: "count", input: { many: ["a", "b"], note: `${"long ".repeat(30)}end` } },
      { type: "tool_use", name: "bash", input: { command: "wc -w poems/4.txt" } },
    ]
    const user = { "system-preview": "Be kind", "user-blocks": [{ type: "text", text: "Who wins?" }] }
    screen.feed(
      ...[event(0, "llm/start", { ...j1, model: "m" }, NOW), event(1, "llm/request", { ...j1, ...user })],
      event(2, "llm/response", { ...j1, content }),
      event(3, "llm/tool-result", { ...j1, tool: "count", "content-preview": "17" }),
      event(4, "llm/tool-result", { ...j1, tool: "bash", "content-preview": "no such file", "is-error": true }),
      event(5, "llm/error", { ...j1, message: "connection reset" }),
      event(6, "llm/model-down", { ...j1, message: "connection reset" }),
    )
    const down = rows > 20 ? ["pagedown", "pagedown"] : Array.from({ length: 12 }, () => "pagedown")
    expect(await walked(screen, "enter m g", ...down, "z", "z", "z", "g", ...down)).toMatchSnapshot()
  },
)

test("a search in a transcript counts and marks its hits, and continues into streaming text", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  screen.feed(event(0, "llm/start", j1, NOW), reply(1, j1, "snow falls\n\nno more Snow"))
  screen.feed(event(2, "llm/start", j1, NOW), delta(3, "First ", j1), delta(4, "sn", j1), delta(5, "ow comes\n", j1))
  const more = [
    feeding(screen, "half", delta(6, "and then sn", j1)),
    feeding(screen, "whole", delta(7, "ow again", j1)),
  ]
  const gone = feeding(screen, "gone", reply(8, j1, "Gone."))
  await walked(screen, "enter m g / 'snow' enter")
  expect(await lit(screen)).toEqual(["snow", "Snow", "snow"])
  const steps = ["k k", gone, "/ 'kettle' enter", "n", "/ enter", "n", "/ 'SNOW' enter", "end", "escape"]
  expect(await walked(screen, "n n", ...more, "n", ...steps)).toMatchSnapshot()
  await walked(screen.resize(40, 24), "/ 'no more snow' enter")
  expect((await lit(screen)).join(" ")).toBe("no more Snow")
})

test("a search through a long transcript goes on by itself until it is over", async () => {
  const texts = Array.from({ length: 14 }, (_, i) => reply(i, j1, `${"word ".repeat(9000)}kettle`))
  const screen = await show({ columns: 80, rows: 24 }, ...texts)
  // What stands on the screen is made before the search begins.
  await screen.press("enter", "m").settle()
  screen.press("/").type("kettle").press("enter")
  expect(await untilShown({ screen: screen.rows }, / of 14 /)).toHaveLength(24)
})

test("a transcript grows at its end while text streams, and keeps the reader's line in place", async () => {
  const screen = await show({ columns: 80, rows: 24 }, event(0, "llm/start", j1, NOW))
  for (let i = 1; i < 40; i++) screen.feed(delta(i, `line ${i}\n`, j1))
  screen.press("enter", "m")
  expect(await screen.text()).toContain("line 39")
  expect(await screen.text()).toMatch(/└─ following +f filter /)
  expect(await screen.press("/").row("following")).not.toContain("f filter")
  screen.press("escape")
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

test("a capture replaces the snippets of its turn; a snippet without one says so", async () => {
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
  // Each turn says what its request asked with: the tools offered, the parameters.
  expect((await page(screen.press("z", "z"))).join("\n").trimEnd()).toMatchSnapshot()
  const capture = decodeCapture({ tool_use_id: "u1", content: "ENOENT\nexit 127", "is-error": true })
  store.dispatch({ type: "captured", ref: "nodes/judging/0/turns/0/tool-results/u1.edn", captured: { capture } })
  expect((await page(screen)).join("\n")).toMatch(/✗[\s\S]*▎ ENOENT\n▎ exit 127/)
})

await testWalks("transcript")
