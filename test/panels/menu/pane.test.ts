// Tests the session menu: its actions, and the reasons of unavailable ones.
import { describe, expect, test } from "bun:test"
import { event, idAt, line } from "../../run/lines.ts"
import { live, NOW, replay, SIZES, show, URL } from "../../screen/screen.tsx"
import { sent } from "../prompt/questions.ts"

const started = event(1, "llm/start", { invokeid: "poet", "session-id": "session/poet-1", model: "m" })
const attached = line({ kind: "debug", paused: false, "step-budget": 0 })

describe("the session menu", () => {
  test.each(SIZES)("lists the actions of the selected session at %dx%d", async (columns, rows) => {
    const screen = await show({ columns, rows }, attached, started)
    expect(await screen.choose("actions for").row("┌─ poet ─")).toContain("┐")
    expect(await screen.row("Transcript")).toContain("▸ Transcript")
    expect(await screen.row("Pause before")).toContain("Pause before the next model turn")
    const [footer = ""] = (await screen.rows()).slice(-1)
    expect(footer).toContain("Enter choose")
    expect(await screen.press("escape").text()).not.toContain("Pause before")
  })

  test("shows the action under the cursor, and why it is unavailable, where not all of them fit", async () => {
    const screen = await show({ columns: 40, rows: 8, link: replay })
    screen.feed(started).choose("actions for")
    expect(await screen.press("G").text()).toMatch(/▸ Re-run[^▸]*a recording has no agent to[^▸]*control/)
  })

  test("opens that session's transcript", async () => {
    const screen = await show({}, attached, started)
    screen.choose("actions for").press("enter")
    const { run, view } = screen.store.get()
    expect(view).toMatchObject({ overlays: [], focus: "text" })
    expect(view.reader.text.session).toBe(idAt(run, 0))
    expect(view.list.selected).toEqual({ type: "session", session: idAt(run, 0) })
  })

  test("arms the breakpoint with one op, shown as pending, and closes", async () => {
    const screen = await show()
    screen.feed(attached, started).choose("actions for")
    expect(sent(screen.press("j", "j", "k", "enter"))).toContainEqual({ type: "arm-llm-breakpoint" })
    expect(screen.store.get().view.overlays).toEqual([])
    expect(await screen.text()).toContain("pause before the next turn pending")
  })

  test.each([
    ["no debugger is attached", live, [started], "no debugger is attached"],
    ["of a recording", replay, [attached, started], "a recording has no agent to control"],
    [
      "the agent is disconnected",
      { state: "lost", url: URL, since: NOW, retryAt: NOW, why: "closed", everOpen: true },
      [attached, started],
      "the agent is disconnected",
    ],
  ] as const)("lists unavailable actions with the reason if %s", async (_name, link, lines, why) => {
    const screen = await show({ columns: 80, rows: 24, link })
    screen.feed(...lines).choose("actions for")
    expect(await screen.press("down").text()).toContain(why)
    expect(sent(screen.press("enter"))).toEqual([])
    expect(await screen.row("Pause before the next model turn: ")).toContain(why)
    expect(screen.store.get().view.overlays.map(one => one.type)).toEqual(["menu"])
  })

  test("is refused with a notice if no session is selected", async () => {
    const screen = await show()
    expect(await screen.choose("actions for").text()).toContain("Select a session first")
  })
})
