// Tests the recording of a real run against figures counted by hand.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { report } from "../../src/run/select/report.ts"
import { haiku, root } from "../fixtures.ts"
import { tell } from "./lines.ts"

const truth = join(root, "fixtures/runs/haiku-tournament.json")

test("the haiku tournament folds to the figures counted by hand", async () => {
  const lines = (await Bun.file(haiku).text()).trimEnd().split("\n").map(decode)
  expect(report(tell(lines))).toMatchObject(await Bun.file(truth).json())
})
