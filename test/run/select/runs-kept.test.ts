// Keeps what small runs tell in the words and figures of their readers, recordings with captures, prices and questions.
import { keepMixed, keepRecordings, keepRuns } from "../kept.ts"

keepRuns("events", /^(row |.*passage: )/)
keepRuns("notes", /^row /)
keepRuns("figures", /^(report\.(run:|invocations)|session \d+( turn \d+)?(\.\w+)?: |spent)/)
keepRuns("tails", /^tail/)
keepRuns("causes", / (why|refs|parts)\b/)
keepRuns("branches", /^branch/)
keepRuns("charts", /^chart/)
keepRecordings("recordings/haiku-tournament.jsonl", "failing-run/transcript.jsonl", "frames/prompts.jsonl")
keepMixed("mixed-3")
