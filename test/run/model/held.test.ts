// Keeps what is known of the debugger when each frame tells only a part of it (docs/contract.md section 3).
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { hasTurnGate, isAtTurn, isHeld, isPaused, isUntold, mayBeHeld } from "../../../src/run/model/held.ts"
import { report } from "../../../src/run/select/report.ts"
import { root } from "../../fixtures.ts"
import { event, line, tell } from "../lines.ts"

const debug = (told: object) => line({ kind: "debug", ...told })
/** The two shapes of the frame: of the event gate, and of the turn gate. */
const gate = (paused: boolean) => debug({ paused, "step-budget": 0, config: [":run"] })
const turns = (index: number, armed: boolean) =>
  debug({ mode: armed ? "paused-at-turn" : "running", "turn-index": index, "breakpoint-armed": armed, branch: null })
const failed = debug({ mode: "running", "branch-error": "no checkpoint" })

const FRAMES: { readonly [word: string]: Decoded } = {
  ...{ hold: gate(true), go: gate(false), failed, await: event(1, "debug/awaiting-quit") },
  runs: debug({ mode: "branch-running", "turn-index": 0, branch: { "session-id": "1", parent: "w" } }),
  started: debug({ mode: "branch-running", "turn-index": 0, "breakpoint-armed": false, branch: {} }),
}
const STORIES = (await Bun.file(join(root, "fixtures/scripts/debugged.txt")).text()).trimEnd().split("\n")

test("what is known of the debugger after frames that each tell a part, and whether it holds the run", () => {
  const frameOf = (word: string): Decoded => {
    const [, dies] = /^died-(\d)$/.exec(word) ?? []
    if (dies !== undefined) return event(1, "debug/branch-error", { "session-id": dies, error: "no checkpoint" })
    const [, index, armed] = /^t(\d)(!?)$/.exec(word) ?? []
    return FRAMES[word] ?? (index === undefined ? debug(JSON.parse(word)) : turns(Number(index), armed === "!"))
  }
  const told = STORIES.map(story => {
    const run = tell(story.split(" ").map(frameOf))
    const known = Object.entries(run.debug ?? {}).filter(([, value]) => value !== null && value !== false)
    const is = Object.entries({ isPaused, hasTurnGate, isAtTurn, isHeld, mayBeHeld, isUntold })
    const { paused, stepBudget } = (report(run).debug ?? {}) as { readonly [field: string]: unknown }
    const flags = is.flatMap(([name, holds]) => (holds(run) ? [name] : []))
    return `${story}\n  ${known.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ")} | ${flags} | reports ${paused} ${stepBudget}, errors ${run.log.errors}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})
