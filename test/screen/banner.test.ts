// Tests that banners say what holds the run, in full words at every width.
import { expect, test } from "bun:test"
import { name } from "../panels/prompt/questions.ts"
import { event, line } from "../run/lines.ts"
import { live, NOW, replay, SIZES, show } from "./screen.tsx"

const awaitingStep = event(1, "debug/awaiting-step", { "event-name": "move.made", "external?": true })

/** The frames before a wait, and the wait. */
const AWAITED = [
  ["after a step", [line({ kind: "debug", paused: false, "step-budget": 1 }), event(0, "chart/event"), awaitingStep]],
  ["after a run without pause", [line({ kind: "debug", paused: false, "step-budget": 0 }), awaitingStep]],
  ["without any debug message", [event(0, "runner/started"), awaitingStep]],
] as const

for (const [columns, rows] of SIZES) {
  /** The rows above the footer as one text. */
  const said = async (...frames: Parameters<typeof line>[0][]) => {
    const screen = await show({ columns, rows })
    const all = await screen.feed(...frames.map(frame => line(frame))).rows()
    return all
      .slice(-5, -1)
      .map(row => row.trim())
      .join(" ")
  }

  test(`a pointer moved back from the turn that waits is told beside it at ${columns}x${rows}`, async () => {
    const gate = { kind: "debug", paused: false, "step-budget": 0, mode: "paused-at-turn" }
    const moved = await said({ ...gate, "turn-index": 1 }, { ...gate, "turn-index": 0 })
    expect(moved).toMatch(/PAUSED {2}pointer at turn 1 · turn 2 waits$/)
  })

  test(`a run that stands still says so after a breakpoint was armed, at ${columns}x${rows}`, async () => {
    const paused = { kind: "debug", paused: true, "step-budget": 0, config: [":run"] }
    const armed = { kind: "debug", mode: "paused-at-turn", "turn-index": 0, "breakpoint-armed": true, branch: null }
    const screen = await show({ columns, rows })
    const text = (await screen.feed(line(paused), line(armed)).text()).replaceAll(/\s+/g, " ")
    expect((await screen.rows())[0]).toContain("PAUSED")
    expect(text).toContain("s run it b step back c continue")
    expect(text).toContain("WILL PAUSE before the next model turn")
    expect(text).not.toMatch(/PAUSED (before )?turn/)
  })

  test(`why a run failed or was aborted is told whole, live and in a recording, at ${columns}x${rows}`, async () => {
    const long = "no model is left for drafter 3, and the last one that was tried is down"
    for (const [name, data, how] of [
      ["runner/aborted", { reason: long }, "aborted"],
      ["runner/error", { message: long }, "failed"],
    ] as const)
      for (const link of [live, replay]) {
        const screen = await show({ columns, rows, link }, event(0, "runner/started"), event(1, name, data))
        expect((await screen.text()).replaceAll(/\s+/g, " ")).toContain(`✗ Run ${how} ${long}`)
      }
  })

  test(`nothing is claimed of a pause that no frame told of, at ${columns}x${rows}`, async () => {
    const screen = await show({ columns, rows })
    screen.feed(
      event(1, "runner/started"),
      line({ kind: "debug", mode: "running", "turn-index": 0, "breakpoint-armed": false, branch: null }),
    )
    const [header = ""] = await screen.rows()
    expect(header).toContain("live")
    expect(header).not.toMatch(/running|PAUSED/)
  })

  test(`the banner of a failed re-run says why at ${columns}x${rows}, and cuts a long reason with a mark`, async () => {
    const why = "no key for openai, and none for anthropic"
    const debug = { kind: "debug", paused: false, "step-budget": 0 }
    expect(await said({ ...debug, "branch-error": why })).toContain(`RE-RUN FAILED  ${why}`)
    expect(await said({ ...debug, "branch-error": "why ".repeat(400) })).toContain("…")
  })

  test(`a page leaves each banner a mark where it is cut, at ${columns}x${rows}`, async () => {
    const branch = { "session-id": "session/chess-2", parent: "session/chess-1-of-a-long-match" }
    const from = { "node-id": "white", visit: 0, turn: 2 }
    const debug = { kind: "debug", branch: { ...branch, "branch-point": from } }
    const screen = await show({ columns, rows }, line(debug), event(1, "runner/done"))
    const text = await screen.press("!").text()
    expect(text).toMatch(/from turn 3 *$|BRANCH .*…/m)
  })

  test(`the banner of a pause says that it waits for the question at ${columns}x${rows}, and the question can be answered`, async () => {
    const screen = await show({ columns, rows })
    screen.feed(
      line({ kind: "debug", paused: true, "step-budget": 0 }),
      event(0, "debug/awaiting-step", { "event-name": "move.made" }),
      name,
    )
    const text = (await screen.text()).replaceAll(/\s+/g, " ")
    expect(text).toContain("PAUSED")
    expect(text).toContain("pause resumes after the question")
    expect(text).toContain("Which name goes on the cup?")
    expect(text).toContain("Type an answer")
  })

  test(`a paused run shows what the next steps process, at ${columns}x${rows}`, async () => {
    const screen = await show({ columns, rows })
    const queue = ["a", "b", "c", "d", "e"].map((name, i) => ({ name: `move.${name}`, "external?": i === 0 }))
    const paused = { kind: "debug", paused: true, "step-budget": 0 }
    screen.feed(line({ ...paused, "pending-events": queue }))
    const banner = async () => (await screen.text()).replaceAll(/\s+/g, " ")
    expect(await banner()).toContain("PAUSED next: move.a (external), move.b, move.c, 2 more")
    screen.feed(line({ ...paused, "pending-events": queue.slice(0, 3) }))
    expect(await banner()).toMatch(/PAUSED next: move\.a \(external\), move\.b, move\.c s step/)
    screen.feed(line({ ...paused, "pending-events": [] }))
    expect(await banner()).not.toContain("next:")
  })

  for (const [when, frames] of AWAITED) {
    test(`an event that the agent waits for is a pause ${when}, at ${columns}x${rows}`, async () => {
      const screen = await show({ columns, rows })
      const text = (await screen.feed(...frames).text()).replaceAll(/\s+/g, " ")
      expect(text).toContain("PAUSED next: move.made (external)")
      expect((await screen.rows())[0]).toContain("PAUSED")
      expect(text).not.toMatch(/STEPPING|WILL PAUSE/)
      screen.press("s")
      const sent = screen.effects.flatMap(effect => (effect.type === "agent/send" ? [effect.command] : []))
      expect(sent).toEqual([{ type: "step", n: 1 }])
    })

    test(`an event that the agent waited for and processed is no pause ${when}, at ${columns}x${rows}`, async () => {
      const screen = await show({ columns, rows })
      screen.feed(...frames, event(2, "runner/event-processed", { "event-name": "move.made" }))
      expect(await screen.text()).not.toContain("PAUSED")
      expect(screen.press("p").effects).toContainEqual(expect.objectContaining({ command: { type: "pause" } }))
    })
  }

  test(`a failed run whose agent waits for a person says so at ${columns}x${rows}`, async () => {
    const failed = event(0, "runner/error", { message: "no such state" })
    const screen = await show({ columns, rows })
    screen.feed(failed, event(1, "debug/awaiting-quit", { msg: "press q to quit" }))
    expect(await screen.text()).toContain("WAITING  press q to quit")
  })

  test(`the place in a recording is given in whole words at ${columns}x${rows}`, async () => {
    const screen = await show({ columns, rows, link: replay })
    screen.feed(...Array.from({ length: 1500 }, (_, seq) => event(seq, "chart/event", {}, NOW + 4000 * seq)))
    const bar = await screen.row("paused")
    // If both do not fit, the track stays and the times go.
    expect(bar).toMatch(columns < 80 ? /● 1,500\/1,500$/ : /● 1,500\/1,500 {2}seq 1499 {2}1:39:56 of 1:39:56$/)
  })
}

test.each([
  [78, true],
  [79, false],
])("a notice of %d columns at 80 stands in the footer: %p, else in rows of its own", async (length, isThere) => {
  const screen = await show({ columns: 80, rows: 24 })
  const text = "x".repeat(length)
  screen.store.ask({ type: "notice/show", text, level: "info" }, { now: NOW, page: 0, lines: 0 })
  expect((await screen.rows()).at(-1)?.includes(text)).toBe(isThere)
  expect(await screen.row("xx")).toContain("x".repeat(78))
})
