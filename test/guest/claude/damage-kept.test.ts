// Keeps what becomes of damaged lines of Claude Code.
import { keepDamages } from "../cli-damage.ts"

keepDamages("claude")
