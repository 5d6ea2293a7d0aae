// Keeps what a run still tells of which little is in memory.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decode } from "../../../packages/wire/src/decode.ts"
import { fold } from "../../../src/run/fold.ts"
import { initialRun } from "../../../src/run/model/run.ts"
import { root } from "../../fixtures.ts"
import { picture } from "../picture.ts"

test("a run with little in memory tells what it still can", async () => {
  const lines = (await Bun.file(join(root, "fixtures/frames/tea.jsonl")).text()).split("\n").map(decode)
  const whole = new Set(picture(fold(initialRun({}), lines)))
  const little = picture(fold(initialRun({ rowWindow: 0, textBudget: 100 }), lines))
  expect(little.filter(line => !whole.has(line)).join("\n")).toMatchSnapshot()
})
