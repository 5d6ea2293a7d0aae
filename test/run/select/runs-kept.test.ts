// Keeps all that small runs tell, what recordings with captures, prices, questions and much out of order do, and chance.
import { keepMixed, keepRecordings, keepRuns } from "../kept.ts"

keepRuns("events", /^(report\.(run|invocations|debug|log)\b(?!.*sage)|run: |row |.*passage: |facts)/)
keepRuns("notes", /^(report\b(?!.*sage)|row |run[:.]|question.*(key|answered true)|facts)/)
keepRuns("charges", /^(report.*sage|run.you|session \d+: |facts)/)
keepRuns(
  "edges",
  /^(report\.(run|inv.*s\.\d+|debug)(.usage)?: |run|tail:|find|branch|.*car |facts|session \d+([.:]| bar))/,
)
keepRuns("late", /^(report.*sage|report.run:|session \d+( turn \d+)?[:.])/)
keepRuns("findings", /^(finding|report.run:)/)
keepRuns("figures", /^(report\.(run:|invocations)|session \d+: |session \d+ turn \d+: )/)
keepRuns("tails", /^tail/)
keepRuns("stages", /^(session \d+ (bar|stages|turn \d+ waterfall)|run\.you)/)
keepRuns("causes", / (why|refs|parts)\b/)
keepRuns("branches", /^branch/)
keepRuns("charts", /^chart/)
keepRecordings("frames/odd.jsonl", "recordings/haiku-tournament.jsonl")
keepRecordings("failing-run/transcript.jsonl", "frames/prompts.jsonl")
keepMixed("mixed-1")
keepMixed("mixed-3")
