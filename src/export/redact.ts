// Takes likely secrets out of texts and of lines of JSON, and counts them. All else stays as it is, byte for byte.

import { isPlaceholder, isSecretName, mayHoldSecret, type SecretKind, secretsIn } from "./find-secrets.ts"
import { changeTexts } from "./json-text.ts"

/** Redacts for one export: it keeps count. */
export class Redactor {
  /** The secrets themselves: one that stands in many places is one. */
  private readonly found = new Map<SecretKind, Set<string>>()

  /** A text without its likely secrets. */
  text(text: string): string {
    let out = ""
    let kept = 0
    for (const { from, to, kind } of secretsIn(text)) {
      out += text.slice(kept, from) + this.mark(kind, text.slice(from, to))
      kept = to
    }
    return kept === 0 ? text : out + text.slice(kept)
  }

  /** A line of JSON whose texts hold no likely secret, nor those whose key calls them one. What is no JSON is a text. */
  line(line: string): string {
    if (!mayHoldSecret(line)) return line
    const change = (text: string, key: string): string =>
      isSecretName(key) && text !== "" && !isPlaceholder(text) ? this.mark("password", text) : this.text(text)
    return changeTexts(line, change) ?? this.text(line)
  }

  /** What stands in the place of a secret, which counts as taken out. */
  mark(kind: SecretKind, secret: string): string {
    const known = this.found.get(kind) ?? new Set()
    this.found.set(kind, known.add(secret))
    return `[redacted ${kind}]`
  }

  /** What was taken out, in words; null where nothing was. */
  words(): string | null {
    const all = [...this.found.values()].reduce((sum, { size }) => sum + size, 0)
    if (all === 0) return null
    const parts = [...this.found].map(([kind, { size }]) => `${size} ${kind}${size === 1 ? "" : "s"}`)
    return `redacted ${all} likely ${all === 1 ? "secret" : "secrets"}: ${parts.join(", ")}`
  }
}
