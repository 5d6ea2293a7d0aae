// Keeps what the commands print about recordings, and what they say to whom calls them in a wrong way.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { called, lines } from "./called.ts"

const fixtures = join(root, "fixtures")

/** What is called, as `lines` reads it. */
const CALLS: Readonly<Record<"told" | "found" | "wrong" | "variables", readonly string[]>> = await Bun.file(
  join(fixtures, "scripts/calls-told.json"),
).json()

test.each(lines(...CALLS.told))("%s", async line => expect(await called(line, fixtures)).toMatchSnapshot())

// How wide its columns are depends on how many hits come at once.
test.each(lines(...CALLS.found))("%s", async line => {
  expect((await called(line, fixtures)).replace(/ {2,}/g, "  ")).toMatchSnapshot()
})

test.each(lines(...CALLS.wrong))("a wrong call %s", async line =>
  expect(await called(line, fixtures)).toMatchSnapshot(),
)

test.each(CALLS.variables.map(one => one.split("=") as [string, string]))(
  "a variable that is wrong %s=%s",
  async (name, value) =>
    expect(await called("", fixtures, { OPENTUI_WS_PORT: "3737", [name]: value })).toMatchSnapshot(),
)
