// Tests that an agent that is lost looks it (docs/decisions.md 3.6), at every size, until it is back or its run is over.
import { expect, test } from "bun:test"
import type { Link } from "../../../packages/wire/src/link.ts"
import { delta, event, ids, line } from "../../run/lines.ts"
import { live, NOW, show, URL } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

const lost: Link = { state: "lost", url: URL, since: NOW, retryAt: NOW + 60_000, why: "closed", everOpen: true }

test.each([
  [200, 60],
  [142, 40],
  [80, 24],
  [40, 10],
])(
  "a lost agent is last seen, its clocks stand, and the footer says what leaves, until it is back, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows }, event(1, "llm/start", ids, NOW - 4000))
    screen.feed(delta(2, "Once ", { ts: NOW - 3000 }), delta(3, "upon", { ts: NOW }))
    const other = { ...ids, "session-id": "b", content: [{ type: "tool_use", name: "ls" }] }
    screen.feed(event(4, "llm/start", other, NOW), event(5, "llm/response", other, NOW))
    // The clock ticks, as the runtime's own timer has it do.
    const after = (ms: number): Step => [`${ms} ms`, () => screen.pass(ms).link(Object.assign({}, lost))]
    const back: Step = ["it is back", () => screen.link(live)]
    const over: Step = ["it is over", () => screen.feed(line({ kind: "control", op: "run-finished" }))]
    expect(await walked(screen, "", after(999), after(6001), after(5000), back, over, after(3000))).toMatchSnapshot()
  },
)
