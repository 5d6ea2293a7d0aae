// Keeps what one session of a CLI is told as, call by call, and tests how much of it is held.
import { expect, test } from "bun:test"
import type { Json } from "../../../packages/wire/src/json.ts"
import { GuestSession } from "../../../src/guest/common/guest-session.ts"
import { Output } from "../../../src/guest/common/output.ts"
import { GuestEvents } from "../../../src/guest/guest-events.ts"
import { jsonl } from "../../agent/ui.ts"
import { FrameDrawing } from "../drawn-frames.ts"

const CALLS = await jsonl<readonly [name: string, ...given: Json[]]>("../../guest/session-calls")

test("the events of a session, ten milliseconds and a line apart", () => {
  const [out, events, drawing] = [new Output(), new GuestEvents("agent"), new FrameDrawing()]
  const session = new GuestSession(out, "agent", "s", { "parent-session-id": "p" })
  const told = CALLS.map(([name, ...given], at) => {
    out.begin(at * 10, at + 1)
    const method: unknown = Reflect.get(session, name)
    if (typeof method === "function") method.apply(session, given)
    else Reflect.set(session, name, given[0])
    const { isSpeaking, isAsked, hasOpenCalls } = session
    const holds = Object.entries({ isSpeaking, isAsked, hasOpenCalls }).flatMap(([what, is]) => (is ? what : []))
    const frames = out.take().map(event => `\n  ${drawing.draw(events.ofReader(event)).join(" ")}`)
    return `${JSON.stringify([name, ...given])} ${holds.join(", ")}${frames.join("")}`
  })
  expect([session.isSubagent, new GuestSession(out, "agent", "s").isSubagent]).toEqual([true, false])
  expect(told.join("\n")).toMatchSnapshot()
})

test("of a session, a megabyte of one reply and the names of 4,096 calls without a result are held", () => {
  const out = new Output()
  const session = new GuestSession(out, "agent", "s")
  for (const letter of ["x", "y", "z"]) session.say("text", letter.repeat(600_000))
  const told = out.take().map(({ event, data }) => `${event?.slice(4)} ${JSON.stringify(data.content ?? "").length}`)
  // A piece that the response before it had already would be shown twice.
  expect(told).toEqual(["start 2", "delta 2", "delta 2", "response 1200027", "delta 2"])
  for (let call = 0; call <= 4096; call++) session.call(`${call}`, "ls", {})
  for (const id of ["0", "1"]) session.result(id, "", false)
  expect(out.take().flatMap(({ data }) => (data["tool-use-id"] === undefined ? [] : [data.tool]))).toEqual([
    undefined,
    "ls",
  ])
})
