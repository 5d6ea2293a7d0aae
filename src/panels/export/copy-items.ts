// Lists the texts that can be copied at the cursor. All but paths are safe to show.
import { stringifySafe } from "../../../packages/wire/src/json.ts"
import { streamedPieces } from "../../run/fold-delta.ts"
import { entryIndex, rowIndex } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { at, slice } from "../../run/model/chunked-list.ts"
import type { RowId } from "../../run/model/id.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { eventTexts } from "../../run/select/event-texts.ts"
import { turnTextOf, usageOf } from "../../run/select/figures.ts"
import { eventPassages } from "../../run/select/passages.ts"
import { sessionReport } from "../../run/select/report.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { textsInMemory, turnEntries } from "../../run/select/run-texts.ts"
import { lastRowId, momentRows, shownFrom } from "../../view/select/log-rows.ts"
import { readText, shownSession } from "../../view/select/shown-session.ts"
import { overlayInFront } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { pageOf } from "../common/pager/update.ts"

/** A text to copy, made only when it is copied: it may be long. */
export interface CopyItem {
  readonly what: string
  readonly text: () => string
  /** The true path of a file, whatever characters it has. */
  readonly isPath?: boolean
}

/** The most rows of the log that are copied, the latest of those that pass its filters. */
const ROWS = 5000

/** The texts to copy, the nearest to the cursor first; the last is the whole panel in front. */
export function copiesOf(state: State): readonly CopyItem[] {
  const { run, view } = state
  const page = pageOf(state)
  if (page !== null) {
    if (page.type === "entry") return ofRow(state, page.id)
    if (page.type === "file") return ofFile(state, page.name)
    const prompt = page.type === "prompt" ? run.prompts.find(one => one.key === page.key) : undefined
    if (prompt === undefined) return []
    return [
      { what: "question", text: () => prompt.frame.question },
      { what: "JSON", text: () => stringifySafe(prompt.frame.opts, 2) },
    ]
  }
  const front = overlayInFront(view)
  if (front === undefined && view.focus === "log") {
    const id = view.log.cursor ?? lastRowId(run)
    if (id === null) return []
    const shown = () => shownFrom(state, momentRows(state) - 1, ROWS, -1).toReversed()
    const all = () => shown().map(index => line(run, at(run.log.rows, index)))
    return [...ofRow(state, id), { what: "the log", text: () => all().join("\n") }]
  }
  if (front !== undefined) return []
  if (view.focus === "text") return ofTranscript(state)
  const index = shownSession(state)
  return index === null ? [] : ofSession(state, index)
}

function ofTranscript(state: State): readonly CopyItem[] {
  const session = shownSession(state)
  return session === null ? [] : [...ofBlock(state, session), ...ofSession(state, session)]
}

function ofRow(state: State, id: RowId): readonly CopyItem[] {
  const row = recalledRowAt(state, rowIndex(state.present, id))
  if (row === undefined) return []
  const { what } = row
  const texts = what.kind === "event" ? eventTexts(what) : []
  const ref = what.kind === "event" ? what.data["io/ref"] : undefined
  const path = typeof ref === "string" ? [pathItem("path of the capture", pathOf(state, ref))] : []
  return [
    { what: "row", text: () => line(state.run, row) },
    ...texts.slice(0, 8).map(one => ({ what: one.what, text: () => one.text })),
    ...path,
    { what: "JSON", text: () => stringifySafe(what.kind === "event" ? what.data : what, 2) },
  ]
}

function line(run: Run, row: Row | undefined): string {
  if (row === undefined) return ""
  const { source, what, text } = rowWords(run, row)
  return [source, what, text].filter(Boolean).join("  ")
}

function ofSession(state: State, index: number): readonly CopyItem[] {
  const { run, directory, captures } = state
  const session = run.sessions[index]
  const stream = run.turnBuffers[index]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || group === undefined) return []
  const reply = () => turnTextOf(session, stream).text
  const row = [
    group.title,
    session.title,
    stream.turn.status,
    stream.turn.model ?? "",
    `${usageOf(session, stream).output ?? 0} tok`,
  ]
  const path = directory === null ? [] : [pathItem("path of the session directory", directory.path)]
  return [
    ...(reply() === "" ? [] : [{ what: "reply", text: reply }]),
    { what: "row", text: () => row.filter(Boolean).join("  ") },
    { what: "session id", text: () => session.title },
    { what: "JSON", text: () => stringifySafe(sessionReport({ run, captures }, index)[0], 2) },
    ...path,
    { what: "the transcript", text: () => transcriptOf(state, index) },
  ]
}

function ofFile(state: State, name: string): readonly CopyItem[] {
  const text = state.files.open?.text ?? null
  if (text === null) return []
  return [pathItem("path", pathOf(state, name)), { what: "the file", text: () => text }]
}

/** The block under the cursor of a transcript. */
function ofBlock(state: State, index: number): readonly CopyItem[] {
  const key = readText(state).at?.block ?? ""
  const session = state.run.sessions[index]
  const first = session === undefined ? null : entryIndex(session.entries, key)
  if (session === undefined || first === null) return []
  const [, , passage = 0] = key.split(".").map(Number)
  const entry = at(session.entries, first)
  const own = entry === undefined ? [] : turnEntries(textsInMemory(state.run), { session: index, turn: entry.turn })
  const event = eventPassages(own, state.captures).find(one => entry !== undefined && one.entries.includes(entry))
  const block = event?.passages[passage]
  return block === undefined ? [] : [{ what: `block: ${block.name ?? block.type}`, text: () => block.text }]
}

/** All that a session said, as plain text: each block below the name of who said it. */
function transcriptOf(state: State, index: number): string {
  const session = state.run.sessions[index]
  const stream = state.run.turnBuffers[index]
  if (session === undefined || stream === undefined) return ""
  const events = eventPassages(slice(session.entries, 0, session.entries.length), state.captures)
  const passages = events.flatMap(event => event.passages)
  const blocks = passages.map(({ type, name, text }) => `${name === null ? type : `${type}: ${name}`}\n${text}`)
  const now = streamedPieces(stream)
    .map(piece => piece.text)
    .join("")
  return [...blocks, ...(now === "" ? [] : [`now\n${now}`])].join("\n\n")
}

/** Where a capture lies, as far as that is known. */
function pathOf({ directory }: State, ref: string): string {
  return directory === null ? ref : `${directory.path}/${ref}`
}

function pathItem(what: string, path: string): CopyItem {
  return { what, text: () => path, isPath: true }
}
