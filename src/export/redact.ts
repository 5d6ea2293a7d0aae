// Takes likely secrets out of texts and of lines of JSON, and counts them. All else stays as it is, byte for byte.
import { changeTexts } from "./json-line.ts"
import { isPlaceholder, isSecretName, mayHoldSecret, type SecretKind, secretsIn } from "./secret.ts"

/** Redacts for one export: it keeps count. */
export class Redactor {
  private readonly counts = new Map<SecretKind, number>()

  /** A text without its likely secrets. */
  text(text: string): string {
    let out = ""
    let kept = 0
    for (const { from, to, kind } of secretsIn(text)) {
      out += text.slice(kept, from) + this.mark(kind)
      kept = to
    }
    return kept === 0 ? text : out + text.slice(kept)
  }

  /** A line of JSON whose texts hold no likely secret, nor those whose key calls them one. What is no JSON is a text. */
  line(line: string): string {
    if (!mayHoldSecret(line)) return line
    const change = (text: string, key: string): string =>
      isSecretName(key) && text !== "" && !isPlaceholder(text) ? this.mark("password") : this.text(text)
    return changeTexts(line, change) ?? this.text(line)
  }

  /** What stands in the place of a secret, which counts as taken out. */
  mark(kind: SecretKind): string {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    return `[redacted ${kind}]`
  }

  /** What was taken out, in words; null where nothing was. */
  words(): string | null {
    const all = [...this.counts.values()].reduce((sum, count) => sum + count, 0)
    if (all === 0) return null
    const parts = [...this.counts].map(([kind, count]) => `${count} ${kind}${count === 1 ? "" : "s"}`)
    return `redacted ${all} likely ${all === 1 ? "secret" : "secrets"}: ${parts.join(", ")}`
  }
}
