// Keeps what becomes of the lines of the other CLIs, and of the damaged ones of those that have no more than the
// readers share.
import { keepDamages } from "../cli-damage.ts"
import { keepLogs, keepRuns } from "../cli-kept.ts"

keepLogs("codex", "gemini", "kimi", "pi", "cursor", "grok", "opencode")
keepRuns("codex", "gemini", "kimi", "pi", "cursor", "grok", "opencode", "")
keepDamages("cursor", "grok", "opencode")
