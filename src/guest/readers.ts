// Lists the readers of each CLI: one for its output, one for its session file.
import { ClaudeSessionFile } from "./claude/claude-session-file.ts"
import { ClaudeStream } from "./claude/claude-stream.ts"
import type { CliName } from "./cli-names.ts"
import { CodexSessionFile } from "./codex/codex-session-file.ts"
import { CodexStream } from "./codex/codex-stream.ts"
import type { Output } from "./common/output.ts"
import type { MakeReader, Reader, ReaderStart } from "./common/reader.ts"
import { CursorStream } from "./cursor/cursor-stream.ts"
import { GeminiSessionFile } from "./gemini/gemini-session-file.ts"
import { GeminiStream } from "./gemini/gemini-stream.ts"
import { GrokStream } from "./grok/grok-stream.ts"
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

export const makers: { readonly [name in CliName]: Makers } = {
  claude: { stream: make(ClaudeStream), file: make(ClaudeSessionFile) },
  codex: { stream: make(CodexStream), file: make(CodexSessionFile) },
  gemini: { stream: make(GeminiStream), file: make(GeminiSessionFile) },
  opencode: { stream: make(OpencodeStream) },
  cursor: { stream: make(CursorStream) },
  pi: { stream: make(PiStream) },
  grok: { stream: make(GrokStream) },
  kimi: { stream: make(KimiStream), file: make(KimiSessionFile) },
}
