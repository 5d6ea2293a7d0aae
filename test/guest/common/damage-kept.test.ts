// Keeps what becomes of damaged lines of CLIs that have no more than the readers share.
import { keepDamages } from "../cli-damage.ts"

keepDamages("cursor", "grok", "opencode")
