// Tests filters and the search on the screen: the field with its mistakes, the counts and the list.
import { expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { type Shown, show } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

const of = (n: number, who: string) => ({ invokeid: who, "session-id": `${who}.${n}`, n })
const note = (n: number) => event(n, "test/note", of(n, "poet"))
const wrong = (n: number) => event(n, "llm/error", { ...of(n, "judge"), message: "first snow" })

async function crowd(options: { columns?: number; rows?: number } = {}): Promise<Shown> {
  const screen = await show(options)
  screen.feed(...Array.from({ length: 300 }, (_, i) => (i % 100 === 50 ? wrong(i) : note(i))))
  return screen
}

test("a search of the log counts its hits, moves with n and N, until Esc ends it", async () => {
  const screen = await crowd({ columns: 160, rows: 20 })
  const steps = ["shift-tab / 'first snow' enter", "N", "n n", "N N N N", "k", "n enter", "n", "escape n enter"]
  expect(await walked(screen, ...steps, "escape", "escape", "n", "/ 'trun>3' enter", "ctrl-u enter")).toMatchSnapshot()
})

test("the list of filters switches, changes and deletes them, and counts what passes each", async () => {
  const screen = await crowd({ columns: 100, rows: 24 })
  const onOrOff = ": 'filter on or off' enter"
  const sizes = ["100x8", "60x8", "100x24"].map((size): Step => {
    const [columns = 0, rows = 0] = size.split("x").map(Number)
    return [size, () => screen.resize(columns, rows)]
  })
  const steps = ["d", "f enter", "f", "+ 'seq>100' enter", "f", onOrOff, "escape", "f", onOrOff]
  const edits = ["j enter backspace backspace backspace '250' enter", "f", "d", "enter ctrl-u enter", "f 'xx>>' enter"]
  const last = ["f 'error' enter", "f G enter 'seq<90' enter", "f", "f", "f G d", `${onOrOff} escape`, "k d", "d"]
  expect(
    await walked(screen, "f 'seq=7' enter", "f", ...sizes, ...steps, ...edits, "escape", ...last),
  ).toMatchSnapshot()
})

test("a filter of the log leaves the list of sessions as it is, and a question waits until its line is taken", async () => {
  const screen = await show({ columns: 100, rows: 24 })
  for (const who of ["poet", "judge"]) screen.feed(event(null, "llm/start", { invokeid: who, "session-id": who }))
  const asked = line({ kind: "prompt", "prompt-id": "p1", invokeid: "judge", type: "text", title: "Which?" })
  const steps = ["f 'invokeid=judge' enter", "f + 'err'", ["a question comes", () => screen.feed(asked)]] as const
  expect(await walked(screen, ...steps, "'or' enter", "a 'snow'")).toMatchSnapshot()
  expect(screen.store.get().view.questions.drafts[0]?.text).toBe("snow")
})
