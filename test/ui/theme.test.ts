// Tests that colours are legible on both backgrounds, and that nothing depends on colour alone.
import { afterEach, describe, expect, test } from "bun:test"
import { type RGBA, TextAttributes } from "@opentui/core"
import type { ColorToken } from "../../src/ui/line.ts"
import { span } from "../../src/ui/line.ts"
import { type Background, type Depth, makeTheme } from "../../src/ui/theme.ts"
import { fixture, readFrames } from "../fixtures.ts"
import { event, line } from "../run/lines.ts"
import { endScreens, NOW, show, spansWith } from "../screen/screen.tsx"

afterEach(endScreens)

const DEPTHS: readonly Depth[] = ["truecolor", "256", "16", "none"]
const BACKGROUNDS: readonly Background[] = ["dark", "light"]
const TOKENS: readonly ColorToken[] = [
  ...(["bright", "normal", "dim", "error", "warn", "ok", "accent"] as const),
  ...Array.from({ length: 12 }, (_, i): ColorToken => `hue${i}`),
]
/** WCAG: text of ordinary size. */
const READABLE = 4.5

function luminance({ r, g, b }: RGBA): number {
  const part = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
}

function contrast(a: RGBA | number, b: RGBA | number): number {
  const [low = 0, high = 0] = [a, b].map(one => (typeof one === "number" ? one : luminance(one))).sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

for (const background of BACKGROUNDS) {
  const page = background === "dark" ? 0 : 1
  test(`every colour token is legible on ${background}, also in a selected row`, () => {
    const theme = makeTheme("truecolor", background)
    for (const token of TOKENS) {
      const { fg } = theme.paint(span("x", token))
      expect(`${token} ${contrast(fg, page) >= READABLE}`).toBe(`${token} true`)
      if (theme.selected !== undefined) {
        expect(`${token} selected ${contrast(fg, theme.selected) >= READABLE}`).toBe(`${token} selected true`)
      }
    }
    expect(contrast(theme.borderFocused, page)).toBeGreaterThanOrEqual(3)
  })
}

test("the colours of neighbouring invocations differ, and none looks like an error or a warning", () => {
  for (const background of BACKGROUNDS) {
    for (const depth of ["truecolor", "16"] as const) {
      const theme = makeTheme(depth, background)
      const colour = (token: ColorToken) => theme.paint(span("x", token)).fg.toString()
      const reserved = new Set([colour("error"), colour("warn")])
      for (let i = 0; i < 9; i++) {
        expect(colour(`hue${i}`)).not.toBe(colour(`hue${i + 1}`))
        expect(reserved.has(colour(`hue${i}`))).toBe(false)
      }
    }
  }
})

describe("a theme of a colour depth and background", () => {
  for (const depth of DEPTHS) {
    for (const background of BACKGROUNDS) {
      test(`${depth}, ${background}: makes the selected row, errors and waiting stand out`, async () => {
        const screen = await show({ depth, background })
        const fails = { invokeid: "bad", "session-id": "2", message: "no" }
        screen.feed(
          event(0, "llm/start", { invokeid: "good", "session-id": "1", model: "m" }, NOW),
          event(1, "llm/error", fails),
        )
        screen.press("g")
        const frame = await screen.frame()
        const selected = frame.lines.find(one => one.spans.some(({ text }) => text.includes("▌")))?.spans ?? []
        const name = selected.find(({ text }) => text.includes("good"))
        const other = spansWith(frame, "bad")[0]
        const stands = (one: typeof name) => `${one?.bg.toString()} ${(one?.attributes ?? 0) & TextAttributes.INVERSE}`
        expect(stands(name)).not.toBe(stands(other))
        // The background reaches the end of the pane.
        expect(selected.filter(one => stands(one) === stands(name)).reduce((sum, one) => sum + one.width, 0)).toBe(62)
        expect(await screen.text()).toContain("✗ bad")
      })
    }
  }
})

test("a theme without colours uses only the terminal's own", async () => {
  const screen = await show({ depth: "none" })
  screen.feed(...(await readFrames(fixture("demo"))).slice(0, 1200))
  screen.feed(line({ kind: "prompt", "prompt-id": "p", type: "text", opts: { prompt: "?" } }))
  const frame = await screen.frame()
  const colours = new Set(
    frame.lines.flatMap(one =>
      one.spans.flatMap(({ text, fg }) => (text.replaceAll("\ufe0f", "").trim() === "" ? [] : [fg.intent])),
    ),
  )
  expect([...colours]).toEqual(["default"])
})

test("a screen with ASCII glyphs draws only ASCII", async () => {
  const lines = await readFrames(fixture("parallel-60"))
  for (const [columns, rows] of [
    [120, 40],
    [80, 24],
    [40, 10],
  ] as const) {
    const screen = await show({ columns, rows, ascii: true })
    const ask = { prompt: "Which one?", options: Array.from({ length: 30 }, (_, i) => `option ${i}`) }
    const looks: (() => void)[] = [
      () => {},
      () => screen.feed(...lines.slice(0, 900)),
      () =>
        screen.feed(
          event(null, "runner/event-processed", {
            entered: ["x"],
            exited: ["y"],
            "config-after": ["a", "x"],
            "event-name": "e",
          }),
        ),
      () =>
        screen.feed(
          event(null, "llm/error", {
            invokeid: "long-name-".repeat(20),
            "session-id": "s",
            message: "broken ".repeat(40),
          }),
        ),
      () =>
        screen.feed(
          line({ kind: "progress", phase: "update", invokeid: "long", pct: 0.4 }),
          line({ kind: "debug", paused: true, "step-budget": 0 }),
        ),
      () => screen.press("enter"),
      () => screen.press("g"),
      () => screen.press("escape", "tab", "tab", "k", "k"),
      () => screen.press("enter"),
      () => screen.press("escape", "?"),
      () => screen.press("?", "i"),
      () => screen.press("i"),
      () => screen.feed(line({ kind: "prompt", "prompt-id": "p", type: "select", opts: ask })),
      () => screen.press("up"),
      () => screen.press("escape"),
      () =>
        screen.feed(
          line({ kind: "prompt", "prompt-id": "t", type: "multi", opts: { ...ask, prompt: "why ".repeat(900) } }),
        ),
      () => screen.press("space"),
      () => screen.feed(...lines.slice(900)),
      () => screen.press("escape", "escape"),
      () =>
        screen.link({
          state: "lost",
          url: "ws://127.0.0.1:1/ws",
          since: NOW - 12_000,
          retryAt: NOW + 2000,
          why: "closed",
          everOpen: true,
        }),
      () => screen.link({ state: "ended", path: "run.jsonl", incompleteLength: 3 }),
    ]
    for (const [i, change] of looks.entries()) {
      change()
      const strange = /[^\n -~]+/.exec(await screen.text())
      expect(`step ${i}: ${strange === null ? "ASCII" : await screen.row(strange[0])}`).toBe(`step ${i}: ASCII`)
    }
  }
})
