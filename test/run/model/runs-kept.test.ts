// Keeps which states were visited, and what a recording of nearly everything tells.
import { keepMixed, keepRecordings, keepRuns } from "../kept.ts"

keepRuns("charts", /^(chart|facts)/)
keepRuns("branches", /^branch/)
keepRecordings("frames/tea.jsonl", "frames/debugger.jsonl")
keepMixed("mixed-2")
