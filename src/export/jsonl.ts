// Writes lines of a recording as they were, so that they replay to the same run.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { escapeJson } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { type Redactor, SplitSecrets } from "./redact.ts"

/** A line of a recording, without its line end, and its decoded frame. */
export interface ReadLine {
  readonly text: string
  readonly frame: Decoded
  /** The file ends with it: it has no line end. */
  readonly last: boolean
}

/** Takes lines in batches and returns the text to write. */
export class JsonLines {
  private readonly secrets: SplitSecrets | null
  private readonly shown: boolean
  private ended = true

  /** A null `redactor` keeps every byte. `shown` escapes control characters, for a terminal. */
  constructor({ redactor, shown }: { readonly redactor: Redactor | null; readonly shown: boolean }) {
    this.secrets = redactor === null ? null : new SplitSecrets(redactor)
    this.shown = shown
  }

  push(lines: readonly ReadLine[]): string {
    if (lines.at(-1)?.last === true) this.ended = false
    const out = lines.flatMap(({ text, frame }) => {
      const kept = this.shown && frame.kind === "malformed" ? sanitizeLine(text) : text
      return this.secrets === null ? [kept] : this.secrets.push(kept, frame)
    })
    return this.joined(out, this.secrets === null)
  }

  end(): string {
    return this.joined(this.secrets?.end() ?? [], true)
  }

  /** The last line has no line end if it had none. */
  private joined(lines: readonly string[], isAll: boolean): string {
    if (lines.length === 0) return ""
    const text = lines.join("\n") + (isAll && !this.ended ? "" : "\n")
    return this.shown ? escapeJson(text) : text
  }
}
