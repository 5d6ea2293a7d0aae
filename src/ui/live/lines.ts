import { sessionTest } from "../../store/filters.ts"
import { isCut } from "../../store/log.ts"
import { isAtWork, type RollUp, rateOf, rollUp, shortTitle, ttftOf } from "../../store/read.ts"
import { sameTarget, shownRows } from "../../store/rows.ts"
import type { Progress, Prompt, Run } from "../../store/run.ts"
import type { Invocation, Session, Stream } from "../../store/session.ts"
import { isOpen } from "../../store/sessions.ts"
import { answerable, isLive, isOver, type State } from "../../store/state.ts"
import type { Target } from "../../store/view.ts"
import { clipSpans, type Hue, type Line, lineWidth, type Span, span, type Token } from "../line.ts"
import { hostOf, retryIn } from "../link.ts"
import { type Look, shimmer } from "../look.ts"
import { clip, clipStart, count, duration, pad, rate, shorten, width } from "../text.ts"
import { wrap } from "../wrap.ts"
import { type Columns, columnsFor } from "./columns.ts"

/** The rows from `top` on: what the pane shows, and no more is made. */
export function liveLines(state: State, look: Look, columns: number, rows: number, top: number): readonly Line[] {
  const { run, view } = state
  const places = columnsFor(columns)
  const shown = shownRows(state).slice(top, top + rows)
  const asking = answerable(state)
  return shown.map(target => {
    const selected = sameTarget(target, view.selected)
    const spans =
      target.type === "group"
        ? groupSpans(run, target, view.folded, asking, look, places)
        : sessionSpans(run, target.session, asking, look, places)
    return selected ? { spans: [span(look.glyphs.bar, "accent"), ...spans.slice(1)], selected } : { spans }
  })
}

/** The names of the columns. */
export function liveHeading(columns: number): Line {
  const places = columnsFor(columns)
  const text =
    pad("   invocation", places.name) +
    pad("model", places.model) +
    pad("tok", places.tokens, "right") +
    pad("tok/s", places.rate, "right") +
    pad("ttft", places.ttft, "right")
  return { spans: [span(text, "dim")] }
}

/** What an empty pane waits for. */
export function liveEmpty(state: State, look: Look, columns: number): readonly Line[] {
  return wrap(emptyWords(state, look), columns - 1).map(text => ({ spans: [span(` ${text}`, "dim")] }))
}

function emptyWords(state: State, look: Look): string {
  const { run, link } = state
  if (run.sessions.length > 0) return "No session passes the filters: f changes them"
  if (link.state === "running") return `Waiting for ${link.command} to say something`
  if (!isLive(state) || isOver(run))
    return run.frames.lines === 0 && link.state === "replaying" ? "Reading the recording" : "No session was seen"
  if (link.state === "connecting") return `Waiting for the agent at ${hostOf(link.url)}`
  if (link.state === "lost") return `Waiting for the agent at ${hostOf(link.url)}, retry in ${retryIn(link, look)} s`
  return "Waiting for the first session"
}

function groupSpans(
  run: Run,
  target: Extract<Target, { type: "group" }>,
  folded: readonly number[],
  asking: readonly Prompt[],
  look: Look,
  places: Columns,
): readonly Span[] {
  const { glyphs } = look
  const invocation = run.invocations[target.invocation]
  if (invocation === undefined) return []
  const sum = rollUp(run, invocation)
  const fold = folded.includes(target.invocation) ? glyphs.folded : glyphs.unfolded
  const hue: Hue = `hue${target.invocation}`
  const name = [
    span(" "),
    span(`${fold} `, "normal"),
    span(invocation.title, hue, { bold: true }),
    ...stale(run, invocation.epoch),
    ...completion(run, sum, invocation, look, places, hue),
  ]
  const extra = [...progressOf(run, invocation, look), ...questionOf(run, invocation, asking, look)]
  return [
    ...fill([...name, ...extra], places.name + places.model, glyphs.ellipsis),
    ...numbers(sum.tokens, sum.rate, sum.streaming > 0 ? "normal" : "dim", places),
    span(pad("", places.ttft)),
  ]
}

/** How much of a group is over: a bar where there is room, and always the count. */
function completion(
  run: Run,
  sum: RollUp,
  invocation: Invocation,
  look: Look,
  places: Columns,
  hue: Hue,
): readonly Span[] {
  const { glyphs } = look
  const total = invocation.sessions.length
  const over = sum.done + sum.error
  const room = places.name + places.model - width(invocation.title) - 14
  // Its own progress says more, and needs the room.
  const busy = run.progress.some(one => one.invokeid === invocation.invokeid)
  const cells = room >= 4 && !busy ? Math.min(8, room) : 0
  const full = Math.round((over / total) * cells)
  const bar =
    cells === 0 ? [] : [span(` ${glyphs.barFull.repeat(full)}`, hue), span(glyphs.barEmpty.repeat(cells - full), "dim")]
  const errors = sum.error > 0 ? [span(` ${glyphs.error}${sum.error}`, "error")] : []
  return [...bar, span(` ${over}/${total}`, "normal"), ...errors]
}

function sessionSpans(
  run: Run,
  index: number,
  asking: readonly Prompt[],
  look: Look,
  places: Columns,
): readonly Span[] {
  const session = run.sessions[index]
  const stream = run.streams[index]
  const invocation = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || invocation === undefined) return []
  const { glyphs } = look
  const alone = invocation.sessions.length === 1
  const hue: Hue = `hue${session.invocation}`
  const asks =
    alone && !isPast(run, session.epoch) && asking.some(prompt => prompt.frame.invokeid === invocation.invokeid)
  const mark = asks
    ? span(glyphs.asks, "warn", { bold: true })
    : isOpen(stream) && !isAtWork(run, index)
      ? span(glyphs.dash, "dim")
      : span(glyphs.status[stream.status], statusToken(stream, hue))
  const indent = alone ? "" : "  "
  const title = alone ? invocation.title : shortTitle(run, invocation, session)
  const room = Math.max(4, places.name - 4 - indent.length)
  const name = span(
    alone ? clip(title, room, glyphs.ellipsis) : clipStart(title, Math.min(room, 26), glyphs.ellipsis),
    hue,
  )
  const aside = [
    ...stale(run, session.epoch),
    ...(session.source === null ? [] : [span(`  ${session.source}`, "accent")]),
    ...remarks(session, stream, isAtWork(run, index), look),
    ...(alone ? progressOf(run, invocation, look) : []),
  ]
  const head = [span(" "), span(indent), mark, span(" "), name, ...aside]
  const named = [...head, ...(alone ? questionOf(run, invocation, asking, look) : [])]
  // A reason is worth more than the model's name where there is no room for both; a question can be read elsewhere.
  const over = aside.length > 0 && lineWidth(head) > places.name - 1
  const model = pad(clip(session.model ?? "", places.model - 2, glyphs.ellipsis), places.model)
  return [
    ...fill(named, over ? places.name + places.model : places.name, glyphs.ellipsis),
    span(over ? "" : model, "dim"),
    ...numbers(stream.tokens, rateOf(stream), stream.status === "streaming" ? "bright" : "normal", places),
    span(places.ttft === 0 ? "" : pad(firstToken(stream, look), places.ttft, "right", ""), "dim"),
  ]
}

function statusToken(stream: Stream, hue: Hue): Token {
  if (stream.status === "error") return "error"
  if (stream.status === "done") return "ok"
  return stream.status === "streaming" ? hue : "normal"
}

function numbers(tokens: number, perSecond: number | null, token: Token, places: Columns): readonly Span[] {
  return [
    span(places.tokens === 0 ? "" : figure(count(tokens), tokens, places.tokens), token),
    span(
      places.rate === 0 ? "" : figure(rate(perSecond), perSecond ?? 0, places.rate),
      perSecond === null ? "dim" : token,
    ),
  ]
}

/** A number at the right of its column, with a space before it whatever its size. */
function figure(words: string, value: number, columns: number): string {
  return pad(shorten(words, value, columns - 1), columns, "right")
}

/** Time to first token; while it is awaited, how long already, and a shimmer. */
function firstToken(stream: Stream, look: Look): string {
  const known = ttftOf(stream)
  if (known !== null) return duration(known)
  if (stream.status !== "waiting" || stream.startTs === null) return look.glyphs.dash
  return `${duration(Math.max(0, look.now - stream.startTs))}${look.glyphs.ellipsis}`
}

/** What is unusual about a session: why it failed, that it retries, that its reply was cut. */
function remarks(session: Session, stream: Stream, atWork: boolean, look: Look): readonly Span[] {
  if (stream.status === "error") return [span(`  ${session.error ?? "error"}`, "error")]
  if (session.retry !== null) {
    const { attempt, max, why } = session.retry
    return [span(`  retry ${attempt ?? "?"}/${max ?? "?"} ${why ?? ""}`, "warn")]
  }
  if (stream.status === "waiting") return atWork ? [span(`  ${shimmer(look)}`, "dim")] : []
  if (isCut(session.stopReason))
    return [
      span(
        `  ${look.glyphs.warning} ${session.stopReason === "refusal" ? "refused" : "cut at the token limit"}`,
        "warn",
      ),
    ]
  if (session.contextUsed !== null)
    return [span(`  ${look.glyphs.warning} context ${Math.round(session.contextUsed * 100)} %`, "warn")]
  return []
}

/** How far the invocation as a whole says it is. */
function progressOf(run: Run, invocation: Invocation, look: Look): readonly Span[] {
  const progress = run.progress.find(one => one.invokeid === invocation.invokeid)
  return progress === undefined ? [] : progressSpans(progress, look)
}

/** The question that the invocation asks. */
function questionOf(run: Run, invocation: Invocation, asking: readonly Prompt[], { glyphs }: Look): readonly Span[] {
  const prompt = isPast(run, invocation.epoch)
    ? undefined
    : asking.find(one => one.frame.invokeid === invocation.invokeid)
  return prompt === undefined
    ? []
    : [span(`  ${glyphs.asks} asks: ${prompt.frame.question.replaceAll("\n", " ")}`, "warn")]
}

function progressSpans(progress: Progress, look: Look): readonly Span[] {
  const { glyphs } = look
  const label = progress.label === null ? "" : ` ${progress.label}`
  if (progress.fraction === null) return [span(`  ${shimmer(look)}${label}`, "accent")]
  const full = Math.round(progress.fraction * 6)
  return [
    span(`  ${glyphs.barFull.repeat(full)}`, "accent"),
    span(glyphs.barEmpty.repeat(6 - full), "dim"),
    span(` ${Math.round(progress.fraction * 100)} %${label}`, "accent"),
  ]
}

/** Panes of an epoch that is over stay, and say so. */
function stale(run: Run, epoch: number): readonly Span[] {
  return isPast(run, epoch) ? [span(" (earlier run)", "dim")] : []
}

function isPast(run: Run, epoch: number): boolean {
  return epoch < run.epochs.length - 1
}

function fill(spans: readonly Span[], columns: number, ellipsis: string): readonly Span[] {
  const cut = clipSpans(spans, columns - 1, ellipsis)
  return [...cut, span(" ".repeat(Math.max(0, columns - lineWidth(cut))))]
}

/** The pane's title: how many groups, how many at work, how many ask. */
export function liveTitle(state: State, sums: { waiting: number; streaming: number; error: number }): string {
  const running = isOver(state.run) ? 0 : sums.waiting + sums.streaming
  const asks = answerable(state).length
  const groups = state.run.invocations.length
  const parts = [
    `${count(groups)} ${groups === 1 ? "invocation" : "invocations"}`,
    ...(running > 0 ? [`${count(running)} running`] : []),
    ...(sums.error > 0 ? [`${count(sums.error)} failed`] : []),
    ...(asks > 0 ? [`${count(asks)} ${asks === 1 ? "asks" : "ask"}`] : []),
  ]
  const filtered = sessionTest(state.view.filters, state.zone) === null ? [] : ["filtered"]
  return `LIVE  ${[...parts, ...filtered].join(" · ")}`
}
