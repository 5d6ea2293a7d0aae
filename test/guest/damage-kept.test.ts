// Keeps what becomes of runs of CLIs, and of damaged lines of theirs.
import { keepDamages } from "./cli-damage.ts"
import { keepRuns } from "./cli-kept.ts"

keepRuns("codex", "gemini", "kimi", "pi", "cursor", "grok", "opencode")
keepDamages("codex", "gemini", "kimi", "pi", "cursor", "grok", "opencode")
