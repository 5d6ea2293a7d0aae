// Keeps what a client hears of a scripted agent with each fault.
import { describe, expect, test } from "bun:test"
import { parseFault } from "../../src/scripted-agent/faults.ts"
import { attach, delta, deltas, event, phase, prompt, type Ui } from "../agent/ui.ts"

/** What a client heard, a frame on each line, without the times. */
function heard(ui: Ui): string {
  return ui.heard.map(line => line.replace(/"ts":\d+/g, '"ts":0').slice(0, 300)).join("\n")
}

const told = ["a", "b", "c", "d"]
const ofTwo = told.map((text, at) => delta(text, at === 1 ? "s2" : "s1"))
const FAULTS: readonly (readonly [faults: string, recording: readonly string[]])[] = [
  ["none", [phase("run"), ...deltas(3), event("runner/done")]],
  ["cut@3", deltas(6)],
  ["repeat@4", deltas(6)],
  ["drop@2", [delta("a"), event("llm/tool-result"), delta("b"), delta("c")]],
  ["coalesce@3", deltas(12)],
  ["coalesce@1", ofTwo],
  ["coalesce@2 repeat@5", [...deltas(4), event("llm/start"), ...deltas(8)]],
  ["reorder@2", [...deltas(5), phase("run"), delta("last")]],
  ["reorder@1", deltas(30)],
  ["reorder@1 quit", [prompt("q#1")]],
  ["garbage@1", deltas(2)],
  ["garbage@2 drop@1 drop@2", deltas(4)],
]

describe("a recording with the fault", () => {
  test.each(FAULTS)("%s", async (names, recording) => {
    const faults = names.split(" ").flatMap(name => parseFault(name) ?? [])
    const { ui } = await attach([...recording], { faults, refuseMs: 5 })
    if (names.endsWith("quit")) await ui.untilFrame(({ kind }) => kind === "prompt")
    if (names.endsWith("quit")) ui.send({ kind: "control", op: "ui-quit" })
    if (/cut|quit/.test(names)) await ui.untilClosed()
    else await ui.untilFinished()
    const events = recording.filter(line => line.includes('"event"')).length
    // What was held follows the end.
    if (names === "reorder@1") await ui.until(one => one.events().length === events)
    expect(heard(ui)).toMatchSnapshot()
  })
  test("that is none", () => {
    const names = "coalesce@12,,cut@ 1,cut,cut@,cut@0,cut@-1,cut@1.5,cut@1e9,rain@3,@3,constructor@1".split(",")
    expect(names.map(name => `${name}: ${JSON.stringify(parseFault(name))}`).join("\n")).toMatchSnapshot()
  })
})
