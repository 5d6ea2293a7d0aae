// Draws lines straight into the frame's cells, alone or in a box with a title.
import {
  type BorderCharacters,
  type BoxRenderable,
  MouseButton,
  type MouseEvent,
  type OptimizedBuffer,
  type RGBA,
} from "@opentui/core"
import { createEffect, createMemo, type JSX, on, Show, useContext } from "solid-js"
import { type SafeText, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { PaneId } from "../view/pane-names.ts"
import { asciiOf, type Glyphs } from "./glyphs.ts"
import { BOXED, type Rect } from "./layout.ts"
import { clickAt, type Line, type Span, span } from "./line.ts"
import { AreaContext, useScreen } from "./screen-context.ts"
import { COLUMNS, clip, fitting, width } from "./text-width.ts"
import type { Paint, Theme } from "./theme.ts"

/**
 * Shows lines in so many rows, or in all that are left. It costs the visible rows: a `<text>` for each would cost four
 * native handles and a layout.
 */
export function Canvas(props: { lines: readonly Line[]; rows?: number }): JSX.Element {
  let box: BoxRenderable | undefined
  const { theme, click } = useScreen()
  const area = useContext(AreaContext)
  const press = (event: MouseEvent): void => {
    const line = lines()[event.y - (box?.y ?? 0)]
    if (line === undefined || event.button !== MouseButton.LEFT || area.isCovered()) return
    if (area.pane !== undefined) click({ type: "pane/focus", pane: area.pane })
    // What is meant may open elsewhere, and the box around would take the focus back.
    event.stopPropagation()
    const meant = clickAt(line, event.x - (box?.x ?? 0))
    if (meant !== null) click(meant)
  }
  // Made here and not while drawing, so that the pane's error boundary catches what throws.
  const lines = createMemo(() => props.lines)
  createEffect(() => {
    lines()
    theme()
    area.isFocused()
    box?.requestRender()
  })
  const draw = useDrawing()
  return (
    <box
      ref={(made: BoxRenderable) => {
        box = made
      }}
      onMouseDown={press}
      {...(props.rows === undefined ? { flexGrow: 1 } : { height: props.rows, flexShrink: 0 })}
      renderAfter={function (this: BoxRenderable, buffer: OptimizedBuffer) {
        draw(buffer, lines().slice(0, this.height), this)
      }}
    />
  )
}

/** Covers what the element before it drew with lines that are read for each frame; nothing while there are none. */
export function Cover(props: { lines: () => readonly Line[] }): JSX.Element {
  const { theme } = useScreen()
  const draw = useDrawing()
  return (
    <box
      position="absolute"
      left={0}
      top={0}
      width="100%"
      height="100%"
      renderAfter={function (this: BoxRenderable, buffer: OptimizedBuffer) {
        const { x, y, width: columns, height } = this
        const lines = props.lines().slice(0, height)
        if (lines.length > 0) buffer.fillRect(x, y, columns, height, theme().raised)
        draw(buffer, lines, this)
      }}
    />
  )
}

/** Draws lines below each other in a place. */
function useDrawing(): (buffer: OptimizedBuffer, lines: readonly Line[], place: Omit<Rect, "height">) => void {
  const { theme, context } = useScreen()
  const { isFocused } = useContext(AreaContext)
  return (buffer, lines, { x, y, width: columns }) => {
    const bar = isFocused() ? "selected" : "idle"
    const { plain } = context().glyphs
    for (const [i, line] of lines.entries()) drawLine(buffer, line, { x, y: y + i, columns, bar, plain }, theme())
  }
}

interface Room {
  x: number
  readonly y: number
  columns: number
}

interface LineRoom extends Room {
  readonly bar: "selected" | "idle"
  readonly plain: boolean
}

/** Draws one line, clipped to its columns; a selected one fills its row, and one of what failed. */
function drawLine(buffer: OptimizedBuffer, drawn: Line, room: LineRoom, theme: Theme): void {
  const { spans, selected, failed } = drawn
  const row = selected === true ? room.bar : undefined
  const fill = selected === true ? theme.selected : failed === true ? theme.failed : undefined
  if (fill !== undefined) buffer.fillRect(room.x, room.y, room.columns, 1, fill)
  const put = (one: Span): void => {
    const text = sanitizeLine(room.plain ? asciiOf(one.text) : one.text)
    const used = drawText(buffer, text, room, theme.paint(one, row), fill)
    room.x += used
    room.columns -= used
  }
  for (const one of spans) {
    if (room.columns <= 0) return
    put(one)
  }
  if (selected === true && fill === undefined) put(span(" ".repeat(room.columns)))
}

/** Draws the text that fits; returns its columns. Narrow cells are written directly, which is much faster. */
export function drawText(
  buffer: OptimizedBuffer,
  text: SafeText,
  { x, y, columns }: Readonly<Room>,
  { fg, attributes }: Paint,
  fill: RGBA | undefined,
): number {
  if (!COLUMNS.test(text)) {
    const fit = fitting(text, columns)
    buffer.drawText(text.slice(0, fit.units), x, y, fg, fill, attributes)
    return fit.columns
  }
  const length = Math.min(text.length, columns)
  if (y < 0 || y >= buffer.height) return length
  const cells = buffer.buffers
  const [red = 0, green = 0, blue = 0, alpha = 0] = fg.buffer
  const first = y * buffer.width
  const end = Math.min(length, buffer.width - x)
  for (let i = Math.max(0, -x); i < end; i++) {
    const at = first + x + i
    cells.char[at] = text.charCodeAt(i)
    cells.attributes[at] = attributes
    cells.fg[4 * at] = red
    cells.fg[4 * at + 1] = green
    cells.fg[4 * at + 2] = blue
    cells.fg[4 * at + 3] = alpha
  }
  return length
}

const ASCII_BORDER: BorderCharacters = {
  topLeft: "+",
  topRight: "+",
  bottomLeft: "+",
  bottomRight: "+",
  horizontal: "-",
  vertical: "|",
  topT: "+",
  bottomT: "+",
  leftT: "+",
  rightT: "+",
  cross: "+",
}

const TITLE_AT = 2

const WHEEL_ROWS = 3

/** The views of a place; the one that is shown stands in capitals, which a terminal without colours shows too. */
export interface Views {
  /** Each with the key that shows it. */
  readonly names: readonly { readonly name: string; readonly key: string }[]
  readonly chosen: string
}

/** The views with their keys, as many as fit beside a title, else the one shown unless it is the first. */
function viewWords({ names, chosen }: Views, columns: number): string {
  const fitting = names.flatMap((_, left) => {
    const kept = names.slice(0, names.length - left)
    const words = kept.map(({ name, key }) => (name === chosen ? name.toUpperCase() : `${key} ${name}`)).join(" · ")
    return kept.length > 1 && kept.some(({ name }) => name === chosen) && width(words) <= columns ? [words] : []
  })
  return fitting[0] ?? (chosen === names[0]?.name ? "" : chosen.toUpperCase())
}

interface EdgeWords {
  readonly rect: Rect
  readonly title: string
  /** What else its place can show, at the right of the title. */
  readonly views?: Views | undefined
  readonly footnote?: string | undefined
}

/** The words in the border of a box, and where each begins. */
function edgeTexts({ rect, title, views, footnote }: EdgeWords, { plain, ellipsis }: Glyphs) {
  const inBorder = (words: string, columns: number): SafeText => {
    const text = ` ${clip(words, Math.max(0, columns), ellipsis)} `
    return sanitizeLine(plain ? asciiOf(text) : text)
  }
  const room = rect.width - 6
  const right = views === undefined ? "" : viewWords(views, room - width(title) - 3)
  const taken = right === "" ? 0 : width(right) + 3
  return [
    ...(title === "" ? [] : [{ text: inBorder(title, room - taken), x: TITLE_AT, y: 0 }]),
    ...(right === "" ? [] : [{ text: inBorder(right, room), x: rect.width - TITLE_AT - taken + 1, y: 0 }]),
    ...(footnote === undefined ? [] : [{ text: inBorder(footnote, room), x: TITLE_AT, y: rect.height - 1 }]),
  ]
}

/** The attributes of a box that lies at a place of the screen. */
export function boxAt({ x, y, width, height }: Rect) {
  return { position: "absolute", left: x, top: y, width, height } as const
}

/** What a box holds, where its border has no room. */
function Bare(props: { rect: Rect; onFocus: () => void; children: JSX.Element }): JSX.Element {
  return (
    <Show when={props.rect.height > 0}>
      <box {...boxAt(props.rect)} overflow="hidden" onMouseDown={props.onFocus} paddingLeft={1} paddingRight={1}>
        {props.children}
      </box>
    </Show>
  )
}

/** Draws a box with a title in its border. */
export function TitledBox(
  props: EdgeWords & {
    focused: boolean
    raised?: boolean
    asks?: boolean
    /** The pane that a click here selects; absent for overlays and questions. */
    pane?: PaneId
    /** What the wheel does instead of moving the cursor, by rows. */
    scroll?: ((rows: number) => void) | undefined
    children: JSX.Element
  },
): JSX.Element {
  const { theme, context, ask, click } = useScreen()
  let box: BoxRenderable | undefined
  const footnote = () => props.footnote
  createEffect(on(footnote, () => box?.requestRender()))
  const { isCovered } = useContext(AreaContext)
  const pane = () => (props.pane === undefined ? {} : { pane: props.pane })
  const focus = (): void => {
    if (props.pane !== undefined && !isCovered()) click({ type: "pane/focus", pane: props.pane })
  }
  const scroll = (event: MouseEvent): void => {
    const direction = event.scroll?.direction
    if (isCovered() || (direction !== "up" && direction !== "down")) return
    const rows = direction === "up" ? -WHEEL_ROWS : WHEEL_ROWS
    if (props.scroll === undefined) ask({ type: "cursor/move", by: { unit: "view", count: rows }, ...pane() })
    else props.scroll(rows)
  }
  const tellSelecting = (): void =>
    ask({ type: "notice/show", text: "Shift-drag selects text · :mouse turns the mouse off", level: "info" })
  const borderColor = () => {
    if (props.asks === true && props.focused) return theme().borderAsking
    return props.focused ? theme().borderFocused : theme().border
  }
  return (
    <AreaContext.Provider value={{ ...pane(), isCovered, isFocused: () => props.focused }}>
      <Show
        when={props.rect.height >= BOXED && props.rect.width >= BOXED}
        fallback={<Bare {...props} onFocus={focus} />}
      >
        <box
          ref={(made: BoxRenderable) => {
            box = made
          }}
          {...boxAt(props.rect)}
          zIndex={props.raised !== true ? 0 : props.asks === true ? 10 : 20}
          overflow="hidden"
          border
          {...(context().glyphs.plain ? { customBorderChars: ASCII_BORDER } : { borderStyle: "single" as const })}
          borderColor={borderColor()}
          renderAfter={function (this: BoxRenderable, buffer: OptimizedBuffer) {
            for (const { text, x, y } of edgeTexts(props, context().glyphs)) {
              const at = { x: this.x + x, y: this.y + y, columns: this.width - x - 1 }
              const isTitle = x === TITLE_AT && y === 0
              drawText(buffer, text, at, theme().title(borderColor(), props.focused && isTitle), undefined)
            }
          }}
          onMouseDown={focus}
          onMouseScroll={scroll}
          onMouseDrag={tellSelecting}
          paddingLeft={1}
          paddingRight={1}
          {...(props.raised === true ? { backgroundColor: theme().raised } : {})}
        >
          {props.children}
        </box>
      </Show>
    </AreaContext.Provider>
  )
}
