// Keeps what events and notes do to a run, what replies cost, and what a recording with much out of order tells.
import { keepMixed, keepRecordings, keepRuns } from "./kept.ts"

keepRuns("events", /^(report\.(run|invocations|debug|log)\b(?!.*sage)|run: |row |.*passage: |facts)/)
keepRuns("notes", /^(report\b(?!.*sage)|row |run[:.]|question.*key|facts)/)
keepRuns("charges", /^(report.*sage|run.you|session \d+: |facts)/)
keepRuns(
  "edges",
  /^(report\.(run|inv.*s\.\d+|debug)(.usage)?: |run|tail:|find|branch|.*car |facts|session \d+([.:]| bar))/,
)
keepRuns("late", /^(report.*sage|report.run:|session \d+( turn \d+)?[:.])/)
keepRuns("findings", /^(finding|report.run:)/)
keepRecordings("frames/odd.jsonl", "recordings/haiku-tournament.jsonl")
keepMixed("mixed-1")
