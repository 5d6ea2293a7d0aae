// Tests how the file of a theme is read.
import { expect, test } from "bun:test"
import { isObject } from "../../packages/wire/src/json.ts"
import { builtIn, readTheme } from "../../src/ui/theme-file.ts"

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
  const shade = (role: string) => shades["256"].roles.get(role)
  // Green and the grey 128 are exactly 46 and 244 in xterm's table, and the grey 18 is 233.
  expect(["ok", "dim", "warn", "error", "bright"].map(shade)).toEqual([46, 244, 3, 233, null])
  expect(shades["256"].hues).toEqual([21, null, 231, 16, 255, 249])
})

test("a mistake is named by its entry", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["", 'base: expected "dark" or "light", got nothing'],
    ['base = "blue"', 'base: expected "dark" or "light", got "blue"'],
    ['base = "dark"\n[truecolour]\n', "unknown table: truecolour; did you mean truecolor?"],
    ['base = "dark"\n[truecolor]\nacent = "#000000"', "unknown role in truecolor: acent; did you mean accent?"],
    ['base = "dark"\n[16]\nhue = [1]', "unknown role in 16: hue; did you mean hues?"],
    ['base = "dark"\n[truecolor]\nok = "#00ff000"', 'truecolor.ok: expected "#rrggbb" or "default", got "#00ff000"'],
    ['base = "dark"\n[256]\nok = 256', '256.ok: expected a number from 0 to 255 or "default", got 256'],
    ['base = "dark"\n[16]\nok = 1.5', '16.ok: expected a number from 0 to 15 or "default", got 1.5'],
    ['base = "dark"\n[256]\nhues = []', "256.hues: expected at least one colour"],
    ['base = "dark"\nhues = 1', "unknown table: hues"],
    ['base = "dark"\n256 = 1', "256: expected a table, got 1"],
    ["base = [1]", 'base: expected "dark" or "light", got a list'],
    ['base = "dark"\n[16]\nhues = {a = 1}', "16.hues: expected a list, got a table"],
  ]
  for (const [text, why] of wrong) expect(() => read(text)).toThrow(why)
})
