// Keeps what becomes of the lines of the other CLIs, and of damaged ones of those that only share readers.
import { keepDamages } from "../cli-damage.ts"
import { keepLogs, keepRuns } from "../cli-kept.ts"

keepLogs("codex", "gemini", "kimi", "pi", "cursor", "grok", "opencode")
keepRuns("codex", "gemini", "kimi", "pi", "cursor", "grok", "opencode", "")
keepDamages("cursor", "grok", "opencode")
