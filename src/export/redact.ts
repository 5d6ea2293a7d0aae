// Removes likely secrets from texts and lines of JSON, and counts them. Everything else stays byte for byte.
import { isPlaceholder, isSecretName, mayHoldSecret, type SecretKind, secretsIn } from "./find-secrets.ts"
import { changeTexts } from "./json-text.ts"

/** Redacts one export and counts what it removes. */
export class Redactor {
  /** The secrets found, so that one that occurs many times counts once. */
  private readonly found = new Map<SecretKind, Set<string>>()

  /** Removes likely secrets from a text. */
  text(text: string): string {
    let out = ""
    let kept = 0
    for (const { from, to, kind } of secretsIn(text)) {
      out += text.slice(kept, from) + this.mark(kind, text.slice(from, to))
      kept = to
    }
    return kept === 0 ? text : out + text.slice(kept)
  }

  /**
   * Removes likely secrets from a line of JSON, including every value whose key names a secret. A line that is not JSON
   * is a text.
   */
  line(line: string): string {
    if (!mayHoldSecret(line)) return line
    const change = (text: string, key: string): string =>
      isSecretName(key) && text !== "" && !isPlaceholder(text) ? this.mark("password", text) : this.text(text)
    return changeTexts(line, change) ?? this.text(line)
  }

  /** The mark that replaces a secret. Counts it as removed. */
  mark(kind: SecretKind, secret: string): string {
    const known = this.found.get(kind) ?? new Set()
    this.found.set(kind, known.add(secret))
    return `[redacted ${kind}]`
  }

  /** A summary of what was removed; null if nothing was. */
  words(): string | null {
    const all = [...this.found.values()].reduce((sum, { size }) => sum + size, 0)
    if (all === 0) return null
    const parts = [...this.found].map(([kind, { size }]) => `${size} ${kind}${size === 1 ? "" : "s"}`)
    return `redacted ${all} likely ${all === 1 ? "secret" : "secrets"}: ${parts.join(", ")}`
  }
}
