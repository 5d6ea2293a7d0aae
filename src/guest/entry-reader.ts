// Reads the entries of a foreign parser as one session, in which a turn begins at each `user` and `init`
// (docs/decisions.md 8.7).
import { GuestSession, type Words } from "./common/guest-session.ts"
import type { CliOutcome, LinePlace, Output } from "./common/output.ts"
import { besideCache, type Tokens, usageWords, wireUsage } from "./common/token-usage.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** A longer block is ended early, UTF-16 units: its text and its lines on the screen are held until its response. */
const MAX_BLOCK_UNITS = 64 * 1024
/** The same for the result of a tool, which comes in pieces. */
const MAX_RESULT_UNITS = 1024 * 1024

type Of<Kind extends TranscriptEntry["kind"]> = Extract<TranscriptEntry, { kind: Kind }>
type Result = Of<"tool_result">
type SaidWords = Of<"assistant" | "thinking">

const isWords = (entry: TranscriptEntry): entry is SaidWords => entry.kind === "assistant" || entry.kind === "thinking"

export class EntryReader {
  /** True if the parser counts cached tokens within the input. */
  isExact = false
  /** How the run ended by its own result, if nothing but lines has followed that. */
  ending: CliOutcome | null = null
  readonly #out: Output
  readonly #session: GuestSession
  readonly #requests = new RequestCount()
  #hasBegun = false
  /** Adjacent words of one kind. Deltas are concatenated; whole entries are separated by line ends. */
  #block: { readonly kind: Words; readonly delta: boolean; units: number; isParagraph: boolean } | null = null
  /** Text that no delta has yet, in pieces, and where it began. */
  #waiting: { readonly kind: Words; readonly place: LinePlace; readonly pieces: string[] } | null = null
  #lastText: string[] = []
  #openResult: { readonly entry: Result; readonly place: LinePlace } | null = null
  /** The session's id in the latest line that has one. */
  #toldSession: string | null = null

  constructor(out: Output, name: string) {
    this.#out = out
    this.#session = new GuestSession(out, name, "run")
  }

  /** Reads an entry of the output's current time and line. */
  entry(entry: TranscriptEntry): void {
    this.#hasBegun = true
    if (entry.kind !== "line") this.ending = null
    const goesOn = entry.kind === "tool_result" && entry.delta && entry.id === this.#openResult?.entry.id
    if (!goesOn) this.#endResult()
    if (isWords(entry)) this.#say(entry)
    else this.#read(entry)
  }

  tell(): void {
    if (this.#waiting === null) return
    const { kind, place, pieces } = this.#waiting
    this.#waiting = null
    // A guest's pieces of text are not tokens: only its results count them.
    this.#out.within(place, () => this.#session.say(kind, pieces.join(""), { tokens: 0 }))
  }

  flush(): void {
    this.#endResult()
    this.#endReply()
  }

  exit(reason: string, failed: boolean): void {
    this.flush()
    if (this.#hasBegun) this.#session.exit(reason, failed)
  }

  #read(entry: Exclude<TranscriptEntry, SaidWords>): void {
    const isPart = entry.kind === "tool_result" && entry.delta && this.#openResult !== null
    if (entry.kind === "result") this.tell()
    else if (!isPart) this.#endReply()
    switch (entry.kind) {
      case "init":
        this.#session.model = entry.model
        this.#startTurn()
        if (entry.sessionId && entry.sessionId !== this.#toldSession)
          this.#session.note("init", `session ${entry.sessionId}`)
        this.#toldSession = entry.sessionId ?? this.#toldSession
        return
      case "user":
        this.#startTurn()
        this.#session.prompt(entry.text)
        return
      case "tool_call":
        this.#session.call(entry.id ?? "", entry.name, entry.input)
        this.#session.reply({ requests: this.#requests.next(true), stop: "tool_use" })
        return
      case "tool_result":
        if (entry.delta) this.#addResult(entry)
        else this.#writeResult(entry)
        return
      case "result":
        this.#endRun(entry)
        return
      case "line":
        this.#session.note(entry.name, entry.text, entry.isError)
        return
      default:
        entry satisfies never
    }
  }

  #startTurn(): void {
    this.#session.ask()
    this.#requests.beginTurn()
  }

  /** An empty line separates text within a block, and doesn't begin one. */
  #say({ kind: told, delta, lines, text: whole }: SaidWords): void {
    const kind = told === "assistant" ? "text" : told
    const text = lines && this.#block?.kind !== kind ? whole.replace(/^\n+/, "") : whole
    if (text === "" && this.#block?.kind !== kind) return
    const isOther = this.#block?.kind === kind && (this.#block.delta !== delta || this.#block.units >= MAX_BLOCK_UNITS)
    if (isOther) this.#endReply()
    const { place } = this.#out
    if (this.#waiting?.kind !== kind || this.#waiting.place.ts !== place.ts) this.tell()
    const last = this.#block?.kind === kind ? this.#block : null
    const isParagraph = !delta && !lines && text.includes("\n")
    const gap = delta || last === null ? "" : last.isParagraph || isParagraph ? "\n\n" : "\n"
    this.#waiting ??= { kind, place, pieces: [] }
    this.#waiting.pieces.push(gap, text)
    if (kind === "text" && last === null) this.#lastText = []
    if (kind === "text") this.#lastText.push(gap, text)
    this.#block = { kind, delta, units: (last?.units ?? 0) + gap.length + text.length, isParagraph }
  }

  #endReply(): void {
    this.tell()
    this.#block = null
    if (this.#session.isSpeaking) this.#session.reply({ requests: this.#requests.next(true) })
  }

  #addResult(entry: Result): void {
    const content = (this.#openResult?.entry.content ?? "") + entry.content
    this.#openResult = { entry: { ...entry, content }, place: this.#out.place }
    if (content.length >= MAX_RESULT_UNITS) this.#endResult()
  }

  #endResult(): void {
    if (this.#openResult === null) return
    const { entry, place } = this.#openResult
    this.#openResult = null
    this.#out.within(place, () => this.#writeResult(entry))
  }

  #writeResult({ id, name, content, isError }: Result): void {
    this.#requests.answer()
    this.#session.result(id, content, isError, { name: name ?? "" })
  }

  /** Writes the response with the usage that the result reports. */
  #endRun(entry: Of<"result">): void {
    const [tokens, apart] = tokensOf(entry, this.isExact)
    // Parsers write 0 for an unknown cost.
    const costUsd = entry.costUsd || null
    const newText = entry.text.trim() === this.#lastText.join("").trim() ? "" : entry.text
    const message = entry.errors.join("\n") || newText || entry.subtype || "the run failed"
    const requests = this.#requests.next(this.#session.isSpeaking)
    const usage = wireUsage(tokens, { summed: this.#requests.sinceResult > 1 })
    this.#requests.endRun()
    this.#block = null
    this.#session.reply({ usage, costUsd, stop: stopReason(entry), requests })
    if (entry.isError) this.#session.error(message)
    const beside = apart && `${apart.toLocaleString("en-US")} cached`
    const figures = [usageWords(tokens, costUsd, null), beside].filter(Boolean).join(" · ")
    this.#session.note("result", [figures, entry.isError ? "" : newText].filter(Boolean).join("\n"))
    this.ending = entry.isError ? { failed: true, message } : { failed: false }
  }
}

/** Says how many requests each response that is written stands for. */
class RequestCount {
  /** True once a part of the current request's reply was written. */
  #isReplied = false
  #isAnswered = false
  #sinceResult = 0

  get sinceResult(): number {
    return this.#sinceResult
  }

  beginTurn(): void {
    this.#isReplied = false
    this.#isAnswered = false
  }

  /** A tool has answered: the next words of the model are of another request. */
  answer(): void {
    this.#isAnswered = true
  }

  /** The requests of a response: 0 if it goes on with the reply before it. */
  next(hasContent: boolean): number {
    const requests = this.#isReplied && !(hasContent && this.#isAnswered) ? 0 : 1
    this.#isReplied = true
    if (hasContent) this.#isAnswered = false
    this.#sinceResult += requests
    return requests
  }

  endRun(): void {
    this.beginTurn()
    this.#sinceResult = 0
  }
}

/**
 * The tokens of a result as far as they are known, and cached ones that may be beside the input. `isExact`: its parser
 * counts them within it. Paperclip's contract doesn't say, and its adapters do both: only more of them than input are
 * surely beside it.
 */
function tokensOf({ input, cached, output }: Of<"result">, isExact: boolean): [tokens: Tokens, apart: number | null] {
  const tokens = { input, cached, written: null, output }
  if (isExact || input === null || cached === null) return [tokens, null]
  return cached > input ? [besideCache(tokens), null] : [{ ...tokens, cached: null }, cached]
}

/** Why the last reply ended, as the run did; null if that says no more than that it went well. */
function stopReason({ subtype, isError }: Of<"result">): string | null {
  return isError || subtype === null || WENT_WELL.has(subtype) ? null : subtype
}

const WENT_WELL: ReadonlySet<string> = new Set(["", "success", "result"])
