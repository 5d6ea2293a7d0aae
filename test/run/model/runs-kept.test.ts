// Keeps what replies cost, which states were visited, and what a recording of nearly everything tells.
import { keepRecordings, keepRuns } from "../kept.ts"

keepRuns("charges", /^(report.*sage|session \d+: )/)
keepRuns("charts", /^chart/)
keepRecordings("frames/tea.jsonl", "frames/debugger.jsonl")
