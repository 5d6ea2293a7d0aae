// Tests where a session's turns are captured, by its own events.
import { expect, test } from "bun:test"
import { rowWords } from "../../../src/run/select/row-words.ts"
import { event, ids, line, rowsOf, tell } from "../../../test/run/lines.ts"
import { isSameCapturePlace, mayBeAt, requestRefOf } from "../src/capture-place.ts"
import type { Decoded } from "../src/frame.ts"

const at = (seq: number, name: string, told: object) => event(seq, `llm/${name}`, { ...ids, ...told })
const asked = (ref: unknown, seq = 1) => at(seq, "request", { "io/ref": ref })
const planning = asked("nodes/planning/0/turns/0/request.edn")
const request = at(1, "request", { "node-id": ":a/b", visit: 2, "io/ref": "nodes/a_b/2/turns/0/request.edn" })
const response = at(2, "response", { "io/ref": "nodes/a_b/2/turns/1/response.edn" })
const onDisk = { "transcript/node-id": "plan/a", "transcript/visit": 1, "transcript/turn": 3 }
const atDisk = (data: object, place: object) =>
  line({ seq: 1, ts: 1, event: "llm/request", data: { ...ids, ...data, "io/ref": "nodes/a_b/2/turns/1/x" }, ...place })
const row = atDisk({}, onDisk)
const idOnDisk = atDisk({ "node-id": "a/b" }, { ...onDisk, "transcript/node-id": "a_b" })
const wrong = at(1, "request", { "node-id": ":c", visit: -1, "io/ref": "nodes/c/1/turns/3/request.edn" })

test.each<[what: string, lines: readonly Decoded[], place: readonly (string | number | null)[] | null]>([
  ["a request's io/ref", [planning], [":planning", 0, 0]],
  ["the latest io/ref", [planning, asked("nodes/planning/2/turns/13/request.edn", 2)], [":planning", 2, 13]],
  ["the io/ref of the turn before", [planning, event(2, "llm/start", ids)], [":planning", 0, 0]],
  ["a row of the transcript before its io/ref", [row], [":plan/a", 1, 3]],
  ["a row of the transcript, and its own id of the node", [idOnDisk], [":a/b", 1, 3]],
  ["its io/ref if a row of the transcript has no visit", [atDisk({}, { "transcript/node-id": "c" })], [":a_b", 2, 1]],
  ["an io/ref of deeper folders", [asked("nodes/a/b/4/turns/1/request.edn")], [":a/b", 4, 1]],
  ["no empty io/ref", [asked("")], null],
  ["no io/ref without a visit", [asked("nodes/a/turns/0/x")], null],
  ["no io/ref with another visit", [asked("nodes/a/x/turns/0/y")], null],
  ["no io/ref that begins elsewhere", [asked("somewhere/nodes/a/0/turns/0/y")], null],
  ["no io/ref that is no text", [asked(7)], null],
  ["the request's own words, whatever its folder is called", [request], [":a/b", 2, 0]],
  ["the request's words and its response's turn", [request, response], [":a/b", 2, 1]],
  ["the response's io/ref alone", [response], [":a_b", 2, 1]],
  ["the request's words though the response came first", [response, request], [":a/b", 2, 0]],
  ["the latest request's words", [request, at(2, "request", { "node-id": ":c", visit: 0 })], [":c", 0, null]],
  ["an id without a colon", [at(1, "request", { "node-id": "writer", visit: 0 })], ["writer", 0, null]],
  ["no id without a visit", [at(1, "request", { "node-id": ":c" })], null],
  ["no visit that is no whole number", [at(1, "request", { "node-id": ":c", visit: 1.5 })], null],
  ["no id that is no text", [at(1, "request", { "node-id": 7, visit: 0 })], null],
  ["no empty id", [at(1, "request", { "node-id": "", visit: 0 })], null],
  ["no visit without an id", [at(1, "request", { visit: 0 })], null],
  ["the io/ref beside a wrong visit", [wrong], [":c", 1, 3]],
])("a session's capture place is told by %s", (_, lines, place) => {
  const { nodeId, visit, turn } = tell(lines).sessions[0]?.capturePlace ?? {}
  expect([nodeId, visit, turn]).toEqual(place === null ? [undefined, undefined, undefined] : [...place])
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

test("a place may be at its node and visit, and where it or the node is unknown", () => {
  const place = { nodeId: ":a/b/c", visit: 1, turn: 2 }
  const own = { nodeId: ":a/b/c", visit: 1 }
  const visits = [{}, { visit: 2 }, { nodeId: "a_b_c" }, own, { nodeId: "a/b/c", visit: 2 }, { nodeId: ":c" }]
  expect(visits.map(at => mayBeAt(place, at))).toEqual([true, true, true, true, false, false])
  expect(mayBeAt(null, { nodeId: ":c" })).toBe(true)
  const refs = ["nodes/a/1/turns/2/tool-results/t.edn", "nodes/a/1/x"].map(requestRefOf)
  expect(refs).toEqual(["nodes/a/1/turns/2/request.edn", null])
})

test("two capture places are the same only in node, visit and turn", () => {
  const place = { nodeId: ":a", visit: 1, turn: 2 }
  const others = [{ ...place }, { ...place, nodeId: ":b" }, { ...place, visit: 2 }, { ...place, turn: 3 }, null]
  expect(others.map(other => isSameCapturePlace(place, other))).toEqual([true, false, false, false, false])
})
