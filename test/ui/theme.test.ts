// Tests that colours are legible on both backgrounds, and that nothing depends on colour alone.
import { expect, test } from "bun:test"
import { RGBA, TextAttributes } from "@opentui/core"
import type { ColorToken } from "../../src/ui/line.ts"
import { span } from "../../src/ui/line.ts"
import { type Background, type Depth, makeTheme, type Paint } from "../../src/ui/theme.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { event, line } from "../run/lines.ts"
import { SIZES, show } from "../screen/screen.tsx"

const DEPTHS: readonly Depth[] = ["truecolor", "256", "16", "none"]
const BACKGROUNDS: readonly Background[] = ["dark", "light"]
const TOKENS: readonly ColorToken[] = [
  ...(["bright", "normal", "dim", "error", "warn", "ok", "accent", "past"] as const),
  ...Array.from({ length: 12 }, (_, i): ColorToken => `hue${i}`),
]
/** WCAG: text of ordinary size, and marks such as borders. */
const READABLE = 4.5
const VISIBLE = 3

/** Black and white, and the pages of Solarized, Gruvbox, Dracula, One Dark, Nord and GitHub. */
const PAGES = {
  dark: ["#000000", "#002b36", "#282828", "#282a36", "#282c34", "#2e3440"],
  light: ["#ffffff", "#fdf6e3", "#f6f8fa"],
} as const

/** The numbers from 0 to 15 in a terminal whose owner changed none: those of xterm. */
const XTERM: readonly (readonly number[])[] = [
  ..."0,0,0 205,0,0 0,205,0 205,205,0 0,0,238 205,0,205 0,205,205 229,229,229".split(" "),
  ..."127,127,127 255,0,0 0,255,0 255,255,0 92,92,255 255,0,255 0,255,255 255,255,255".split(" "),
].map(colour => colour.split(",").map(Number))

/** Red, green and blue, 0 to 255. */
const partsOf = (colour: RGBA): readonly number[] =>
  (colour.intent === "indexed" ? XTERM[colour.slot] : undefined) ?? colour.toInts().slice(0, 3)

function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map(value => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: readonly number[], b: readonly number[]): number {
  const [low = 0, high = 0] = [a, b].map(luminance).sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

for (const background of BACKGROUNDS) {
  for (const depth of DEPTHS) {
    test(`${depth}, ${background}: every colour is legible on every page, and in a selected row`, () => {
      const theme = makeTheme(depth, background)
      // Sixteen colours are the terminal's own, and so is the page that they are made for.
      const pages = (depth === "16" ? PAGES[background].slice(0, 1) : PAGES[background]).map(hex => RGBA.fromHex(hex))
      const grounds = theme.selected === undefined ? pages : [...pages, theme.selected]
      const faint = (colour: RGBA, least: number): readonly string[] =>
        colour.intent === "default"
          ? []
          : grounds.flatMap(ground => {
              const ratio = contrast(partsOf(colour), partsOf(ground))
              return ratio < least ? [`${partsOf(colour)} on ${partsOf(ground)}: ${ratio.toFixed(2)}`] : []
            })
      const found = TOKENS.flatMap(token => faint(theme.paint(span("x", token)).fg, READABLE).map(why => [token, why]))
      expect(found).toEqual([])
      const ended = theme.paint(span("x", "hue0", { faint: true })).attributes & TextAttributes.DIM
      if (background === "light") expect(ended).toBe(0)
      for (const border of [theme.borderFocused, theme.borderAsking]) expect(faint(border, VISIBLE)).toEqual([])
    })
  }
}

test.each(DEPTHS)("%s: the colours and attributes of each meaning, in a row of each kind and in each style", depth => {
  const styles = [{}, { bold: true }, { italic: true }, { faint: true }, { lane: true, faint: true }, { hit: true }]
  const name = (fg: RGBA) => (fg.intent === "indexed" ? fg.slot : fg.intent === "default" ? "own" : fg.toInts().join())
  const told = (all: readonly Paint[]) =>
    `${[...new Set(all.map(({ fg }) => name(fg)))].join(" or ")} with ${all.map(({ attributes }) => attributes)}`
  const rows = BACKGROUNDS.flatMap(background => {
    const { paint, title, selected, failed, border, borderFocused, borderAsking } = makeTheme(depth, background)
    const kinds = [undefined, "selected", "idle"] as const
    const tokens = [...TOKENS, "hue20" as const].map(token => {
      const drawn = kinds.map(row => paint(span("x", token), row))
      return `${token}: ${told([...drawn, ...styles.map(style => paint({ ...span("x", token), ...style }))])}`
    })
    const lane = told(kinds.map(row => paint(span("x", "hue0", { lane: true }), row)))
    const titles = told([true, false].map(focused => title(border, focused)))
    const grounds = [selected, failed, borderFocused, borderAsking].map(one => (one === undefined ? "-" : name(one)))
    return [background, ...tokens, `lane: ${lane}; titles: ${titles}; ${grounds.join(" ")}`]
  })
  expect(rows.join("\n")).toMatchSnapshot()
})

test("a screen with ASCII glyphs draws only ASCII", async () => {
  const lines = await readFrames(fixture("parallel-60"))
  const options = Array.from({ length: 30 }, (_, i) => `option ${i}`)
  const asks = (id: string, type: string, prompt: string) =>
    line({ kind: "prompt", "prompt-id": id, type, opts: { prompt, options } })
  const odd = [
    event(null, "runner/event-processed", { entered: ["x"], "config-after": ["a", "x"], "event-name": "e" }),
    event(null, "llm/error", { invokeid: "long-name-".repeat(20), "session-id": "s", message: "broken ".repeat(40) }),
    line({ kind: "progress", phase: "update", invokeid: "long", pct: 0.4 }),
    line({ kind: "debug", paused: true, "step-budget": 0 }),
  ]
  for (const [columns, rows] of SIZES) {
    const screen = await show({ columns, rows, ascii: true }, ...lines.slice(0, 900), ...odd)
    const looks = async (...steps: readonly string[]) => {
      for (const step of steps) {
        const strange = /[^\n -~]+/.exec(await screen.press(...step.split(" ").filter(Boolean)).text())
        expect(`${step}: ${strange === null ? "ASCII" : await screen.row(strange[0])}`).toBe(`${step}: ASCII`)
      }
    }
    await looks("", "enter", "g", "escape tab tab k k", "enter", "escape ?", "? T", "$", "escape")
    screen.feed(asks("p", "select", "Which one?"))
    await looks("", "up", "escape")
    screen.feed(asks("t", "multi", "why ".repeat(900)), ...lines.slice(900))
    await looks("space", "escape escape")
    screen.link({ state: "ended", path: "run.jsonl", incompleteLength: 3 })
    await looks("")
  }
})
