// Tests how the file of a theme is read.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { isObject } from "../../packages/wire/src/json.ts"
import { builtIn, readTheme } from "../../src/ui/theme-file.ts"
import { root } from "../fixtures.ts"

function read(text: string): ReturnType<typeof readTheme> {
  const table: unknown = Bun.TOML.parse(text)
  return readTheme("mine", isObject(table) ? table : {})
}

test("the built-in themes have every role at every depth", () => {
  for (const name of ["dark", "light"] as const) {
    for (const { roles, hues } of Object.values(builtIn(name).shades)) {
      expect([...roles.keys()]).toEqual("bright normal dim error warn ok accent past selected failed".split(" "))
      expect(hues.length).toBeGreaterThan(1)
    }
  }
})

test("what a theme doesn't say is as in its base", () => {
  const { shades } = read('base = "light"\n[truecolor]\naccent = "#8b3a00"')
  const light = builtIn("light").shades
  expect(shades.truecolor.roles.get("accent")).toBe("#8b3a00")
  expect(shades.truecolor.roles.get("error")).toBe(light.truecolor.roles.get("error") ?? "")
  expect(shades.truecolor.hues).toEqual(light.truecolor.hues)
  expect(shades["16"]).toEqual(light["16"])
})

test("of 256 colours the nearest one stands for a colour that has no number of its own", () => {
  const { shades } = read(
    `base = "dark"\n[truecolor]\nok = "#00FF00"\ndim = "#808080"\nwarn = "#5f87af"\nerror = "#111111"\nbright = "default"
hues = ["#0000ff", "default", "#f8f8f8", "#030303", "#eaeaea", "#bcadae"]\n[256]\nwarn = 3`,
  )
  // Green and the grey 128 are exactly 46 and 244 in xterm's table, and the grey 18 is 233.
  const { roles, hues } = shades["256"]
  expect(["ok", "dim", "warn", "error", "bright"].map(role => roles.get(role))).toEqual([46, 244, 3, 233, null])
  expect(hues).toEqual([21, null, 231, 16, 255, 249])
})

test("a mistake is named by its entry", async () => {
  const texts = (await Bun.file(join(root, "fixtures/scripts/theme-mistakes.jsonl")).text()).trimEnd().split("\n")
  for (const one of texts) expect(() => read(JSON.parse(one) as string)).toThrowErrorMatchingSnapshot(one)
})
