// Tests that an agent that is lost looks it (docs/decisions.md 3.6), at every size.
import { expect, test } from "bun:test"
import type { Link } from "../../../packages/wire/src/link.ts"
import { delta, event, ids, line } from "../../run/lines.ts"
import { live, NOW, type Shown, show as showAt, URL } from "../../screen/screen.tsx"

/** As wide as leaves the list 78 columns. */
const show = (options: Parameters<typeof showAt>[0] = {}) => showAt({ columns: 142, ...options })

const lost: Link = { state: "lost", url: URL, since: NOW, retryAt: NOW + 60_000, why: "closed", everOpen: true }

/** Some ms later the clock ticks, as the runtime's own timer has it do. */
function later(screen: Shown, ms: number): void {
  screen.pass(ms).link(Object.assign({}, lost))
}

test.each([
  [200, 60],
  [120, 40],
  [80, 24],
  [40, 10],
] as const)(
  "a lost agent is last seen, its clocks stand, and the footer says what leaves at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows })
    screen.feed(
      event(1, "llm/start", ids, NOW - 4000),
      delta(2, "Once ", { ts: NOW - 3000 }),
      delta(3, "upon", { ts: NOW }),
    )
    expect(await screen.text()).toContain("Once upon")
    later(screen, 999)
    expect(await screen.text()).not.toMatch(/last seen|reconnecting/)
    later(screen, 6001)
    const text = await screen.text()
    expect(text).toMatch(/a +last seen 7s ago/)
    expect(text).not.toMatch(/running|\d\/s/)
    expect((await screen.rows()).at(-1)).toMatch(/^ reconnecting… {3}Ctrl-C leaves/)
    const before = await screen.row("▌")
    later(screen, 5000)
    const after = await screen.row("▌")
    const still = (row: string) => row.replace(/(last )?seen \d+s ago/, "").replaceAll(" ", "")
    expect(still(after)).toBe(still(before))
  },
)

test("an agent that is back, or whose run is over, does not look lost", async () => {
  const screen = await show()
  later(screen.feed(event(1, "llm/start", ids, NOW - 4000), delta(2, "Once ", { ts: NOW })), 3000)
  expect(await screen.text()).toContain("last seen")
  expect(await screen.link(live).text()).not.toMatch(/last seen|reconnecting/)
  later(screen.feed(line({ kind: "control", op: "run-finished" })), 3000)
  expect(await screen.text()).not.toMatch(/last seen|reconnecting/)
})

test("the log says that the connection was lost and is back", async () => {
  const screen = await show()
  screen.link({ state: "connecting", url: URL, attempt: 1 })
  for (const link of [live, lost, live]) screen.link(link)
  expect(await screen.text()).toMatch(/connection +lost[\s\S]*connection +connected again/)
})
