// Tests the live pane: status, progress, rates and failures of every session.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { features } from "../../../src/panels/plan.ts"
import { usualLimits } from "../../../src/run/model/finding.ts"
import { createStore } from "../../../src/view/store.ts"
import { event, line } from "../../run/lines.ts"
import { live, NOW, replay, type Shown, SIZES, show as showAt, spansWith, URL } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

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

/** Steps that feed a screen. */
const feeding =
  (screen: Shown) =>
  (name: string, ...lines: readonly Decoded[]): Step => [name, () => screen.feed(...lines)]
const feedAfter = (screen: Shown, ms: number, ...lines: readonly Decoded[]): Step => [
  `${ms} ms later`,
  () => screen.pass(ms).feed(...lines, event(null, "other", {}, NOW)),
]
const says = (name: string, text: string, at = NOW + 1300, tokens?: number, type = "text-delta") => {
  const usage = tokens === undefined ? {} : { usage: { "output-tokens": tokens } }
  return event(null, "llm/delta", { invokeid: name, "session-id": name, type, text, ...usage }, at)
}
const starts = (invokeid: string, id = invokeid, more: object = {}, at = NOW) =>
  event(null, "llm/start", { invokeid, "session-id": id, ...more }, at)
const of = (name: string, what: string, data: object = {}, at: number | null = NOW + 1300) =>
  event(null, what, { invokeid: name, "session-id": name, ...data }, at)

test("a row tells what a session does: text from its beginning, tools, retries, trouble, its first line and its time", async () => {
  const screen = await show({ rows: 30 }, starts("a", "a", {}, NOW - 1800))
  const feed = feeding(screen)
  const call = { type: "tool_use", name: "run_bash", input: { command: "wc -w 4.txt", cwd: "/tmp" } }
  const calls = [call, { ...call, name: "look" }]
  const text = "## Verdict\n\nPoet 4 **keeps** the cut.\nMore."
  const steps = [
    feedAfter(screen, 250),
    feed("thinks", says("a", "Which one? ", NOW + 200, 1, "thinking-delta")),
    feed("a blank", says("a", "\n", NOW + 250, 2)),
    feed("writes", says("a", "More.\n\nThe pier is asked for", NOW + 300, 4)),
    feed("writes on", says("a", " where it can be missing, and there alone", NOW + 900, 12)),
    feed("begins a list", says("a", ".\n\n- ", NOW + 1000, 14)),
    feedAfter(screen, 10_750),
    feedAfter(screen, 10_250),
    feed("calls tools", of("a", "llm/response", { content: calls }, NOW + 21_000)),
    feedAfter(screen, 3000),
    feed("one is done", of("a", "llm/tool-result", { tool: "run_bash" }, NOW + 25_000)),
    feed("both are", of("a", "llm/tool-result", { tool: "look" }, NOW + 25_100)),
    feed("again", starts("a", "a", { model: "m" }, NOW + 26_000)),
    feed("a retry", of("a", "llm/retry", { attempt: 2, "max-retries": 5, category: "rate-limit" })),
    feed("a bare retry", of("a", "llm/retry")),
    feed("goes on", says("a", "again", NOW + 26_500)),
    feed("is nearly full", of("a", "llm/context-warning", { "used-frac": 0.83 })),
    feed("replies", of("a", "llm/response", { content: [{ type: "text", text }] }, NOW + 27_000)),
    feed("exits", of("a", "llm/worker-exit", { reason: "done" }, NOW + 27_000)),
    feed("truncated", starts("b"), of("b", "llm/response", { content: [], "stop-reason": "max_tokens" })),
    feed("fails too", of("b", "llm/error", { message: "reset" })),
    feed("refused", starts("c"), of("c", "llm/response", { content: [], "stop-reason": "refusal" })),
    feed("an error", of("c", "llm/worker-exit", { reason: "error", "is-error": true })),
    feed("no end", starts("d"), of("d", "llm/response", { content: [{ type: "text", text: "Both say 3." }] }, null)),
    feed("no words", starts("e"), of("e", "llm/response", { content: [], "stop-reason": "end_turn" })),
    feed("and exits", of("e", "llm/worker-exit", { reason: "rope" })),
    feed("stops", starts("f"), starts("g"), says("g", "half a"), event(null, "runner/done", {}, NOW + 30_000)),
  ]
  expect(await walked(screen, ...steps)).toMatchSnapshot()
})

test("a group counts what its sessions do, in their own words below it, also folded, with its progress and its time", async () => {
  const screen = await show({ link: replay, rows: 30 })
  const feed = feeding(screen)
  const progress = (phase: string, more: object) => line({ kind: "progress", phase, invokeid: "g", ...more })
  const steps = [
    feed(
      "two begin",
      ...["Count lines", "Find it"].map((label, i) => starts("g", `s${i + 1}`, { "session-label": label })),
    ),
    feed("progress", progress("start", { pct: 0.5, label: "indexing" })),
    feed("above 1", progress("update", { pct: 100 })),
    feed("no figure", progress("start", { label: "hauls" })),
    feed("its end", progress("end", { pct: 1 })),
    feed("tokens", ...streams("g", "s1", 200).slice(1), ...streams("g", "s2", 12).slice(1)),
    feed("one is done", responds("g", "s1", { usage: { "output-tokens": 236 } })),
    feed("one is silent", event(null, "runner/tick", {}, NOW + 71_000)),
    ...["z", "z", "g j", "h", "l", "z", "enter", "G l"],
    feed("one alone", starts("h", "h"), line({ kind: "progress", phase: "start", invokeid: "h", pct: 0.2 })),
    feed("it fails", event(null, "llm/error", { invokeid: "g", "session-id": "s2", message: "no" }, NOW + 80_000)),
    feed(
      "another run",
      ...[1, 2].map(ts => event(0, "runner/started", { "resume?": true }, NOW + 90_000 + ts)),
      starts("g", "s1", {}, NOW + 90_010),
    ),
    feed("it is over", event(null, "runner/done", {}, NOW + 95_000)),
    feed("a run anew", event(0, "runner/started", { "session-id": "anew" }, NOW + 99_000)),
    feed("its progress", progress("start", { invokeid: "h", pct: 0.4 })),
  ]
  expect(await walked(screen, ...steps)).toMatchSnapshot()
})

test("a session has its number for a name, never its id, and what another one was warned of counts for it too", async () => {
  const screen = await show({ rows: 30 })
  const feed = feeding(screen)
  const [one, two] = ["2664f87a-11d3-4b02-b1a3-bff04424a130", "887cb50c-c550-4f6e-8b61-65ee85d8d962"]
  const warned = { invokeid: "other", "session-id": "s0", "input-tokens": 29_440, "used-frac": 0.92 }
  const steps = [
    feed("long ids", starts("judge", one), starts("judge", two), ...streams("judge", `${two}/branch-1`, 5)),
    feed("numbers", ...streams("poet", "multiplex.poets.12", 5), ...streams("poet", "multiplex.poets.4", 5)),
    feed("a warning", ...streams("other", "s0", 59), event(null, "llm/context-warning", warned, NOW + 1250)),
    feed("a reply", ...streams("planner", "s1", 59), responds("planner", "s1", { usage: { "input-tokens": 8000 } })),
  ]
  expect(await walked(screen, ...steps)).toMatchSnapshot()
})

test("a row has its lane beside it from 160 columns on, and holds a huge rate, an old one and a long time", async () => {
  const wide = await show({ columns: 160, rows: 24 }, ...streams("planner", "s1", 59), ...streams("poet", "s2", 5))
  const old = await show({ rows: 24 }, starts("a"), says("a", "w ", NOW + 100, 400), says("a", "w ", NOW + 9900, 410))
  const huge = await show({ rows: 24 }, starts("a", "a", {}, NOW - 50_000_000), says("a", "x", NOW, 1))
  const over = feeding(wide)("over", responds("poet", "s2"), event(null, "runner/done", {}, NOW + 5000))
  expect([
    await walked(wide, "G", over, "S j enter"),
    // Ten tokens in the five seconds from 5 to 9.9 s.
    await walked(old, "tab"),
    await walked(huge, feeding(huge)("at once", says("a", "x", NOW + 1, 123_456_789))),
  ]).toMatchSnapshot()
})

test("without sessions the list says what is waited for", async () => {
  const links: readonly Link[] = [
    { state: "connecting", url: URL, attempt: 1 },
    { state: "lost", url: URL, since: NOW, retryAt: NOW + 4000, why: "refused", everOpen: false },
    { state: "running", command: "claude" },
    { state: "closed" },
    replay,
    live,
  ]
  const told: string[] = []
  for (const link of links) {
    const screen = await show({ columns: 80, rows: 24, link })
    const feed = feeding(screen)
    const over = feed("it is over", event(0, "runner/done"))
    told.push(
      link.state,
      (await screen.rows())[2]?.trim() ?? "",
      await walked(screen, "h", "l", "z", "*", "enter", over),
    )
  }
  expect(told.join("\n")).toMatchSnapshot()
})

test("rows that are free tell what came of a run that is over, and have lanes for as many invocations as fit", async () => {
  const screen = await show({ rows: 24, columns: 110 })
  const feed = feeding(screen)
  const ask = { "user-blocks": [{ type: "text", text: "Count the *lamps*\nof the pier" }] }
  const usage = { "input-tokens": 1200, "output-tokens": 30, "cost-usd": 0.02 }
  const human = { invokeid: "a", kind: "text", prompt: "Which?" }
  const steps = [
    feed("it is asked", starts("a"), of("a", "llm/request", ask, NOW + 10)),
    feed("a person is asked", event(null, "human-input/start", human, NOW + 500)),
    feed("answers", event(null, "human-input/answer", human, NOW + 900)),
    feed("it replies", of("a", "llm/response", { content: [{ type: "text", text: "Twelve.\nMore" }], usage })),
    feed("six more", ..."bcdefg".split("").map((name, i) => starts(name, name, {}, NOW + 1400 + i))),
    feed("one fails", of("b", "llm/error", { message: "reset" }, NOW + 1500)),
    feed("it is over", event(null, "runner/done", {}, NOW + 2000)),
  ]
  const sizes = ["110x18", "110x20", "110x26", "110x14", "110x30", "48x24", "200x30"].map((size): Step => {
    const [columns = 0, rows = 0] = size.split("x").map(Number)
    return [size, () => screen.resize(columns, rows)]
  })
  const bare = await show({ rows: 24, columns: 110 }, starts("a"), of("a", "llm/error", { message: "no" }))
  const again = feeding(bare)("again, at an unknown time", of("a", "llm/start", {}, null))
  const over = feeding(bare)("nothing was counted", event(null, "runner/done", {}, NOW + 2000))
  expect([await walked(screen, ...steps, ...sizes), await walked(bare, again, over)]).toMatchSnapshot()
})

test.each(SIZES)(
  "the row of a session that falls silent in a reply turns amber and says so, as the header does, at %d",
  async (columns, rows) => {
    const screen = await show({ columns, rows }, ...streams("a", "s1", 5))
    const feed = feeding(screen)
    const ink = async () => spansWith(await screen.frame(), "silent for")[0]?.fg.toInts()
    const told = [await walked(screen, feedAfter(screen, 12_250))]
    const calm = await ink()
    told.push(await walked(screen, feedAfter(screen, 9000)))
    expect(await ink()).not.toEqual(calm)
    told.push(await walked(screen, feed("a reply", responds("a", "s1"))))
    const given = { limits: { ...usualLimits, silence: 5000 } }
    const limited = await show({ columns, rows, store: createStore({ ...features, link: live, given }) })
    told.push(await walked(limited.feed(...streams("a", "s1", 5)), feedAfter(limited, 8250)))
    expect(told.join("\n")).toMatchSnapshot()
  },
)

await testWalks("live")
