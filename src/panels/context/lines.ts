// Draws what filled the context: a bar for each turn, and the parts of the one under the cursor, the largest first.
import { derived } from "../../run/model/derived.ts"
import { type ContextLimit, noPrices } from "../../run/model/prices.ts"
import {
  type ContextPart,
  charactersOf,
  contextOf,
  newParts,
  PART_KINDS,
  type PartKind,
  type TurnContext,
  tokensOf,
} from "../../run/select/context.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { blank, type ColorToken, type Line, line, type Span, span, wrapLines, wrapSpans } from "../../ui/line.ts"
import { NO_DIRECTORY } from "../../ui/link-words.ts"
import { clip, count, counted, pad, shorten, width } from "../../ui/text-width.ts"
import { clamp } from "../../view/cursor-step.ts"
import { readSession } from "../../view/select/shown-session.ts"
import type { State } from "../../view/state.ts"
import { listLines, topRow } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"
import { cursors } from "../common/views.ts"
import { contextLength, contextTurn } from "./turns.ts"

/** A smaller place has no blank row and no note, and only the heading of the turns. */
const ROOMY = 14
/** A smaller place has no heading at all. */
const HEADED = 7
/** A narrower one has no column for what was cached. */
const WIDE = 60
const NAME = 12
const FIGURE = 9
const SHARE = 6

/** The turns have a third of the rows at most. */
function turnRows({ rows }: Pick<Place, "rows">, length: number): number {
  return Math.max(1, Math.min(length, Math.floor(rows / 3)))
}

/** Rows for the parts: what the turns, and in a roomy place the headings, blank rows and the note, leave. */
function partRoom({ rows }: Pick<Place, "rows">, length: number): number {
  return Math.max(0, rows - turnRows({ rows }, length) - (rows >= ROOMY ? 8 : 1 + Number(rows >= HEADED)))
}

/** How many parts the turn under the cursor has, and how many of them are seen where they don't fit. */
export function partsSeen(state: State, place: Place): { readonly parts: number; readonly rows: number } {
  const { parts } = turnOf(state, contextTurn(state))
  return { parts: parts?.length ?? 0, rows: Math.max(1, partRoom(place, contextLength(state)) - 1) }
}

function turnOf(state: State, turn: number): TurnContext {
  return contextOf(state, { session: readSession(state), turn })
}

/** The turns that fit, and the tokens that their bars are measured by. Heading and rows need them. */
const turnsSeen = derived<{ readonly shown: readonly TurnContext[]; readonly whole: number }>()

function turnsIn(state: State, { top = 0, rows }: Place) {
  return turnsSeen([state, top, rows], () => {
    const length = Math.max(0, Math.min(rows, contextLength(state) - top))
    const shown = Array.from({ length }, (_, i) => turnOf(state, top + i + 1))
    const whole = Math.max(0, ...shown.map(({ limit, input }) => Math.max(limit?.tokens ?? 0, input ?? 0)))
    return { shown, whole }
  })
}

/** A bar for each turn that fits. */
export function contextLines(state: State, cursor: number, place: Place): readonly Line[] {
  if (contextLength(state) === 0) return [line(span("   no turn yet", "dim"))]
  const { top = 0 } = place
  const { shown, whole } = turnsIn(state, place)
  const all = { length: contextLength(state), at: (index: number) => shown[index - top] }
  return listLines(all, cursor, place, (one, here) => turnSpans(one, here, whole, place))
}

/** The names of the columns, and the tokens at the end of the bars. */
export function contextHeading(state: State, place: Place): readonly Line[] {
  const { columns, rows } = place
  const length = contextLength(state)
  if (rows < HEADED || length === 0) return []
  const top = topRow(contextTurn(state) - 1, turnRows(place, length), length)
  const { shown, whole } = turnsIn(state, { ...place, top, rows: turnRows(place, length) })
  const limit = shown.find(({ limit }) => limit?.tokens === whole)?.limit
  const end = limit ? `limit ${limitFigure(limit)}` : whole === 0 ? "no input was counted" : count(whole)
  const heads =
    pad("  turn", NAME) + pad("in", FIGURE, "right") + (columns < WIDE ? "" : pad("cached", FIGURE, "right"))
  return [line(span(`${heads}  ${pad(end, barColumns(columns) + SHARE, "right")}`, "dim"))]
}

/** The turn under the cursor in figures, by kind and part by part. */
export function contextFoot(state: State, place: Place): readonly Line[] {
  const { columns, rows } = place
  const turn = contextTurn(state)
  if (turn === 0) return []
  const isRoomy = rows >= ROOMY
  const [here, before] = [turnOf(state, turn), turn === 1 ? null : turnOf(state, turn - 1)]
  const head = headSpans(here, before, state.run.options.prices !== noPrices)
  const list = { room: partRoom(place, contextLength(state)), top: cursors.of(state.view).top }
  const lines: readonly Line[] = [
    ...(isRoomy ? [blank, ...wrapSpans(head, columns).map(spans => ({ spans }))] : []),
    ...(here.missing === null ? partLines(here, before, list, place) : missingLines(state, here, columns)),
  ]
  // The turns have the same rows whatever is known of one.
  const length = rows - turnRows(place, contextLength(state)) - Number(rows >= HEADED)
  return Array.from({ length }, (_, i) => lines[i] ?? blank)
}

function barColumns(columns: number): number {
  return Math.max(1, columns - NAME - FIGURE - (columns < WIDE ? 0 : FIGURE) - 2 - SHARE)
}

function percent(part: number, all: number): string {
  const share = (100 * part) / Math.max(1, all)
  return share > 0 && share < 0.5 ? "<1%" : `${Math.round(share)}%`
}

function turnSpans(context: TurnContext, here: boolean, whole: number, { columns, render: { glyphs } }: Place) {
  const { turn, input, cached, limit } = context
  const figure = (words: string | null) => span(pad(words ?? glyphs.dash, FIGURE, "right"), words ? "normal" : "dim")
  return [
    span(pad(`turn ${turn}`, NAME - 2), here ? "bright" : "normal", { bold: here }),
    figure(input === null ? null : shorten(count(input), input, FIGURE - 1)),
    ...(columns < WIDE ? [] : [figure(input === null || !cached ? null : percent(cached, input))]),
    span("  "),
    ...barSpans(context, whole, barColumns(columns), glyphs),
    span(pad(input === null || limit === null ? "" : percent(input, limit.tokens), SHARE, "right"), "bright"),
  ]
}

/** A limit that follows from a share is as exact as the share. */
function limitFigure({ tokens, by }: ContextLimit): string {
  return `${by === "share" ? "~" : ""}${count(tokens)}`
}

/** What was counted of a turn: nothing here is an estimate but a limit that follows from a share. */
function headSpans(
  { turn, input, cached, first, requests, limit }: TurnContext,
  before: TurnContext | null,
  hasPrices: boolean,
): readonly Span[] {
  const grown = input === null || before === null || before.input === null ? null : input - before.input
  const words = [
    input === null ? "its input was not counted" : `${count(input)} in`,
    ...(requests > 1 ? [`the last of ${requests} requests${first === null ? "" : `, the first ${count(first)}`}`] : []),
    ...(grown === null ? [] : [`${grown < 0 ? "-" : "+"}${count(Math.abs(grown))} since turn ${turn - 1}`]),
    limit === null
      ? `limit unknown${hasPrices ? "" : " (needs --prices FILE)"}`
      : `${limit.by === "prices" ? "" : "the agent's "}limit ${limitFigure(limit)}`,
    ...(input === null || !cached ? [] : [`${count(cached)} cached`]),
  ]
  return [span(`turn ${turn}  `, "bright", { bold: true }), span(words.join("  ·  "))]
}

function missingLines({ directory }: State, { missing }: TurnContext, columns: number): readonly Line[] {
  const unread = directory === null ? NO_DIRECTORY : directory.error
  const reason = missing?.ref === null ? "no event of it names a capture" : (missing?.why ?? unread)
  if (reason === null) return wrapLines("the capture of its request is being read", columns, "dim")
  const words = "Can't tell what filled it: the request isn't available"
  return [...wrapLines(words, columns, "warn"), ...wrapLines(reason, columns, "dim")]
}

/** Each kind, then the largest parts from `top` on that fit in so many rows, and the rest together. */
function partLines(
  here: TurnContext,
  before: TurnContext | null,
  { room, top: wanted }: { readonly room: number; readonly top: number },
  place: Place,
): readonly Line[] {
  const { columns } = place
  const isRoomy = place.rows >= ROOMY
  const fresh = newParts(here, before)
  const parts = (here.parts ?? []).toSorted((a, b) => b.characters - a.characters)
  const top = clamp(wanted, 0, Math.max(0, parts.length - room))
  const isCut = parts.length - top > room
  const drawn = parts.slice(top, top + Math.max(0, isCut ? room - 1 : room))
  const rest = parts.slice(top + drawn.length)
  const heading = top === 0 ? "largest parts" : `parts from ${top + 1} on`
  const last = fresh === null ? "" : "new"
  const more = [`and ${count(rest.length)} more`, "", ...figuresOf(here, charactersOf(rest))]
  return [
    ...wrapSpans(kindSpans(here), columns).flatMap((spans, row) => (row === 0 || isRoomy ? [{ spans }] : [])),
    ...(isRoomy ? [blank, line(span("   "), ...partSpans([heading, "", "tokens", "share", last], place))] : []),
    ...drawn.map(part => drawnPart(part, here, fresh?.includes(part) === true, place)),
    ...(isCut ? [line(span("   "), ...partSpans(more, place))] : []),
    ...(isRoomy ? noteLines(here, before, fresh, columns) : []),
  ]
}

function noteLines(
  here: TurnContext,
  before: TurnContext | null,
  fresh: readonly ContextPart[] | null,
  columns: number,
): readonly Line[] {
  const tokens = fresh === null ? null : tokensOf(here, charactersOf(fresh))
  const since = `new since turn ${before?.turn ?? 0}`
  const parts = `${fresh?.length === 0 ? "nothing" : counted(fresh?.length ?? 0, "part")} ${since}`
  const notes = [
    ...(fresh === null ? [] : [tokens === null || fresh.length === 0 ? parts : `${parts}: ~${count(tokens)}`]),
    "a small letter: cached",
    "~ is an estimate: a part's share of the characters",
    ...(here.requests > 1 ? ["of the turn's first request"] : []),
  ]
  return [blank, ...wrapLines(notes.join("  ·  "), columns, "dim")]
}

function kindSpans(here: TurnContext): readonly Span[] {
  const sizes = PART_KINDS.map(kind => {
    const own = (here.parts ?? []).filter(part => part.kind === kind)
    return { kind, characters: charactersOf(own) }
  })
  const largest = sizes.filter(({ characters }) => characters > 0).toSorted((a, b) => b.characters - a.characters)
  return largest.flatMap(({ kind, characters }) => {
    const [tokens, share] = figuresOf(here, characters)
    const { name, token } = KINDS[kind]
    return [span(`${kindLetter(kind).toUpperCase()} `, token, { bold: true }), span(`${name} ${tokens || share}   `)]
  })
}

function figuresOf(here: TurnContext, characters: number): readonly [tokens: string, share: string] {
  const tokens = tokensOf(here, characters)
  return [tokens === null ? "" : `~${shorten(count(tokens), tokens, FIGURE - 2)}`, percent(characters, here.characters)]
}

function drawnPart(part: ContextPart, here: TurnContext, isNew: boolean, place: Place): Line {
  const cells = [part.begin === part.name ? "" : part.begin, ...figuresOf(here, part.characters), isNew ? "new" : ""]
  const letter = span(` ${kindLetter(part.kind).toUpperCase()} `, KINDS[part.kind].token, { bold: true })
  return { spans: [letter, ...partSpans([part.name, ...cells], place, "normal")] }
}

/** A name and how it begins, and its figures at the right end. */
function partSpans(cells: readonly string[], place: Place, token: "dim" | "normal" = "dim"): readonly Span[] {
  const [name = "", begin = "", tokens = "", share = "", last = ""] = cells
  const { ellipsis } = place.render.glyphs
  const right = pad(tokens, FIGURE, "right") + pad(share, SHARE, "right") + pad(last, SHARE, "right")
  const room = Math.max(1, place.columns - right.length - 3)
  const head = clip(name, room, ellipsis)
  const left = width(head)
  const aside = begin === "" ? "" : clip(`  ${begin}`, Math.max(0, room - left - 1), ellipsis)
  return [span(head, token), span(pad(aside, Math.max(0, room - left)), "dim"), span(right, token)]
}

const KINDS: { readonly [kind in PartKind]: { readonly name: string; readonly token: ColorToken } } = {
  system: { name: "system", token: "hue0" },
  tools: { name: "definitions", token: "hue1" },
  message: { name: "messages", token: "hue2" },
  result: { name: "results", token: "hue3" },
  thinking: { name: "thinking", token: "hue4" },
}

function kindLetter(kind: PartKind): string {
  return KINDS[kind].name[0] ?? ""
}

/** The bar of a turn in so many columns, which stand for `whole` tokens; what is left of them is dotted. */
function barSpans(context: TurnContext, whole: number, columns: number, { dot }: Glyphs): readonly Span[] {
  const { input, cached, first, parts } = context
  if (input === null || whole === 0) return [span(" ".repeat(columns))]
  const filled = Math.min(columns, Math.max(1, Math.round((columns * input) / whole)))
  const fromCache = Math.round((filled * (cached ?? 0)) / Math.max(1, input))
  // What the requests after the first added is not captured.
  const known = Math.min(filled, Math.round((filled * (first ?? input)) / Math.max(1, input)))
  const kinds = parts === null || context.characters === 0 ? [] : kindsOf(parts, context.characters, known)
  const spans: Span[] = []
  for (let column = 0; column < filled; column++) {
    const kind = kinds[column]
    const letter = kind === undefined ? "?" : kindLetter(kind)
    const isCached = column < fromCache
    const token = kind === undefined ? "dim" : KINDS[kind].token
    spans.push(span(isCached ? letter : letter.toUpperCase(), token, { bold: !isCached }))
  }
  return [...spans, span(dot.repeat(columns - filled), "dim")]
}

/** The kind of the part that lies in the middle of each column. */
function kindsOf(parts: readonly ContextPart[], characters: number, columns: number): readonly PartKind[] {
  const kinds: PartKind[] = []
  let end = 0
  for (const { kind, characters: own } of parts) {
    end += own
    while ((kinds.length + 0.5) * characters <= end * columns) kinds.push(kind)
  }
  return kinds
}
