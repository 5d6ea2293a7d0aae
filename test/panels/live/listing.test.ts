// Tests how the live pane lists sessions: folded, sorted, filtered, pinned, and where in the list one is.
import { expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { event, line } from "../../run/lines.ts"
import { NOW, type Shown, show as showAt } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

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

const feeding = (screen: Shown, name: string, ...lines: readonly Decoded[]): Step => [name, () => screen.feed(...lines)]

test("a list that does not fit folds what is over by groups, and what failed where it would hide what runs", async () => {
  const crowd = [
    ...group("poet", times(7, "done")),
    ...group("judge", [...times(20, "done"), "failed", "running", "tool"]),
  ]
  const folded = await show()
  const asked = await show({}, ...group("poet", times(40, "done")), question("poet"))
  const failures = await show()
  const many = group("poet", [...times(3, "done"), ...times(30, "failed"), "tool"])
  const followed = await show({}, ...group("judge", times(3, "done")))
  const grows = feeding(followed, "sixty", ...group("judge", [...times(60, "done"), "running"]))
  const running = await show({}, ...group("judge", times(60, "running")))
  expect([
    await walked(folded, feeding(folded, "a crowd", ...crowd), "g j j", "enter", "h", "g l", "z", "z", "/ 'poet'"),
    await walked(asked, "alt-h", "alt-h", "1"),
    await walked(
      failures,
      feeding(failures, "failures", ...many, ...group("judge", ["failed", "failed", "running"])),
      "S j enter",
    ),
    // The cursor stays on the row that stands for the session that is read.
    await walked(followed, "g j", grows, "enter"),
    await walked(running, "g", "G", "k k", "h", "l"),
  ]).toMatchSnapshot()
  // Though the session that it stands for is selected, Enter does what the row says.
  expect((await listed(followed))[2]).toStartWith("✓ 2 word")
  const fits = await show({}, ...group("poet", times(7, "done")), ...group("judge", times(7, "done")))
  expect(await listed(fits)).toHaveLength(16)
})

test("S sorts sessions without their groups: what needs a person first, the newest, those with most tokens", async () => {
  const screen = await show({}, ...group("poet", ["done", "failed"]), ...group("judge", ["running", "done"]))
  const long = { invokeid: "judge", "session-id": "judge.2", type: "text-delta", text: "x", coalesced: 500 }
  screen.feed(event(null, "llm/start", long, NOW + 3), event(null, "llm/delta", long, NOW + 4))
  screen.feed(event(null, "llm/response", long, NOW + 5), question("judge")).press("alt-h")
  const top = await show({}, ...group("poet", times(50, "running")), ...group("judge", ["failed"]))
  expect([
    await walked(screen, "S", "j enter", "S j enter", "S j enter", "S escape", "j S g enter", "h S j enter"),
    await walked(top, "G S j enter"),
  ]).toMatchSnapshot()
})

test("/ finds sessions by their names and by what they do while it is typed, and reads the first beside the list", async () => {
  const some = [...group("poet", ["done", "failed"]), ...group("judge", ["running", "done", "failed"])]
  const screen = await show({}, ...some)
  const one = await show({}, ...group("poet", ["running"]), ...group("judge", ["running"]))
  const over = event(null, "llm/response", { invokeid: "poet", "session-id": "poet.1", content: [] }, NOW + 9)
  const steps = ["G k", "/", "'failed'", "' ju'", "'xyz'", "escape", "/ 'ju 2'", "enter", "j j", "/ ctrl-u enter"]
  expect([
    await walked(screen, ...steps, "/ 'running judge' enter", "escape", "/ 'zzz' enter", "escape"),
    // The one that is read is found no more.
    await walked(one, "g / 'running' enter", feeding(one, "it is done", over)),
  ]).toMatchSnapshot()
  expect(screen.store.get().view.log.filters.search).toBeNull()
})

test("* pins a session to the top, where it stays while the list moves, and lets it go", async () => {
  const screen = await show({}, ...group("judge", times(60, "running")))
  const few = await show({ rows: 10 }, ...group("judge", times(20, "running")))
  expect([
    await walked(screen, "g j j j", "*", "G", "g", "j", "g *", "G *", "*", "S j enter"),
    // With as many pins as rows the selected row still has one.
    await walked(few, "G * ".repeat(8), "k"),
  ]).toMatchSnapshot()
})
