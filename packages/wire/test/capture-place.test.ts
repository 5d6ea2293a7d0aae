// Tests where a session's turns are captured, by its own events.
import { expect, test } from "bun:test"
import { rowWords } from "../../../src/run/select/row-words.ts"
import { event, ids, line, rowsOf, tell } from "../../../test/run/lines.ts"
import { isSameCapturePlace } from "../src/capture-place.ts"

const placeAfter = (...lines: Parameters<typeof tell>[0]) => tell(lines).sessions[0]?.capturePlace

test("a session's capture place is read from a request's io/ref, the latest turn's", () => {
  const first = event(1, "llm/request", { ...ids, "io/ref": "nodes/planning/0/turns/0/request.edn" })
  const second = event(2, "llm/request", { ...ids, "io/ref": "nodes/planning/2/turns/13/request.edn" })
  expect(placeAfter(first)).toEqual({ nodeId: ":planning", visit: 0, turn: 0 })
  expect(placeAfter(first, second)).toEqual({ nodeId: ":planning", visit: 2, turn: 13 })
  expect(placeAfter(first, event(2, "llm/start", ids))).toEqual({ nodeId: ":planning", visit: 0, turn: 0 })
})

test("a session's capture place is read from a transcript row before its io/ref", () => {
  const row = line({
    seq: 1,
    ts: 1,
    event: "llm/request",
    data: { ...ids, "io/ref": "nodes/other/0/turns/0/request.edn" },
    "transcript/node-id": "plan/a",
    "transcript/visit": 1,
    "transcript/turn": 3,
  })
  expect(placeAfter(row)).toEqual({ nodeId: ":plan/a", visit: 1, turn: 3 })
})

test("a session's capture place is unknown for an io/ref of another shape", () => {
  for (const ref of ["", "nodes/a/turns/0/x", "nodes/a/x/turns/0/y", "somewhere/nodes/a/0/turns/0/y", 7, null]) {
    expect(placeAfter(event(1, "llm/request", { ...ids, "io/ref": ref }))).toBeNull()
  }
  const slashes = event(1, "llm/request", { ...ids, "io/ref": "nodes/a/b/4/turns/1/request.edn" })
  expect(placeAfter(slashes)).toEqual({ nodeId: ":a/b", visit: 4, turn: 1 })
})

test("a session's capture place is as the request tells it, whatever its folder is called", () => {
  const ref = "nodes/a_b/2/turns/0/request.edn"
  const request = event(1, "llm/request", { ...ids, "node-id": ":a/b", visit: 2, "io/ref": ref })
  const response = event(2, "llm/response", { ...ids, "io/ref": "nodes/a_b/2/turns/1/response.edn" })
  expect(placeAfter(request)).toEqual({ nodeId: ":a/b", visit: 2, turn: 0 })
  expect(placeAfter(request, response)).toEqual({ nodeId: ":a/b", visit: 2, turn: 1 })
  expect(placeAfter(response)).toEqual({ nodeId: ":a_b", visit: 2, turn: 1 })
  expect(placeAfter(response, request)).toEqual({ nodeId: ":a/b", visit: 2, turn: 0 })
  const other = event(2, "llm/request", { ...ids, "node-id": ":c", visit: 0 })
  expect(placeAfter(request, other)).toEqual({ nodeId: ":c", visit: 0, turn: null })
  expect(placeAfter(event(1, "llm/request", { ...ids, "node-id": "writer", visit: 0 }))?.nodeId).toBe("writer")
})

test("a session's capture place needs a visit, and an id that is text", () => {
  for (const told of [{ "node-id": ":c" }, { "node-id": 7, visit: 0 }, { "node-id": "", visit: 0 }, { visit: 0 }])
    expect(placeAfter(event(1, "llm/request", { ...ids, ...told }))).toBeNull()
  const ref = "nodes/c/1/turns/3/request.edn"
  const wrong = event(1, "llm/request", { ...ids, "node-id": ":c", visit: -1, "io/ref": ref })
  expect(placeAfter(wrong)).toEqual({ nodeId: ":c", visit: 1, turn: 3 })
})

test("an event of a branch is marked captured or live, and its session as its latest event", () => {
  const run = tell([
    event(1, "llm/start", { ...ids, model: "m", "replay/source": "captured" }),
    event(2, "llm/tool-result", { ...ids, tool: "read", "content-preview": "ok", "replay/source": "live" }),
    event(3, "llm/worker-exit", { ...ids, reason: "done", "replay/source": "elsewhere" }),
  ])
  expect(run.sessions[0]?.replaySource).toBe("live")
  expect(rowsOf(run).map(row => rowWords(run, row).text)).toEqual(["captured  m", "live  read  ok", ""])
})

test("two capture places are the same only in node, visit and turn", () => {
  const place = { nodeId: ":a", visit: 1, turn: 2 }
  const others = [{ ...place }, { ...place, nodeId: ":b" }, { ...place, visit: 2 }, { ...place, turn: 3 }, null]
  expect(others.map(other => isSameCapturePlace(place, other))).toEqual([true, false, false, false, false])
})
