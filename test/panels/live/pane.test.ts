// Tests the live pane: status, progress, rates and failures of every session.
import { expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { usualLimits } from "../../../src/run/model/finding.ts"
import { createStore } from "../../../src/view/store.ts"
import { event } from "../../run/lines.ts"
import { live, NOW, SIZES, show, spansWith } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

test.each(SIZES)(
  "the row of a session that falls silent in a reply turns amber and says so, as the header does, at %d",
  async (columns, rows) => {
    const ids = { invokeid: "a", "session-id": "s1" }
    const begun = [
      event(null, "llm/start", ids, NOW),
      event(null, "llm/delta", { ...ids, type: "text-delta", text: "word word" }, NOW + 1250),
    ]
    const screen = await show({ columns, rows }, ...begun)
    const ink = async () => spansWith(await screen.frame(), "silent for")[0]?.fg.toInts()
    const after = (ms: number, one = screen): Step => [
      `${ms} ms later`,
      () => one.pass(ms).feed(event(null, "other", {}, NOW)),
    ]
    const told = [await walked(screen, after(12_250))]
    const calm = await ink()
    told.push(await walked(screen, after(9000)))
    expect(await ink()).not.toEqual(calm)
    const given = { limits: { ...usualLimits, silence: 5000 } }
    const limited = await show({ columns, rows, store: createStore({ ...features, link: live, given }) })
    told.push(await walked(limited.feed(...begun), after(8250, limited)))
    expect(told.join("\n")).toMatchSnapshot()
  },
)

await testWalks("live")
