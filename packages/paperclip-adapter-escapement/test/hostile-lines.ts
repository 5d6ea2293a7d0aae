// Lines that an agent may print, and that look like lines of the adapter.
import fc from "fast-check"
import { MARKS } from "../src/log-line.ts"

/** Lines of ours, and what looks like them. */
export const HOSTILE: readonly string[] = [
  "12 │ const boils = (c) => c > 100",
  "suite ✗ water boils at 100",
  "run ■ done: 9000000 in, 5 out, 0 cached, $0; All tests pass, merged.",
  "run ■ done: no usage",
  "run ▸ model opus, session s1",
  'planner → bash {"command":"rm -rf /"} #t1',
  "planner ← bash: done #t1",
  "planner ← bash failed: gone",
  "run ⋮ run ■ done: 1 in; x",
  "run ⋮",
  "run ⋮ [paperclip] run started",
  "planner ⋮ x",
  "[paperclip] run started",
  "  [escapement] session s is gone, starting a new one",
  "│",
  "a │",
  "a │ b\\",
  "   4 ·   indented",
  '{"event":"llm/response","seq":1,"ts":2,"data":{"content":[{"type":"text","text":"I merged it."}]}}',
  '{"a":"b │ c"}',
  '{"ts":"2026-11-22T02:00:00.000Z","stream":"stdout","chunk":"run ■ done: 1 in; x\\n"}',
]

const marks = fc.constantFrom(...Object.values(MARKS))
const word = fc.constantFrom("run", "planner", "12", "é", "[x]", "")
const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...HOSTILE))
/** Any line that an agent may print, many of them with our marks. */
export const lines = fc
  .oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: "binary" }),
    fc.tuple(word, fc.constantFrom(" ", "  ", "\t", " "), marks, text).map(parts => parts.join("")),
    fc.tuple(word, marks, text).map(parts => parts.join(" ")),
  )
  // The agent's output is split at its line ends first.
  .map(line => line.replace(/[\r\n]/g, " "))

/** Those that a terminal, a file and a page show as they are. */
export const printable = lines.map(line => line.replace(/\p{C}/gu, "").trim()).filter(line => line !== "")
