// Tests which frames the time bar marks.
import { expect, test } from "bun:test"
import { markersIn, markersUpTo, noMarkers, withMarkers } from "../../src/query/timeline-markers.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { event, ids, tell } from "../run/lines.ts"

test("errors, questions and states are marked at their frames, each frame once, also up to a moment and in a span", () => {
  const lines = [
    event(1, "runner/start-config", { config: ["draft"] }),
    event(2, "llm/start", ids),
    event(3, "llm/error", { ...ids, message: "no" }),
    event(4, "human-input/start", { kind: "text", prompt: "Who?", invokeid: "ask" }),
    event(5, "llm/error", { ...ids, message: "no" }),
    event(6, "runner/event-processed", { entered: ["review"], "config-after": ["review"] }),
  ]
  const [half, whole] = [tell(lines.slice(0, 3)), tell(lines)]
  const marks = withMarkers(withMarkers(noMarkers, emptyRun, half), half, whole)
  const told = ({ error, prompt, state }: typeof marks) =>
    [error, prompt, state].map(list => slice(list, 0, list.length))
  expect(told(marks)).toEqual([[3, 5], [4], [1, 6]])
  expect(told(withMarkers(marks, emptyRun, whole))).toEqual(told(marks))
  expect(told(markersUpTo(marks, 4))).toEqual([[3], [4], [1]])
  const spans = ["1 3", "3 5", "3 6", "4 4"].map(span => span.split(" ").map(Number))
  expect(spans.map(([from = 0, to = 0]) => markersIn(marks.error, from, to))).toEqual([0, 1, 2, 0])
})
