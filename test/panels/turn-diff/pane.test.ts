// Tests the diff of two turns, of one session or of two siblings.
import { describe, expect, test } from "bun:test"
import { decodeCapture } from "../../../packages/wire/src/capture.ts"
import { event } from "../../run/lines.ts"
import { LARGE_SIZES, NOW, type Shown, show } from "../../screen/screen.tsx"

const one = { invokeid: "judge", "session-id": "judge.1" } as const
const two = { invokeid: "judge", "session-id": "judge.2" } as const

function turn(seq: number, who: object, name: string, reply: string) {
  const ref = (kind: string) => ({ "io/ref": `nodes/${name}/0/turns/0/${kind}.edn` })
  return [
    event(seq, "llm/start", { ...who, model: "m" }, NOW),
    event(
      seq + 1,
      "llm/request",
      { ...who, "user-blocks": [{ type: "text", text: "Who wins?" }], ...ref("request") },
      NOW,
    ),
    event(seq + 2, "llm/response", { ...who, content: [{ type: "text", text: reply }], ...ref("response") }, NOW),
  ]
}

function captured(screen: Shown, name: string, request: Parameters<typeof decodeCapture>[0]): void {
  const ref = `nodes/${name}/0/turns/0/request.edn`
  screen.store.dispatch({ type: "captured", ref, captured: { capture: decodeCapture(request) } })
}

describe.each(LARGE_SIZES)("the turn diff at %dx%d", (columns, rows) => {
  test("compares two siblings word by word, part by part", async () => {
    const screen = await show({ columns, rows })
    screen.feed(...turn(0, one, "a", "Poet 4 wins the cup"), ...turn(10, two, "b", "Poet 5 wins the cup"))
    captured(screen, "a", {
      system: "Be kind and short",
      messages: [{ role: "user", content: "Who wins?" }],
      tools: [{ name: "count" }],
      temperature: 0.2,
    })
    captured(screen, "b", {
      system: "Be strict and short",
      messages: [{ role: "user", content: "Who wins?" }],
      tools: [{ name: "count" }],
      temperature: 0.7,
    })
    expect(await screen.press("g", "j", "enter", "=").text()).toContain("Turn 1 marked")
    screen.press("escape", "j", "enter", "=", "m")
    expect(await screen.row("TURNS")).toContain("TURNS  judge 1 turn 1 → judge 2 turn 1")
    expect(await screen.row("Be ")).toContain("Be [-kind-]{+strict+} and short")
    expect(await screen.row("messages")).toContain("messages  unchanged, 15 characters")
    expect(await screen.row("tools")).toContain("tools  unchanged")
    expect(await screen.row("parameters")).toContain("parameters  1 word removed, 1 added")
    expect(await screen.row("temperature")).toMatch(/temperature: .*\[-.*2-\].*\{\+.*7\+\}/)
    expect(await screen.row("Poet ")).toContain("Poet [-4-]{+5+} wins the cup")
    expect(await screen.press("escape").row("┌─")).toContain("─ judge 2 ")
  })

  test("compares snippets if captures are missing, and says so", async () => {
    const screen = await show({ columns, rows }, ...turn(0, one, "a", "yes"), ...turn(10, one, "a2", "no"))
    screen.press("enter", "m", "g", "=", "]", "t", "=")
    expect(await screen.text()).toContain("Full text missing for some requests; comparing excerpts")
    expect(await screen.row("[-yes-]")).toContain("[-yes-]{+no+}")
  })
})

test("marking the same turn twice unmarks it", async () => {
  const screen = await show({ columns: 80, rows: 24 }, ...turn(0, one, "a", "yes"))
  expect(await screen.press("enter", "m", "=", "=").text()).toContain("Turn 1 unmarked")
  expect(await screen.text()).not.toContain("TURNS")
})
