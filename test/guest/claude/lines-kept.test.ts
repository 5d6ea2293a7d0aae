// Keeps what becomes of the lines of Claude Code, whole and damaged.
import { keepDamages } from "../cli-damage.ts"
import { keepLogs, keepRuns } from "../cli-kept.ts"

keepLogs("claude")
keepRuns("claude")
keepDamages("claude")
