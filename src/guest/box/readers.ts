// Lists how the events of each CLI in the box are read, beyond what its published parser does.
import type { Reader } from "./boxed-parser.ts"
import type { CliName } from "./names.ts"
import { readClaude } from "./read-claude.ts"
import { readCodex } from "./read-codex.ts"
import { readCursor } from "./read-cursor.ts"
import { readGemini } from "./read-gemini.ts"
import { readGrok } from "./read-grok.ts"
import { readKimi } from "./read-kimi.ts"
import { readOpencode } from "./read-opencode.ts"
import { readPi } from "./read-pi.ts"

/** Makes the reader of one run, by the name of the CLI. */
export const readers: { readonly [name in CliName]: () => Reader } = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  opencode: readOpencode,
  cursor: readCursor,
  pi: readPi,
  grok: readGrok,
  kimi: readKimi,
}
