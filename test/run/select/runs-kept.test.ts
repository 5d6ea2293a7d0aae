// Keeps tokens, times, ends and causes of small runs, and what recordings with captures, prices and questions tell.
import { keepMixed, keepRecordings, keepRuns } from "../kept.ts"

keepRuns("figures", /^(report\.(run:|invocations)|session \d+: |session \d+ turn \d+: )/)
keepRuns("tails", /^tail/)
keepRuns("stages", /^(session \d+ (bar|stages|turn \d+ waterfall)|run\.you)/)
keepRuns("causes", / (why|refs|parts)\b/)
keepRecordings("failing-run/transcript.jsonl", "frames/prompts.jsonl")
keepMixed("mixed-3")
