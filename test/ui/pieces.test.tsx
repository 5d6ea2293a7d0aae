// Keeps what boxes, lines and text fields draw and ask for by themselves, whatever else a screen has.
import { expect, test } from "bun:test"
import { type CapturedSpan, TextAttributes, type TextareaRenderable } from "@opentui/core"
import { ManualClock } from "@opentui/core/testing"
import { testRender } from "@opentui/solid"
import { createSignal, type JSX, Show } from "solid-js"
import { Canvas, Cover, TitledBox } from "../../src/ui/Canvas.tsx"
import { ascii, unicode } from "../../src/ui/glyphs.ts"
import { type Line, line, span } from "../../src/ui/line.ts"
import { AreaContext, type Screen, ScreenContext, type TextField } from "../../src/ui/screen-context.ts"
import { TextEditor } from "../../src/ui/TextEditor.tsx"
import { type Depth, makeTheme } from "../../src/ui/theme.ts"
import { opened } from "../screen/open-screens.ts"

const nextTurn = setImmediate

/** What stands there, each piece with its fill, its colour where that has a number, and its attributes. */
const pieceOf = ({ text, attributes, fg, bg }: CapturedSpan): string => {
  const style = [TextAttributes.BOLD, TextAttributes.DIM, TextAttributes.INVERSE].filter(
    one => (attributes & one) !== 0,
  )
  const look = [
    ...(bg.intent === "default" || bg.toInts()[3] === 0 ? [] : [`on ${bg.toInts().slice(0, 3)}`]),
    ...(fg.intent === "indexed" && text.trim() !== "" ? [`in ${fg.slot}`] : []),
    ...(style.length === 0 ? [] : [style.join("+")]),
  ]
  return look.length === 0 ? text : `{${look.join(" ")}|${text}}`
}

/** Draws a piece on a terminal of 40 by 8 and tells what each step changed there, and what it asked for. */
async function drawn(content: () => JSX.Element) {
  const [depth, setDepth] = createSignal<Depth>("truecolor")
  const [plain, setPlain] = createSignal(false)
  const asked: string[] = []
  const fields = new Set<TextField>()
  const ask = (intent: unknown) => void asked.push(JSON.stringify(intent))
  const addField = (field: TextField) => {
    fields.add(field)
    return () => fields.delete(field)
  }
  const context = () => ({ glyphs: plain() ? ascii : unicode, now: 0, motion: false })
  const screen: Partial<Screen> = { theme: () => makeTheme(depth(), "dark"), context, ask, click: ask, addField }
  const clock = new ManualClock()
  const { renderer, mockInput, mockMouse, captureSpans } = await testRender(
    () => <ScreenContext.Provider value={screen as Screen}>{content()}</ScreenContext.Provider>,
    { width: 40, height: 8, clock, exitOnCtrlC: false, consoleMode: "disabled" },
  )
  opened(() => renderer.destroy())
  let before: readonly string[] = []
  const told: string[] = []
  const after = async (what: string, act: () => unknown): Promise<void> => {
    await act()
    for (let turn = 0; turn < 3; turn++) {
      clock.advance(20)
      await new Promise(done => nextTurn(done))
    }
    const rows = captureSpans().lines.map(({ spans }) => spans.map(pieceOf).join("").trimEnd())
    const changes = rows.flatMap((row, y) => (row === (before[y] ?? "") ? [] : [`${y} ${row}`]))
    told.push([`── ${what}`, ...changes, ...asked.splice(0).map(one => `! ${one}`)].join("\n"))
    before = rows
  }
  const toAscii = () => {
    setPlain(true)
    renderer.requestRender()
  }
  return { after, ask, told, setDepth, toAscii, mockInput, mockMouse, fields, renderer }
}

const LINES: readonly Line[] = [
  line(span("plain"), span(" dim", "dim"), { ...span(" here"), click: "enter" }),
  { spans: [span("chosen", "dim"), { ...span(" ▮▮", "hue1"), lane: true }], selected: true, click: "j" },
  { spans: [span("failed → ✗")], failed: true },
  { spans: [span("both")], failed: true, selected: true },
]

test("lines are filled as what they are and drawn anew with each change, and take a click where nothing covers them", async () => {
  const [isCovered, cover] = createSignal(false)
  const [isFocused, focus] = createSignal(true)
  const [over, setOver] = createSignal<readonly Line[] | null>([])
  const area = { pane: "log" as const, isCovered, isFocused }
  const { after, ask, told, mockMouse, setDepth, toAscii, renderer } = await drawn(() => (
    <AreaContext.Provider value={area}>
      <box width={30} height={6} flexDirection="column" onMouseDown={() => ask("what is below")}>
        <Canvas lines={LINES} rows={5} />
        <Show when={over() !== null}>
          <Cover lines={() => over() ?? []} />
        </Show>
      </box>
    </AreaContext.Provider>
  ))
  const clicks = (what: string, x: number, y: number, button: 0 | 2 = 0) =>
    after(what, () => mockMouse.click(x, y, button))
  await after("drawn", () => undefined)
  for (const depth of ["none", "truecolor"] as const) {
    await after(depth, () => setDepth(depth))
    await after("without the focus", () => focus(false))
    await after("with it", () => focus(true))
  }
  await after("ASCII", toAscii)
  await after("under nothing yet", () => setOver([]))
  setOver([line(span("over"))])
  await after("under something", () => renderer.requestRender())
  await after("under nothing", () => setOver(null))
  await clicks("a click on a word", 11, 0)
  await clicks("on its line", 1, 0)
  await clicks("on a row", 9, 1)
  await clicks("the other button", 9, 1, 2)
  await clicks("below the lines", 9, 4)
  cover(true)
  await clicks("while it is covered", 9, 1)
  expect(told.join("\n")).toMatchSnapshot()
})

test("a box has as much of its title, its views and its footnote as there is room for, and its mouse means what is in it", async () => {
  const [rect, setRect] = createSignal({ x: 0, y: 0, width: 40, height: 4 })
  const [box, change] = createSignal<Partial<Parameters<typeof TitledBox>[0]>>({ focused: true, pane: "log" })
  const [isCovered, cover] = createSignal(false)
  const names = ["list", "tree", "chart"].map((name, i) => ({ name, key: `${i}` }))
  const more = (to: ReturnType<typeof box>) => () => change({ ...box(), ...to })
  const { after, ask, told, mockMouse, toAscii, setDepth } = await drawn(() => (
    <AreaContext.Provider value={{ isCovered, isFocused: () => true }}>
      <TitledBox rect={rect()} title="Log" focused={true} {...box()}>
        <Canvas lines={LINES.slice(0, 1)} />
      </TitledBox>
      <TitledBox rect={{ x: 30, y: 2, width: 9, height: 4 }} title="" focused={false} raised>
        <Canvas lines={LINES.slice(2, 3)} />
      </TitledBox>
    </AreaContext.Provider>
  ))
  await after("drawn", () => undefined)
  await after("a footnote", more({ footnote: "3 of 9" }))
  await after("another that is too long", more({ footnote: "–".repeat(50) }))
  const sized = (width: number, height = 4) =>
    [`${width}x${height}`, () => setRect({ ...rect(), width, height })] as const
  for (const [chosen, ...widths] of [
    ["tree", 35, 34, 25, 24, 12],
    ["chart", 34],
    ["list", 34, 24, 40],
  ] as const) {
    await after(`views, ${chosen}`, more({ footnote: undefined, views: { names, chosen } }))
    for (const width of widths) await after(...sized(width))
  }
  toAscii()
  await after("ASCII, a title of marks", more({ title: "a › b …" }))
  await after("no colours", () => setDepth("none"))
  await after("sixteen", () => setDepth("16"))
  for (const asks of [false, true]) await after(`raised, asks ${asks}`, more({ raised: true, asks }))
  await after("without the focus", more({ focused: false }))
  setDepth("none")
  await after("another place", () => setRect({ x: 20, y: 1, width: 12, height: 5 }))
  for (const size of ["12 2", "2 5", "12 0", "40 4"]) {
    const [width = 0, height = 0] = size.split(" ").map(Number)
    await after(...sized(width, height))
  }
  change({ focused: true, pane: "log" })
  await after("at the corner", () => setRect({ x: 0, y: 0, width: 40, height: 4 }))
  const mouse = async (what: string) => {
    await after(`${what}: a click`, () => mockMouse.click(5, 0))
    for (const to of ["up", "down", "left"] as const)
      await after(`${what}: the wheel ${to}`, () => mockMouse.scroll(5, 1, to))
  }
  await mouse("in a pane")
  change({ focused: true })
  await mouse("in none")
  change({ focused: true, scroll: ask })
  await mouse("with a scroll of its own")
  await after("a drag", () => mockMouse.drag(5, 1, 9, 1))
  cover(true)
  await mouse("covered")
  expect(told.join("\n")).toMatchSnapshot()
})

test("a text field goes on behind its text, takes a paste while it is in front, and shows no secret", async () => {
  const [isInFront, putInFront] = createSignal(true)
  const [masked, mask] = createSignal(false)
  const [isThere, keep] = createSignal(true)
  let editor: TextareaRenderable | undefined
  const { after, told, mockInput, mockMouse, toAscii, fields, renderer } = await drawn(() => (
    <Show when={isThere()}>
      <TextEditor
        text="old "
        placeholder="Nothing yet"
        masked={masked()}
        isInFront={isInFront()}
        intent={text => ({ type: "prompt/text", key: "k", text }) as never}
        ref={made => {
          editor = made
        }}
      />
    </Show>
  ))
  const selected = async (what: string) => {
    await after(what, () => mockMouse.drag(0, 0, 3, 0))
    told.push(`selected ${JSON.stringify(renderer.getSelection()?.getSelectedText() ?? null)}`)
    renderer.clearSelection()
  }
  await after("types", () => mockInput.typeText("tea"))
  await after("pastes", () => mockInput.pasteBracketedText("a\r\nb\rc\u001b[2J\u0007"))
  await after("a line", () => mockInput.pressKey("RETURN", { shift: true }))
  await after("undoes", () => mockInput.pressKey("\u001f"))
  await selected("selects")
  putInFront(false)
  await after("pastes behind something", () => mockInput.pasteBracketedText("lost"))
  putInFront(true)
  told.push(JSON.stringify([...fields].map(field => [field.read(), field.intent("x")])))
  await after("masked", () => mask(true))
  await selected("selects masked")
  await after("ASCII", toAscii)
  await after("empty", () => editor?.clear())
  await after("gone", () => keep(false))
  told.push(`${fields.size} fields`)
  expect(told.join("\n")).toMatchSnapshot()
})
