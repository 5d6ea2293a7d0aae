// Reads the lines of an agent CLI with the reader of ours for it, whichever of its two envelopes they come in.
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { ClaudeSessionFile } from "./claude/claude-session-file.ts"
import { ClaudeStream } from "./claude/claude-stream.ts"
import { type CliName, isSessionFile, loginOf } from "./cli-names.ts"
import { CodexSessionFile } from "./codex/codex-session-file.ts"
import { CodexStream } from "./codex/codex-stream.ts"
import { textOf } from "./common/fields.ts"
import type { CliOutcome, Output } from "./common/output.ts"
import { PrintedLines } from "./common/printed-lines.ts"
import type { LateStart, MakeReader, Reader, ReaderStart } from "./common/reader.ts"
import { AGENT } from "./common/subagent.ts"
import { CursorStream } from "./cursor/cursor-stream.ts"
import { GeminiSessionFile } from "./gemini/gemini-session-file.ts"
import { GeminiStream } from "./gemini/gemini-stream.ts"
import { GrokStream } from "./grok/grok-stream.ts"
import type { TimedLine } from "./guest-parser.ts"
import { KimiSessionFile } from "./kimi/kimi-session-file.ts"
import { KimiStream } from "./kimi/kimi-stream.ts"
import { OpencodeStream } from "./opencode/opencode-stream.ts"
import { PiStream } from "./pi/pi-stream.ts"

interface Makers {
  readonly stream: MakeReader
  /** Absent for a CLI whose session file we don't read. */
  readonly file?: MakeReader
}

type ReaderClass = new (out: Output, known: ReaderStart) => Reader

const make =
  (Made: ReaderClass): MakeReader =>
  (out, known) =>
    new Made(out, known)

const makers: { readonly [name in CliName]: Makers } = {
  claude: { stream: make(ClaudeStream), file: make(ClaudeSessionFile) },
  codex: { stream: make(CodexStream), file: make(CodexSessionFile) },
  gemini: { stream: make(GeminiStream), file: make(GeminiSessionFile) },
  opencode: { stream: make(OpencodeStream) },
  cursor: { stream: make(CursorStream) },
  pi: { stream: make(PiStream) },
  grok: { stream: make(GrokStream) },
  kimi: { stream: make(KimiStream), file: make(KimiSessionFile) },
}

export class CliLines {
  readonly #lines: PrintedLines
  readonly #unknown = new Set<string>()
  #reader: Reader | null = null
  /** The readers of subagents' own files, by the keys of their lines. */
  readonly #agents = new Map<string, Reader>()

  /** `showsUnknown`: every line of an unknown kind makes a row, not only the first. */
  constructor(
    private readonly out: Output,
    private readonly cli: CliName,
    private readonly known: ReaderStart,
    private readonly showsUnknown: boolean,
  ) {
    this.#lines = new PrintedLines(out)
  }

  get late(): LateStart | null {
    return this.#reader?.late ?? null
  }

  get lastError(): string | null {
    return this.#lines.lastError
  }

  get hasRead(): boolean {
    return this.#reader !== null
  }

  /** How the CLI says that the run ended. A failed login says how to log in. */
  get ending(): CliOutcome | null {
    const ending = this.#reader?.ending ?? null
    if (ending === null || !ending.failed || !LOGIN.test(ending.message)) return ending
    return { failed: true, message: `${ending.message} (${loginOf(this.cli)})` }
  }

  get failure(): string | null {
    return this.ending?.failed === true ? this.ending.message : null
  }

  read({ stream, text, ts, line }: TimedLine): void {
    this.out.begin(ts, line ?? null)
    const value = this.#lines.objectIn(stream, text)
    if (value === null) return
    const kind = AGENT in value ? this.#readAgent(value) : this.#mainReader(value).read(value)
    if (kind !== null) this.#tellUnknown(kind, text.trim())
  }

  pause(): void {
    for (const reader of this.#all()) reader.pause()
  }

  end(reason: string, failed: boolean, ts: number): void {
    this.out.begin(ts, null)
    this.pause()
    for (const reader of this.#all()) reader.exit(reason, failed)
  }

  #all(): readonly Reader[] {
    return [...this.#agents.values(), ...(this.#reader === null ? [] : [this.#reader])]
  }

  #mainReader(first: JsonObject): Reader {
    const { stream, file = stream } = makers[this.cli]
    this.#reader ??= (isSessionFile(this.cli, first) ? file : stream)(this.out, this.known)
    return this.#reader
  }

  /** A line of a subagent's own file. The first line describes the subagent. */
  #readAgent(line: JsonObject): string | null {
    const id = textOf(line[AGENT])
    const reader = this.#agents.get(id)
    if (reader !== undefined) {
      const wasOver = reader.ending !== null
      const kind = reader.read(line)
      if (reader.ending !== null && !wasOver) reader.exit(...reasonOf(reader.ending))
      return kind
    }
    this.out.at(line.timestamp)
    const { stream, file = stream } = makers[this.cli]
    const parent = this.#agents.get(textOf(line.parent)) ?? this.#reader
    const facts = { id, type: textOf(line.agentType), description: textOf(line.description) }
    const agent = { ...facts, parent: parent?.owner ?? null }
    this.#agents.set(id, file(this.out, { session: null, prompt: null, agent }))
    return null
  }

  #tellUnknown(kind: string, line: string): void {
    if (!this.showsUnknown && this.#unknown.has(kind)) return
    this.#unknown.add(kind)
    const text = this.showsUnknown ? `${kind}: ${line.slice(0, 4096)}` : `${kind} (not read; --debug-unknown shows it)`
    this.out.ofRun("adapter/unknown", { text: sanitizeLine(text) })
  }
}

function reasonOf(ending: CliOutcome): [reason: string, failed: boolean] {
  return ending.failed ? [ending.message, true] : ["completed", false]
}

const LOGIN = /\b401\b|\b403\b|log ?in|authenticat|unauthori[sz]ed|api.?key/i
