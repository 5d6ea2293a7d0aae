// Tests the list of conditions by its keys: typed, met, watched, changed and deleted.
import { expect, test } from "bun:test"
import { MOST_CONDITIONS } from "../../../src/query/conditions.ts"
import { delta, event, line } from "../../run/lines.ts"
import { NOW, replay, type Shown, show, spansWith } from "../../screen/screen.tsx"
import { name, sent } from "../prompt/questions.ts"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

const small = { columns: 90, rows: 24 }
const react = ": 'choose what it does' enter"
const onOrOff = ": 'condition on or off' enter"
const entered = (seq: number, state: string) =>
  event(seq, "runner/event-processed", { entered: [state], exited: [], "config-after": [state] })
const debug = (more: object) => line({ kind: "debug", paused: false, "step-budget": 0, ...more })
const told = (screen: Shown): Step => [
  "what they met is told",
  () => screen.effects.push(...screen.store.ask({ type: "conditions/tell" }, { now: NOW, page: 0, lines: 0 })),
]

test("conditions are typed, with their mistakes marked, switched, made to do else and deleted", async () => {
  const screen = await show(small)
  expect(
    await walked(
      screen,
      ...["B", "+ enter", "'error trun>3' enter", "backspace backspace backspace backspace backspace backspace"],
      ...["'turn>3' enter", "+ 'prompt' escape", "+ 'prompt' enter", "G enter", "'warning' enter", "+ 'trun>3' enter"],
      ...["escape", "g j", onOrOff, react, react, react, react, "d", "d", "d", "escape"],
    ),
  ).toMatchSnapshot()
})

test("what conditions met is counted, logged and told, and stops the agent once", async () => {
  const says = (seq: number) => delta(seq, "one ", { invokeid: "judge" })
  const start = event(0, "llm/start", { invokeid: "judge", "session-id": "s" }, NOW)
  const texts: string[] = []
  for (const [how, ...lines] of [
    ["runs", debug({})],
    ["is paused", debug({ paused: true })],
    ["stands at a turn", debug({ mode: "paused-at-turn", "turn-index": 0 })],
    ["is armed", debug({ "breakpoint-armed": true })],
    ["has no debugger"],
  ] as const) {
    const screen = await show(small, ...lines)
    const met: Step = [`met while it ${how}`, () => screen.feed(start, says(1), says(2), says(3))]
    await walked(screen, `B + 'tokens>1' enter + 'tokens>2' enter ${react} + 'session=s' enter ${react} ${react}`)
    texts.push(await walked(screen, met, told(screen), told(screen), "escape shift-tab"))
  }
  const again = await show(small, debug({}))
  const more: Step = ["met again", () => again.feed(event(9, "llm/start", { invokeid: "poet", "session-id": "t" }))]
  const first: Step = ["met", () => again.feed(start)]
  texts.push(await walked(again, "B + 'turn>=1' enter + 'session=s' enter", first, told(again), more, told(again)))
  const recorded = await show({ ...small, link: replay })
  await walked(recorded, "B + 'tokens>1' enter + 'error' enter")
  for (const [keys, playing] of [
    [[1], true],
    [[1, 2, 9], false],
  ] as const) {
    const pending = keys.map(key => ({ key, count: 1, sessions: [] }))
    const met: Step = [
      `met ${keys}, playing: ${playing}`,
      () => recorded.store.dispatch({ type: "view", change: { conditions: { pending } } }),
    ]
    recorded.store.dispatch({ type: "time", change: { playing } })
    texts.push(await walked(recorded, met, told(recorded), told(recorded)))
    expect(recorded.store.get().view.conditions.pending).toEqual([])
  }
  expect(texts.join("\n\n")).toMatchSnapshot()
})

test("a watch lists each change once it is found, which Enter goes to; what only was counted says so", async () => {
  const texts: string[] = []
  for (const columns of [64, 50]) {
    const screen = await show({ columns, rows: 20 }, entered(1, "plan"), entered(2, "review"), entered(3, "plan"))
    const change = (frame: number, to: boolean) => ({ epoch: 0, seq: frame, ts: 1000 + frame, words: "", frame, to })
    const found = (generation: number, count: number, read = 1): Step => [
      `${count} changes found of ${read}, for list ${generation}`,
      () => {
        const all = Array.from({ length: count }, (_, i) => change(i + 2, i % 2 === 0))
        screen.store.dispatch({ type: "watched", generation, found: new Map([[1, all]]), read })
      },
    ]
    const keys = [": 'watch' enter", "'stat=review' enter", "escape escape", ": 'watch state=review' enter"]
    const finds = [found(7, 1), found(0, 0, 0.996), "enter", found(0, 0), "enter", found(0, 2), found(0, 3000)]
    texts.push(
      await walked(screen, ...keys, ...finds, "g 5 0 1 j enter", "G k", "k enter", "g j", found(0, 2), "j enter"),
      await walked(screen, ": 'watch state=review' enter", ": 'watch' enter", "g enter", "B", "B d"),
    )
  }
  expect(texts.join("\n\n")).toMatchSnapshot()
})

test("Enter opens the changes of a condition that is closed, and then goes to the first", async () => {
  const begun = [1, 900].map(ts => event(0, "runner/started", {}, ts))
  const screen = await show(small, ...begun, entered(1, "plan"), entered(2, "review"))
  const change = { epoch: 0, seq: 2, ts: 1002, words: "", frame: 2, to: true }
  const all = new Map([[1, [change, { ...change, seq: 9, frame: 9, to: false }]]])
  const found: Step = ["found", () => screen.store.dispatch({ type: "watched", generation: 0, found: all, read: 1 })]
  const steps = ["B + 'state=review' enter", "escape : 'watch' enter", "enter", "enter"]
  expect(await walked(screen, ...steps, found, "enter", ": 'watch' enter")).toMatchSnapshot()
  expect((await screen.rows()).slice(2, 6)).toMatchSnapshot()
})

test("a change up to the moment shown is bright; one still to come, and what is true no more, dim", async () => {
  const screen = await show({}, entered(1, "plan"), entered(2, "review"))
  await walked(screen, ": 'watch state=review' enter")
  const changes = ["before", "here", "later", "undone"].map((words, i) => {
    return { epoch: 0, seq: null, ts: null, words, frame: 1 + (i % 3), to: i < 3 }
  })
  screen.store.dispatch({ type: "watched", generation: 0, found: new Map([[1, changes]]), read: 1 })
  const frame = await screen.frame()
  const [before, here, later, undone] = changes.map(({ words }) => spansWith(frame, words)[0]?.fg.toInts())
  expect([before, later, undone].map(ink => Bun.deepEquals(ink, here))).toEqual([true, false, false])
})

test("the limit of conditions is said to who adds one more, not to who asks for a known one", async () => {
  const screen = await show(small)
  for (let n = 0; n < MOST_CONDITIONS; n++) await walked(screen, `: 'watch seq=${n}' enter`)
  expect(await walked(screen, ": 'watch seq=3' enter", ": 'watch seq=99' enter")).toMatchSnapshot()
})

test("a condition has the keys while a question waits behind it, and a paste is sanitized", async () => {
  const screen = await show()
  screen.press("B", "+").feed(name).type("turn")
  await screen.paste(">3\n")
  screen.press("enter")
  expect(screen.store.get().view.conditions.list.map(one => one.text)).toEqual(["turn>3"])
  screen.press("+")
  await screen.paste("\u001b[2J\u202e")
  screen.press("enter")
  expect(screen.store.get().view.typing?.text).not.toMatch(/[\u001b\u202e]/)
  expect(sent(screen)).toEqual([])
  expect(await screen.press("escape", "escape").text()).toContain("asks: Which name goes on the cup? · a answers")
})

await testWalks("conditions")
