// Tests how the form of a re-run is drawn, and what the mouse does in it.
import { expect, test } from "bun:test"
import { reruns } from "../../../src/panels/common/open-rerun.ts"
import { event, line } from "../../run/lines.ts"
import { endScreens } from "../../screen/open-screens.ts"
import { LARGE_SIZES, type Shown, show } from "../../screen/screen.tsx"

const poet = { invokeid: "poet", "session-id": "session/poet-1" }
const ref = "nodes/verse/0/turns/0/request.edn"
const begun = [
  line({ kind: "debug", paused: false }),
  event(1, "llm/start", { ...poet, model: "gpt-4o" }),
  event(2, "llm/request", { ...poet, "io/ref": ref }),
]
const messages = [
  { role: "user", text: "Write of snow." },
  { role: "assi\u202estant", text: "It fell." },
  ...Array.from({ length: 20 }, (_, i) => ({ role: "user", text: `More ${i}.` })),
]
const turns = [{ turn: 0, model: "gpt-4o", system: "Be\u001b[2J brief.", messages }]
const conversation = line({ kind: "conversation", invokeid: "poet", "node-id": "verse", visit: 0, turns })
const named = (alias: string, provider: string | null, model: string) => ({ alias, targets: [{ provider, model }] })
const aliases = [named("smart", "openai", "gpt-5"), named("own", null, "own")]
const catalog = line({ kind: "model-catalog", aliases })

async function form(columns: number, rows: number, more: object = {}): Promise<Shown> {
  const screen = await show({ columns, rows, ...more })
  screen.feed(...begun).choose("actions for")
  screen.press("G", "enter").feed(conversation, catalog)
  return screen
}

test("the form and its review fit each size, and are drawn in ASCII if only that can be shown", async () => {
  const drawn: string[] = []
  for (const [columns, rows] of [[120, 32], ...LARGE_SIZES, [40, 10]] as const) {
    const screen = await form(columns, rows, { ascii: columns === 40 })
    drawn.push(await screen.text(), await screen.press("tab", "down").text())
    screen.press("tab").type("0.7")
    screen.press("tab").type(" Very.")
    drawn.push(await screen.press("enter").text())
    endScreens()
  }
  expect(drawn.map(text => text.slice(text.indexOf("RE-RUN")).replace(/ +$/gm, "")).join("\n")).toMatchSnapshot()
  expect([...drawn.slice(-3).join("")].filter(one => one > "~" && one !== "␛")).toEqual([])
})

test("a click on a field edits it, and one on a model picks it", async () => {
  for (const [columns, rows] of LARGE_SIZES) {
    const screen = await form(columns, rows)
    await screen.click("model  ")
    expect(reruns.of(screen.store.get().view).drafts[0]?.field).toBe("model")
    await screen.click("smart ")
    expect(await screen.row("* model")).toContain("smart")
    await screen.click("system  ")
    expect(await screen.type("x").row("* system")).toContain("brief.x")
  }
})
