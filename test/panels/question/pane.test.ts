// Tests that questions can be read again, in a recording and in a live run.
import { expect, test } from "bun:test"
import type { Json } from "../../../packages/wire/src/json.ts"
import { event, line } from "../../run/lines.ts"
import { live, replay, type Shown, SIZES, show } from "../../screen/screen.tsx"
import { asks, extras, haiku, name, sent, sure } from "../prompt/questions.ts"
import { testWalks } from "../scripted.ts"
import { walked } from "../steps.ts"

function starts(seq: number, kind: string, prompt: string) {
  return event(seq, "human-input/start", { invokeid: "judge", kind, prompt })
}

test.each(SIZES)(
  "a question opens from its log row, with options and answer, and can't be answered, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ link: replay, columns, rows })
    screen.feed(
      haiku,
      starts(1, "select", "Which haiku wins?"),
      line({ kind: "answer", "prompt-id": "win#1", value: false }),
    )
    screen.feed(event(2, "human-input/answer", { invokeid: "judge", answer: false }))
    const steps = ["tab tab k enter", "pagedown", "pagedown", "2 y", "escape escape", "k k G enter", "enter"]
    expect(await walked(screen, ...steps)).toMatchSnapshot()
    expect(sent(screen)).toEqual([])
  },
)

test("a question says what came of it: picks, lines, nothing told, a cancellation, or no answer", async () => {
  const screen = await show({ link: replay, columns: 80, rows: 30 }, starts(0, "select", "Which one? (no prompt)"))
  const options = ["so ".repeat(30), { label: "both", value: ["a", "b"] }, { label: "3", value: 3 }]
  const none = { label: "none", value: null }
  const start = asks("s", "select", { prompt: "Start?", options: [none] })
  const ends = (seq: number, name: string, answer?: Json) =>
    event(seq, `human-input/${name}`, { invokeid: "judge", ...(answer !== undefined && { answer }) })
  const answer = (id: string, value: Json) => line({ kind: "answer", "prompt-id": id, value })
  const shots = ["oat", { shots: 2 }]
  screen.feed(
    ...[extras, starts(1, "multi-select", "Anything with it?"), answer("extra#2", shots), ends(2, "answer", shots)],
    ...[name, starts(3, "text", "Which name goes on the cup?"), ends(4, "answer")],
    ...[asks("x#9", "text", { prompt: "Why?" }), starts(5, "text", "Why?"), ends(6, "answer", "one\ntwo")],
    ...[start, starts(7, "select", "Start?"), line({ kind: "answer", "prompt-id": "s", cancelled: true, value: null })],
    ...[asks("y#1", "confirm", { prompt: "Open?", default: "odd" }), starts(9, "confirm", "Open?")],
    ...[asks("z#1", "select", { prompt: "Long?", options }), starts(10, "select", "Long?"), answer("z#1", ["a", "b"])],
    ...[asks("u", "select", { prompt: "Which?", options: [none] }), starts(11, "select", "Which?")],
  )
  const each = ["tab tab m g enter", ...Array.from({ length: 8 }, () => "] u"), "escape !", "enter"]
  expect(await walked(screen, ...each)).toMatchSnapshot()
})

test("a given answer can be read while the run goes on, and says whether the agent has it", async () => {
  const answering = async () =>
    (await show({ link: live, columns: 80, rows: 30 }))
      .feed(name, starts(1, "text", "Which name goes on the cup?"))
      .type("Ada")
  const [screen, late] = [await answering(), await answering()]
  const confirmed = event(2, "human-input/answer", { invokeid: "judge", answer: "Ada" })
  const gone = (one: Shown) => ["the agent is gone", () => one.link({ state: "closed" })] as const
  const again = (one: Shown) => ["another run", () => one.feed(event(0, "runner/started", {}), sure)] as const
  const ends = [
    gone(screen),
    ["it is back", () => screen.link(live)],
    ["narrower", () => screen.resize(60, 30)],
  ] as const
  const answered = ["confirmed", () => screen.feed(confirmed)] as const
  expect(
    await walked(screen, "enter", "tab tab k enter m", ...ends, answered, again(screen), "alt-h escape end k enter"),
  ).toMatchSnapshot()
  expect(await walked(late, "enter", "tab tab k enter m", again(late), "alt-h", gone(late))).toMatchSnapshot()
})

await testWalks("question")
