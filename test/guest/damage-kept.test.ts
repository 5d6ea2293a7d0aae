// Keeps what becomes of damaged lines of CLIs.
import { keepDamages } from "./cli-damage.ts"

keepDamages("codex", "gemini", "kimi", "pi")
