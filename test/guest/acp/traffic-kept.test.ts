// Keeps the frames of what real agents and their clients said to each other, whole and with a field damaged.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject, type JsonObject } from "../../../packages/wire/src/json.ts"
import { AcpTraffic } from "../../../src/guest/acp/acp-traffic.ts"
import { readMessage } from "../../../src/guest/acp/rpc.ts"
import { Output } from "../../../src/guest/common/output.ts"
import { GuestEvents } from "../../../src/guest/guest-events.ts"
import { recordTraffic } from "../../../src/guest/tee-recorder.ts"
import { root } from "../../fixtures.ts"
import { damagesOf } from "../damage.ts"
import { type DrawnFrame, FrameDrawing } from "../drawn-frames.ts"

const FOLDER = join(root, "fixtures/acp")
const NAMES = readdirSync(FOLDER)
  .filter(name => name.endsWith(".jsonl"))
  .sort()

const linesOf = (name: string): readonly string[] => readFileSync(join(FOLDER, name), "utf8").trimEnd().split("\n")

function framesOf(lines: readonly string[]): readonly DrawnFrame[] {
  const out = new Output()
  const [events, drawing] = [new GuestEvents("agent"), new FrameDrawing()]
  const traffic = new AcpTraffic(out, "agent")
  for (const line of lines) {
    const { t, dir, msg } = JSON.parse(line)
    out.begin(typeof t === "number" ? t : null, null)
    const message = isObject(msg) ? readMessage(msg) : null
    if (message !== null) dir === "in" ? traffic.fromAgent(message) : traffic.toAgent(message)
  }
  traffic.exit("the recording ends", true)
  return out.take().map(event => drawing.draw(events.ofReader(event)))
}

test.each(NAMES)("%s", name => {
  expect(
    framesOf(linesOf(name))
      .map(words => words.join(" "))
      .join("\n"),
  ).toMatchSnapshot()
})

/** The kind of what an agent said: its method, or what its reply has. */
function kindOf({ dir, msg }: JsonObject): string | null {
  if (dir !== "in" || !isObject(msg)) return null
  const { method, params, result = { error: true } } = msg
  const update = isObject(params) && isObject(params.update) ? `/${params.update.sessionUpdate}` : ""
  const [first] = isObject(result) ? Object.keys(result) : []
  return typeof method === "string" ? `${method}${update}` : `reply with ${first}`
}

test("an agent's message that lacks something, or has something else", () => {
  const done = new Map<string, number>()
  const all = NAMES.map(name => [`= ${name}`, ...damagesOf(linesOf(name), framesOf, kindOf, done)].join("\n"))
  expect(all.join("\n")).toMatchSnapshot()
})

test("what a recorder is told of both sides, in pieces, is a run, which ends as it is told or was killed", async () => {
  const side = (name: string) => (text: string) =>
    JSON.stringify({ side: name, ts: 5, bytes: Buffer.from(text).toString("base64") })
  const [editor, agent] = [side("editor"), side("agent")]
  const asks = (id: number, method: string, more = '"n":1') =>
    agent(
      `{"id":${id},"method":"${method}","params":{"sessionId":"s1","message":"Sure?","toolCall":{"title":"rm"},${more}}}\n`,
    )
  const said = [
    ...[
      editor('{"id":1,"method":"session/new"}\n{"id":2,"meth'),
      agent('{"id":1,"result":{"sessionId":"s1"}}\nno JSON'),
    ],
    ...[agent("\n\n[1]\n"), "no JSON", editor('od":"session/prompt","params":{"sessionId":"s1","prompt":"Go."}}\n')],
    ...[asks(7, "elicitation/create"), editor('{"id":7,"error":{"code":1}}\n'), asks(8, "session/request_permission")],
    ...[editor('{"id":8,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}\n'), editor('{"id":9}\n')],
    ...[asks(10, "elicitation/create", '"requestedSchema":{"properties":{"a":{},"b":{}}}')],
    editor('{"id":10,"result":{"action":"accept","content":{"a":"one","b":"two"}}}\n'),
  ]
  const ends = [{ reason: "exit code 0" }, { reason: "ended by SIGTERM", failed: true }].map(one => JSON.stringify(one))
  const recorded = async (...told: readonly string[]) => {
    const [lines, drawing]: [string[], FrameDrawing] = [[], new FrameDrawing()]
    const input = new Blob(told.map(line => `${line}\n`)).stream()
    await recordTraffic("agent", input, all => void lines.push(...all))
    return lines.map(line =>
      drawing
        .draw(line)
        .join(" ")
        .replace(/^\+\d+ /, ""),
    )
  }
  const runs = [await recorded(...said), ...(await Promise.all(ends.map(end => recorded(said[0] ?? "", end))))]
  expect(runs.map(lines => lines.join("\n")).join("\n\n")).toMatchSnapshot()
  expect(await recorded()).toEqual([])
})
