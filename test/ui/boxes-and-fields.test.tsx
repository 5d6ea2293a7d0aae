// Keeps what boxes, lines and text fields draw and ask for by themselves, whatever else a screen has.
import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
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
import { root } from "../fixtures.ts"
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

const [LINES_STEPS = [], BOX_STEPS = [], FIELD_STEPS = []] = (
  await Bun.file(join(root, "fixtures/scripts/boxes-and-fields.txt")).text()
)
  .split(/^# .*\n/m)
  .slice(1)
  .map(one => one.trimEnd().split("\n"))

type Acts = { readonly [verb: string]: (...words: readonly string[]) => unknown }

/** Draws a piece on a terminal of 40 by 8; each step tells what it changed there, and what was asked for. */
async function drawn(content: (asks: (what: unknown) => void) => JSX.Element, own: Acts = {}) {
  const [depth, setDepth] = createSignal<Depth>("truecolor")
  const [glyphs, setGlyphs] = createSignal(unicode)
  const asked: string[] = []
  const fields = new Set<TextField>()
  const ask = (what: unknown) => void asked.push(JSON.stringify(what))
  const addField = (field: TextField) => {
    fields.add(field)
    return () => fields.delete(field)
  }
  const context = () => ({ glyphs: glyphs(), now: 0, motion: false })
  const screen: Partial<Screen> = { theme: () => makeTheme(depth(), "dark"), context, ask, click: ask, addField }
  const clock = new ManualClock()
  const { renderer, mockInput, mockMouse, captureSpans } = await testRender(
    () => <ScreenContext.Provider value={screen as Screen}>{content(ask)}</ScreenContext.Provider>,
    { width: 40, height: 8, clock, exitOnCtrlC: false, consoleMode: "disabled" },
  )
  opened(() => renderer.destroy())
  const acts: Acts = {
    ...{ draw: () => renderer.requestRender(), depth: one => setDepth(one as Depth) },
    ascii: () => [setGlyphs(ascii), renderer.requestRender()],
    click: (x, y) => mockMouse.click(Number(x), Number(y)),
    right: (x, y) => mockMouse.click(Number(x), Number(y), 2),
    wheel: (to, x, y) => mockMouse.scroll(Number(x), Number(y), to as "up"),
    drag: (...at) => mockMouse.drag(...(at.map(Number) as [number, number, number, number])),
    type: words => mockInput.typeText(words ?? ""),
    paste: words => mockInput.pasteBracketedText(JSON.parse(words ?? "") as string),
    newline: () => mockInput.pressKey("RETURN", { shift: true }),
    undo: () => mockInput.pressKey("\u001f"),
    selected: () => [ask(renderer.getSelection()?.getSelectedText() ?? null), renderer.clearSelection()],
    read: () => ask([...fields].map(field => [field.read(), field.intent("x")])),
    ...own,
  }
  let before: readonly string[] = []
  return async (steps: readonly string[]): Promise<string> => {
    const told: string[] = []
    for (const step of steps) {
      const [verb = "", ...words] = step.split(" ")
      await acts[verb]?.(...(/^[{[]/.test(words[0] ?? "") ? [words.join(" ")] : words))
      for (let turn = 0; turn < 5; turn++) {
        clock.advance(20)
        await new Promise(done => nextTurn(done))
      }
      const rows = captureSpans().lines.map(({ spans }) => spans.map(pieceOf).join("").trimEnd())
      const changes = rows.flatMap((row, y) => (row === (before[y] ?? "") ? [] : [`${y} ${row}`]))
      told.push([`── ${step}`, ...changes, ...asked.splice(0).map(one => `! ${one}`)].join("\n"))
      before = rows
    }
    return told.join("\n")
  }
}

const LINES: readonly Line[] = [
  line(span("plain"), span(" dim", "dim"), { ...span(" here"), click: "enter" }),
  { spans: [span("chosen", "dim"), { ...span(" ▮▮", "hue1"), lane: true }], selected: true, click: "j" },
  { spans: [span("failed → ✗")], failed: true },
  { spans: [span("both")], failed: true, selected: true },
]
const [isCovered, cover] = createSignal(false)
const covers: Acts = { cover: one => cover(one === "true") }
afterEach(() => cover(false))

test("lines are filled as what they are and drawn anew with each change, and take a click where nothing covers them", async () => {
  const [isFocused, focus] = createSignal(true)
  const [over, setOver] = createSignal<readonly Line[] | null>(null)
  const walk = await drawn(
    ask => (
      <AreaContext.Provider value={{ pane: "log", isCovered, isFocused }}>
        <box width={30} height={6} flexDirection="column" onMouseDown={() => ask("what is below")}>
          <Canvas lines={LINES} rows={5} />
          <Show when={over() !== null}>
            <Cover lines={() => over() ?? []} />
          </Show>
        </box>
      </AreaContext.Provider>
    ),
    {
      ...{ ...covers, focus: one => focus(one === "true") },
      over: all => setOver((JSON.parse(all ?? "") as string[] | null)?.map(one => line(span(one))) ?? null),
    },
  )
  expect(await walk(LINES_STEPS)).toMatchSnapshot()
})

test("a box has as much of its title, its views and its footnote as there is room for, and its mouse means what is in it", async () => {
  const [rect, setRect] = createSignal({ x: 0, y: 0, width: 40, height: 4 })
  const [box, change] = createSignal<Partial<Parameters<typeof TitledBox>[0]>>({ pane: "log" })
  const names = ["list", "tree", "chart"].map((name, i) => ({ name, key: `${i}` }))
  const walk = await drawn(
    ask => (
      <AreaContext.Provider value={{ isCovered, isFocused: () => true }}>
        <TitledBox rect={rect()} title="Log" focused={true} {...box()} {...(box().scroll && { scroll: ask })}>
          <Canvas lines={LINES.slice(0, 1)} />
        </TitledBox>
        <TitledBox rect={{ x: 30, y: 2, width: 9, height: 4 }} title="" focused={false} raised>
          <Canvas lines={LINES.slice(2, 3)} />
        </TitledBox>
      </AreaContext.Provider>
    ),
    {
      ...{ ...covers, place: (x, y) => setRect({ ...rect(), x: Number(x), y: Number(y) }) },
      size: (width, height) => setRect({ ...rect(), width: Number(width), height: Number(height) }),
      box: told => {
        const { views, ...more } = JSON.parse(told ?? "") as { readonly views?: string }
        change({ ...more, ...(views !== undefined && { views: { names, chosen: views } }) })
      },
    },
  )
  expect(await walk(BOX_STEPS)).toMatchSnapshot()
})

test("a text field goes on behind its text, takes a paste while it is in front, and shows no secret", async () => {
  const [isInFront, putInFront] = createSignal(true)
  const [masked, mask] = createSignal(false)
  const [isThere, keep] = createSignal(true)
  let editor: TextareaRenderable | undefined
  const walk = await drawn(
    () => (
      <Show when={isThere()}>
        <TextEditor
          {...{ text: "old ", placeholder: "Nothing yet", masked: masked(), isInFront: isInFront() }}
          intent={text => ({ type: "prompt/text", key: "k", text }) as never}
          ref={made => {
            editor = made
          }}
        />
      </Show>
    ),
    {
      ...{ front: one => putInFront(one === "true"), mask: () => mask(true), keep: () => keep(false) },
      clear: () => editor?.clear(),
    },
  )
  expect(await walk(FIELD_STEPS)).toMatchSnapshot()
})
