// Keeps what events and notes do to a run, and what a recording with much out of order tells.
import { keepRecordings, keepRuns } from "./kept.ts"

keepRuns("events", /^(report\.(run|invocations|debug|log)\b(?!.*sage)|run: |row )/)
keepRuns("notes", /^(report\b(?!.*sage)|row )/)
keepRuns("late", /^(report.*sage|session \d+ turn \d+[:.])/)
keepRuns("findings", /^(finding|report.run:)/)
keepRecordings("frames/odd.jsonl", "recordings/haiku-tournament.jsonl")
