// Removes likely secrets from texts and lines of JSON, and counts them. Everything else stays byte for byte.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { counted } from "../ui/text-width.ts"
import { isSecretValue, mayHoldSecret, type SecretKind, secretsIn } from "./find-secrets.ts"
import { changeTexts } from "./json-text.ts"

/** Redacts one export and counts what it removes. */
export class Redactor {
  /** The secrets found, so that one that occurs many times counts once. */
  private readonly found = new Map<SecretKind, Set<string>>()

  text(text: string): string {
    let out = ""
    let kept = 0
    for (const { from, to, kind } of secretsIn(text)) {
      out += text.slice(kept, from) + this.mark(kind, text.slice(from, to))
      kept = to
    }
    return kept === 0 ? text : out + text.slice(kept)
  }

  /** Removes likely secrets from a line, and, if it is JSON, every value whose key names one. */
  line(line: string): string {
    // JSON may escape the characters that hint at a secret, as in `:\/\/` and `\u0026`.
    if (!mayHoldSecret(line) && !/\\[u/]/.test(line)) return line
    const change = (text: string, key: string): string =>
      isSecretValue(key, text) ? this.mark("password", text) : this.text(text)
    return changeTexts(line, change) ?? this.text(line)
  }

  mark(kind: SecretKind, secret: string): string {
    const known = this.found.get(kind) ?? new Set()
    this.found.set(kind, known.add(secret))
    return `[redacted ${kind}]`
  }

  /** A summary of the removed secrets; null if there were none. */
  words(): string | null {
    const all = [...this.found.values()].reduce((sum, { size }) => sum + size, 0)
    if (all === 0) return null
    const parts = [...this.found].map(([kind, { size }]) => counted(size, kind))
    return `redacted ${counted(all, "likely secret")}: ${parts.join(", ")}`
  }
}

/** Maximum number of lines and UTF-16 units held back. Beyond these, half of the lines are released. */
const HELD_LINES = 8192
const HELD_UNITS = 16 * 1024 * 1024

interface Held {
  line: string
  /** The sanitized text of a delta and the reply it belongs to; null for any other line. */
  piece: { readonly of: string; text: string } | null
}

/** Redacts lines of a recording, in which deltas may split a secret. Returns them in order, thousands later. */
export class SplitSecrets {
  private held: Held[] = []
  private units = 0
  /** Number of replies each session has begun, since a text does not continue in the next turn. */
  private readonly turns = new Map<string, number>()

  constructor(private readonly redactor: Redactor) {}

  /** Adds a line. Returns the lines that need not be held back any longer. */
  push(line: string, frame: Decoded): readonly string[] {
    this.held.push({ line, piece: this.pieceOf(frame) })
    this.units += line.length
    return this.held.length > HELD_LINES || this.units > HELD_UNITS ? this.release(this.held.length >> 1) : []
  }

  end(): readonly string[] {
    return this.release(this.held.length)
  }

  private pieceOf(frame: Decoded): Held["piece"] {
    if (frame.kind !== "delta" && frame.kind !== "event") return null
    const session = `${frame.invokeid}\n${frame.sessionId}`
    const turn = this.turns.get(session) ?? 0
    if (frame.kind === "event") {
      if (frame.body.type === "llm/start" || frame.body.type === "llm/response") this.turns.set(session, turn + 1)
      return null
    }
    return { of: `${session}\n${turn}\n${frame.thinking}`, text: frame.text }
  }

  private release(count: number): readonly string[] {
    const texts = Map.groupBy(
      this.held.filter(one => one.piece !== null),
      one => one.piece?.of ?? "",
    )
    for (const pieces of texts.values()) this.redact(pieces)
    const out = this.held.slice(0, count).map(({ line }) => this.redactor.line(line))
    this.held = this.held.slice(count)
    this.units = this.held.reduce((sum, { line }) => sum + line.length, 0)
    return out
  }

  /** Removes the secrets of a text from its pieces; the first piece of a secret gets the mark. */
  private redact(pieces: readonly Held[]): void {
    const whole = pieces.map(one => one.piece?.text ?? "").join("")
    const secrets = secretsIn(whole)
    if (secrets.length === 0) return
    let start = 0
    for (const held of pieces) {
      const text = held.piece?.text ?? ""
      const end = start + text.length
      let left = ""
      let kept = start
      for (const { from, to, kind } of secrets) {
        if (to <= start || from >= end) continue
        if (from >= start) left += whole.slice(kept, from) + this.redactor.mark(kind, whole.slice(from, to))
        kept = Math.min(to, end)
      }
      if (kept > start || left !== "") replaceText(held, left + whole.slice(kept, end))
      start = end
    }
  }
}

function replaceText(held: Held, text: string): void {
  const { line, piece } = held
  if (piece === null) return
  held.line = changeTexts(line, (old, key) => (key === "text" && sanitize(old) === piece.text ? text : old)) ?? line
  held.piece = { of: piece.of, text }
}
