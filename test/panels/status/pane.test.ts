// Tests the status tab.
import { expect, test } from "bun:test"
import type { Link } from "../../../packages/wire/src/link.ts"
import { statusLines, traces } from "../../../src/panels/status/index.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { event, line } from "../../run/lines.ts"
import { lost, open, replaying, url } from "../planned.ts"

const debug = (more: object) => line({ kind: "debug", paused: false, ...more })
const held = { "step-budget": 0, mode: "paused-at-turn", "turn-index": 2, "breakpoint-armed": true }
const pending = [{ name: "go", "external?": true, target: "poet", data: { n: 1 } }, { name: null }]

test.each<[string, Link]>([
  ["a connection", { ...open, since: -65_000 }],
  ["one that is tried", { state: "connecting", url, attempt: 2 }],
  ["a lost one", lost],
  ["one with HTTP", { ...lost, api: true }],
  ["a recording", replaying],
  ["one that breaks off", { state: "ended", path: "a\u001b[2J", incompleteLength: 7 }],
  ["an agent CLI", { state: "running", command: "claude" }],
  ["one that talks", { state: "running", command: "claude", talks: true }],
  ["one that has exited", { state: "exited", command: "claude", code: 2, why: null } as never],
  ["no connection", { state: "closed" }],
])("the status of %s is told", (_name, link) => {
  expect(text(emptyState(link)).split("\n")[0]).toMatchSnapshot()
})

test.each([
  ["paused", [debug({ paused: true, config: [":a", ":b"] })]],
  ["at a turn", [debug({ ...held, "branch-error": "no such turn" })]],
  ["stepping", [debug({ "step-budget": 3, config: [], "pending-events": pending })]],
  ["standing at the first one", [debug({ mode: "paused-at-turn", "turn-index": 0 })]],
  ["in a branch", [debug({ mode: "branch-running" }), event(1, "runner/start-config", { config: ["run", "judging"] })]],
  ["untold", [line({ kind: "debug" })]],
  ["over", [debug({ paused: true }), event(1, "runner/error", { message: "no chart" })]],
  ["awaited", [event(1, "debug/awaiting-quit", { msg: "press q" })]],
  [
    "started again",
    [event(4, "app/note", {}), event(7, "app/note", {}), event(0, "runner/started", { "chart-id": ":c" })],
  ],
])("the status of a run that is %s is told", (_name, frames) => {
  const state = reduce(emptyState(open), { type: "frames", frames })
  expect(text(state)).toMatchSnapshot()
})

test("the status tells what was not understood, the directory, and the traces where some are sent", () => {
  const state = reduce(emptyState(open), {
    type: "frames",
    frames: [line("{" as never), line({ kind: "odd", more: "x".repeat(70) })],
  })
  const sent = { to: "http://otel", sent: 1200, waiting: 3, dropped: 0, why: null }
  expect(text({ ...state, directory: { path: `/run\u001b[2J${"/so".repeat(25)}`, error: null } })).toMatchSnapshot()
  const view = { ...state.view, slices: { ...state.view.slices, ...traces.put(state.view, sent).slices } }
  expect(text({ ...state, directory: { path: "/run", error: "gone" }, view })).toMatchSnapshot()
  const dropped = { ...view, slices: { ...view.slices, ...traces.put(view, { ...sent, why: "refused" }).slices } }
  expect(text({ ...state, view: dropped })).toContain("http://otel: 1,200 spans sent, 3 waiting, 0 dropped; refused")
})

function text(state: StoreState): string {
  const lines = statusLines(shownState(state), { glyphs: unicode, motion: false, now: 0 }, 90)
  return lines.map(({ spans }) => spans.map(one => one.text).join("")).join("\n")
}
