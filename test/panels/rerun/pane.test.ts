// Tests the form of a re-run on the screen: its fields, the review, and the agent's reply.
import { describe, expect, test } from "bun:test"
import { reruns } from "../../../src/panels/common/open-rerun.ts"
import { event, idAt, line } from "../../run/lines.ts"
import { endScreens } from "../../screen/open-screens.ts"
import { LARGE_SIZES, type Shown, show } from "../../screen/screen.tsx"
import { sent } from "../prompt/questions.ts"

const poet = { invokeid: "poet", "session-id": "session/poet-1" }
const begun = [
  line({ kind: "debug", paused: false }),
  event(1, "llm/start", { ...poet, model: "gpt-4o" }),
  event(2, "llm/request", { ...poet, "io/ref": "nodes/verse/0/turns/0/request.edn" }),
]
const conversation = line({
  kind: "conversation",
  invokeid: "poet",
  "node-id": "verse",
  visit: 0,
  turns: [
    {
      turn: 0,
      model: "gpt-4o",
      system: "Be\u001b[2J brief.",
      messages: [
        { role: "user", text: "Write of snow." },
        { role: "assi\u202estant", text: "It fell." },
        ...Array.from({ length: 20 }, (_, i) => ({ role: "user", text: `More ${i}.` })),
      ],
    },
  ],
})
const catalog = line({
  kind: "model-catalog",
  aliases: [
    { alias: "cheap", targets: [{ provider: "ollama", model: "gemma3:1b" }] },
    { alias: "smart", targets: [{ provider: "openai", model: "gpt-5" }] },
  ],
  preferences: ["smart"],
})

async function form(columns: number, rows: number): Promise<Shown> {
  const screen = await show({ columns, rows })
  screen.feed(...begun).choose("actions for")
  screen.press("G", "enter").feed(conversation, catalog)
  return screen
}

describe("the form of a re-run", () => {
  test("says before it is sent that the turns may be another session's, if it was not asked what they ask", async () => {
    const ref = "nodes/verse/0/turns/0/request.edn"
    const asks = (text: string) => ({ ...poet, "io/ref": ref, "user-blocks": [{ type: "text", text }] })
    const words = "This session was never asked this: the turn may belong to another"
    for (const [text, isForeign] of [
      ["More 19.", false],
      ["More…", false],
      ["Find the cause.", true],
    ] as const) {
      const screen = await show({}, ...begun.slice(0, 2), event(2, "llm/request", asks(text)))
      screen.choose("actions for").press("G", "enter")
      expect((await screen.feed(conversation, catalog).text()).includes(words)).toBe(isForeign)
      screen.press("tab", "down", "enter")
      expect((await screen.text()).includes("This calls the model again")).toBe(true)
      expect((await screen.text()).includes(words)).toBe(isForeign)
      endScreens()
    }
  })

  test.each([
    ["gpt-5", false],
    ["openai gpt-5", false],
    ["smart", false],
    ["gpt-4oXY", true],
  ])("says in the review whether the model %p is none of the agent's: %p", async (model, isUnknown) => {
    const screen = await form(120, 40)
    screen.press("tab", "ctrl-u").type(model)
    expect(await screen.press("enter").text()).toContain("what changes")
    expect((await screen.text()).includes("Not among the agent's models")).toBe(isUnknown)
  })

  test("takes a click on a field to edit it, and one on a model to pick it", async () => {
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

  test("says that the agent named the turns, or that it does not say which they are", async () => {
    const screen = await show({}, ...begun.slice(0, 2))
    screen.choose("actions for").press("G", "enter")
    screen.feed(line({ kind: "conversation", invokeid: "poet", turns: [{ turn: 0, messages: [] }] }))
    expect(await screen.row("Can't re-run")).toContain("the agent doesn't say where these turns are captured")
    expect(sent(screen.press("enter", "enter"))).toHaveLength(2)
    screen.feed(conversation).press("enter")
    expect(await screen.row("of verse, visit 0")).toContain("no event of the session names its capture")
  })

  for (const [columns, rows] of LARGE_SIZES) {
    test(`shows its fields, what can be picked, and the keys at ${columns}x${rows}`, async () => {
      const screen = await form(columns, rows)
      expect(await screen.row("RE-RUN")).toContain("RE-RUN  poet ─")
      expect(await screen.row("turn   ")).toContain("▸   turn          1 of 1 ")
      expect(await screen.row("model   ")).toContain("gpt-4o")
      expect(await screen.row("temperature")).toContain("unchanged")
      expect(await screen.row("system   ")).toContain("Be␛[2J brief.")
      expect(await screen.row("2 assi")).toContain("It fell.")
      expect(await screen.row("▸ turn 1")).toContain("More 19.")
      expect(await screen.row("Enter review")).toContain("Tab field")
    })

    test(`takes an alias, a temperature and a text, and shows the word diff and the cost at ${columns}x${rows}`, async () => {
      const screen = await form(columns, rows)
      expect(await screen.press("tab").row("smart")).toContain("→ openai gpt-5")
      expect(await screen.press("down").row("* model")).toContain("smart")
      screen.press("tab").type("0.7")
      screen.press("tab").type(" Very.")
      const text = await screen.press("enter").text()
      expect(text).toContain("calls the model again and costs money")
      expect(text).toContain("[-gpt-4o-]{+smart+}")
      expect(text).toContain("{+0.7+}")
      expect(text).toContain("brief.{+ Very.+}")
      expect(sent(screen).map(({ type }) => type)).toEqual(["request-conversation", "request-model-catalog"])
      expect(sent(screen.press("enter")).at(-1)).toEqual({
        type: "rerun-from",
        sessionId: "session/poet-1",
        invokeid: "poet",
        nodeId: ":verse",
        visit: 0,
        turn: 0,
        overrides: { alias: "smart", temperature: 0.7, system: "Be␛[2J brief. Very." },
      })
      expect(await screen.row("Sent. Waiting")).toContain("Waiting for the agent to start it")
      expect(await screen.text()).toContain("re-run pending")
    })
  }

  test("fits a small screen, and is drawn in ASCII if only that can be shown", async () => {
    const screen = await show({ columns: 40, rows: 10, ascii: true })
    screen.feed(...begun).choose("actions for")
    screen.press("G", "enter").feed(conversation, catalog)
    expect(await screen.press("tab", "down").row("* model")).toContain("smart")
    expect(await screen.text()).toContain("-- model")
    screen.press("tab", "tab").type("x")
    const text = await screen.press("enter").text()
    expect(text).toContain("costs")
    expect([...text].filter(one => one > "~" && one !== "␛")).toEqual([])
  })

  test("takes letters that are keys elsewhere as text, and sends nothing", async () => {
    const screen = await form(80, 24)
    for (let i = 0; i < 4; i++) {
      screen.press("tab")
    }
    screen.type("scpno?")
    await screen.paste("tw\u0007o")
    expect(await screen.text()).toContain("Write of snow.scpno?tw␇o")
    expect(sent(screen)).toHaveLength(2)
    screen.press("escape")
    expect(screen.store.get().view.overlays).toEqual([])
    screen.choose("actions for")
    expect(await screen.press("G", "enter").row("* 1 user")).toContain("Write of snow.scpno?tw␇o")
  })

  test("keeps its edits and says why when no branch was started, and can be sent again", async () => {
    const screen = await form(80, 24)
    screen.press("tab", "down", "enter", "enter")
    screen.feed(line({ kind: "debug", paused: false, "branch-error": "no key for openai" }))
    expect(await screen.row("The re-run failed")).toContain("no key for openai")
    expect(await screen.row("* model")).toContain("smart")
    expect(await screen.row("RE-RUN FAILED")).toContain("no key for openai")
    expect(reruns.of(screen.store.get().view).drafts).toMatchObject([{ sentAt: null }])
    screen.feed(line({ kind: "debug", paused: false }))
    expect(await screen.row("The re-run failed")).toContain("no key for openai")
    expect(sent(screen.press("enter", "enter"))).toHaveLength(4)
    expect(sent(screen).at(-1)).toMatchObject({ type: "rerun-from", overrides: { alias: "smart" } })
    expect(await screen.text()).not.toContain("The re-run failed")
  })

  test("closes with a notice when the branch starts, whose session is marked beside the parent's", async () => {
    const screen = await form(120, 40)
    screen.press("enter", "enter")
    const point = { "node-id": "verse", visit: 0, turn: 0 }
    const made = { "session-id": "session/poet-2", parent: "session/poet-1", "branch-point": point }
    screen.feed(line({ kind: "debug", paused: false, mode: "branch-running", branch: made }))
    expect(await screen.text()).toContain("The branch session/poet-2 has started")
    expect(await screen.text()).not.toContain("re-run pending")
    expect(reruns.of(screen.store.get().view).drafts).toEqual([])
    expect(await screen.row("BRANCH")).toContain("BRANCH  of poet, from turn 1")
    const second = { invokeid: "poet", "session-id": "session/poet-2" }
    screen.feed(
      event(3, "llm/start", { ...second, model: "gpt-4o", "replay/source": "captured" }),
      event(4, "llm/request", { ...second, "replay/source": "live", "user-blocks": [] }),
    )
    expect(await screen.row("◌ 2")).toContain("re-run from turn 1")
    expect(await screen.row("captured  gpt-4o")).toContain("poet 2")
    const { run, view } = screen.store.get()
    expect(view.list.selected).toEqual({ type: "session", session: idAt(run, 1) })
  })
})
