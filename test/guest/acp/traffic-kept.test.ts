// Keeps the frames of what real agents and their clients said to each other, whole and with a field damaged.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isObject, type JsonObject } from "../../../packages/wire/src/json.ts"
import { AcpTraffic } from "../../../src/guest/acp/acp-traffic.ts"
import { readMessage } from "../../../src/guest/acp/rpc.ts"
import { Output } from "../../../src/guest/common/output.ts"
import { GuestEvents } from "../../../src/guest/guest-events.ts"
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
