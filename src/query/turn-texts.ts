// Finds the lines at which the text of a session's turn comes to hold a word.
import type { Block } from "../../packages/wire/src/capture.ts"
import type { DeltaFrame } from "../../packages/wire/src/frame.ts"
import { firstIndex } from "../run/model/binary-search.ts"

/** The last characters of a word that are sought, and the last UTF-16 units of a text that are kept to find them in. */
const LOOKED_FOR = 64
const KEPT = 3 * LOOKED_FOR

export type AddedText = Pick<DeltaFrame, "thinking" | "text" | "seq" | "coalesced">

type SessionTexts = readonly [text: TurnText, thinking: TurnText]

/** Follows the texts of all sessions by the lines of a run, in their order. */
export class TurnTexts {
  readonly #words: readonly RegExp[]
  readonly #sessions = new Map<string, SessionTexts>()
  #latest: { readonly ids: string; readonly texts: SessionTexts } = { ids: "", texts: [new TurnText(), new TurnText()] }
  readonly #untested = new Set<TurnText>()

  /** Each word is sought in any case. Adds to `found`; once `settle` is called, all lines so far are there. */
  constructor(
    words: readonly string[],
    private readonly found: Set<number>,
  ) {
    this.#words = words.map(word => {
      const letters = [...word].slice(-LOOKED_FOR).map(one => one.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"))
      return new RegExp(letters.join(""), "giu")
    })
  }

  /** Takes a delta of the session with these ids. */
  add(ids: string, added: AddedText, line: number): void {
    const text = this.#sessionOf(ids)[added.thinking ? 1 : 0]
    if (text.untested === 0) this.#untested.add(text)
    if (!text.add(added, line)) this.found.add(line)
  }

  /** Takes the start of a turn of a session. */
  start(ids: string, seq: number | null): void {
    for (const text of this.#sessionOf(ids)) {
      text.test(this.#words, this.found)
      text.start(seq)
    }
  }

  /** Takes a reply of a session; without content, it is what was streamed. */
  reply(ids: string, content: readonly Block[] | null, seq: number | null, line: number): void {
    for (const [i, text] of this.#sessionOf(ids).entries()) {
      text.test(this.#words, this.found)
      const said = content?.flatMap(one => (one.type === (i === 0 ? "text" : "thinking") ? [one.text] : []))
      if (text.reply(said?.join("") ?? null, seq, this.#words)) this.found.add(line)
    }
  }

  /** Tests all that was added. */
  settle(): void {
    for (const text of this.#untested) text.test(this.#words, this.found)
    this.#untested.clear()
  }

  #sessionOf(ids: string): SessionTexts {
    // Most deltas come one after the other.
    if (ids === this.#latest.ids) return this.#latest.texts
    let texts = this.#sessions.get(ids)
    if (texts === undefined) {
      texts = [new TurnText(), new TurnText()]
      // As a text of its own: a part of a line would keep in memory all that was read with it.
      this.#sessions.set([...ids].join(""), texts)
    }
    this.#latest = { ids, texts }
    return texts
  }
}

/** The end of a turn's text, where a word may begin that the next delta ends, and the deltas that were not tested. */
class TurnText {
  #text = ""
  #tested = 0
  readonly #lines: number[] = []
  readonly #ends: number[] = []
  /** Whether all of it was seen, and its end before the current reply; null if unseen. */
  #isKnown = false
  #before: string | null = null
  #seq = -1

  /** UTF-16 units that were not tested. */
  get untested(): number {
    return this.#text.length - this.#tested
  }

  /** Returns false if the text after it can't be known. */
  add({ text, seq, coalesced }: AddedText, line: number): boolean {
    this.#text += text
    this.#lines.push(line)
    this.#ends.push(this.#text.length)
    const at = seq ?? this.#seq + 1
    const isKnown = this.#isKnown && at - coalesced >= this.#seq
    this.#isKnown ||= this.#text.length > KEPT
    this.#seq = at
    return isKnown
  }

  start(seq: number | null): void {
    this.#begin("", seq)
    this.#isKnown = true
    this.#before = ""
  }

  /** Takes a reply; null keeps what was streamed. Returns true if the text may hold a word from it on. */
  reply(said: string | null, seq: number | null, words: readonly RegExp[]): boolean {
    const isKnown = this.#isKnown && (said === null || this.#before !== null)
    const all = said === null ? this.#text : (this.#before ?? "") + said
    this.#begin(all, seq)
    this.#isKnown = isKnown || all.length > KEPT
    this.#before = this.#isKnown ? this.#text : null
    return !isKnown || words.some(word => all.search(word) >= 0)
  }

  /** Adds the lines of the deltas that ended a word. */
  test(words: readonly RegExp[], found: Set<number>): void {
    if (this.untested === 0) return
    for (const word of words) {
      // Most texts hold none, which is known sooner than where.
      if (this.#text.search(word) < 0) continue
      for (const { index, 0: whole } of this.#text.matchAll(word)) {
        const end = index + whole.length
        const line = this.#lines[firstIndex(this.#ends.length, one => (this.#ends[one] ?? 0) >= end)]
        if (end > this.#tested && line !== undefined) found.add(line)
      }
    }
    this.#begin(this.#text, this.#seq)
  }

  #begin(text: string, seq: number | null): void {
    this.#text = text.slice(-KEPT)
    this.#tested = this.#text.length
    this.#lines.length = 0
    this.#ends.length = 0
    this.#seq = seq ?? this.#seq + 1
  }
}
