// Keeps tokens and times of small runs, and what recordings with captures, prices and questions tell.
import { keepMixed, keepRecordings, keepRuns } from "../kept.ts"

keepRuns("figures", /^(report\.(run:|invocations)|session \d+: |session \d+ turn \d+: )/)
keepRecordings("failing-run/transcript.jsonl", "frames/prompts.jsonl")
keepMixed("mixed-3")
