// Keeps what small runs tell of events and notes, costs, ends, late events, faults and waits, and of frames in disorder.
import { keepMixed, keepRecordings, keepRuns } from "./kept.ts"

keepRuns("events", /^(report\.(run|invocations|debug|log)\b(?!.*sage)|run: |facts)/)
keepRuns("notes", /^(report\b(?!.*sage)|run[:.]|question.*(key|answered true)|facts)/)
keepRuns("charges", /^(report.*sage|run.you|session \d+: |facts)/)
keepRuns(
  "edges",
  /^(report\.(run|inv.*s\.\d+|debug)(.usage)?: |run|tail:|find|branch|.*car |facts|session \d+([.:]| bar))/,
)
keepRuns("late", /^(report.*sage|report.run:|session \d+( turn \d+)?[:.])/)
keepRuns("findings", /^(finding|report.run:)/)
keepRuns("stages", /^(session \d+ (bar|stages|turn \d+ waterfall)|run\.you)/)
keepRecordings("frames/odd.jsonl")
keepMixed("mixed-1")
