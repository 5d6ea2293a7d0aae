// Folds recordings of real agents that speak the Agent Client Protocol, and compares what shows with what was said:
// the truth beside each was computed from the raw traffic by another program.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { AcpTraffic } from "../../../src/guest/acp/acp-traffic.ts"
import { readMessage } from "../../../src/guest/acp/rpc.ts"
import { Output } from "../../../src/guest/common/output.ts"
import { GuestEvents } from "../../../src/guest/guest-events.ts"
import { slice } from "../../../src/run/model/chunked-list.ts"
import type { Run } from "../../../src/run/model/run.ts"
import type { Entry } from "../../../src/run/model/session.ts"
import { root } from "../../fixtures.ts"
import { runFrom } from "../reading.ts"

const FOLDER = join(root, "fixtures/acp")
const NAMES = readdirSync(FOLDER).filter(name => name.endsWith(".jsonl"))

interface Truth {
  readonly sessions: readonly {
    readonly id: string
    readonly text: string
    readonly thought: string
    readonly prompts: readonly string[]
    /** How each call ended; null for one that had no result. */
    readonly calls: { readonly [id: string]: "completed" | "failed" | null }
    readonly cost: number | null
  }[]
  readonly answers: readonly string[]
  /** What the model served to all requests. */
  readonly served: { readonly in: number; readonly out: number; readonly cut: boolean }
}

/** The agents that tell what all requests of a prompt used. */
const TELLS_ALL = /^(claude-agent-acp|codex-acp-2)/

/** The run that a recording's traffic folds to. */
function folded(name: string): Run {
  const out = new Output()
  const events = new GuestEvents("agent")
  const traffic = new AcpTraffic(out, "agent")
  const wire = [events.begin(0)]
  for (const line of readFileSync(join(FOLDER, name), "utf8").trim().split("\n")) {
    const { t, dir, msg } = JSON.parse(line)
    const message = readMessage(msg)
    out.begin(t, null)
    if (message === null) throw new Error(`not a message: ${line}`)
    if (dir === "in") traffic.fromAgent(message)
    else traffic.toAgent(message)
    wire.push(...out.take().map(event => events.ofReader(event)))
  }
  traffic.exit("the recording ends", true)
  wire.push(...out.take().map(event => events.ofReader(event)))
  return runFrom(wire)
}

const entries = (run: Run, at: number): readonly Entry[] => {
  const all = run.sessions[at]?.entries
  return all === undefined ? [] : slice(all, 0, all.length)
}

/** What a session shows, in the words of the truth. */
function shown(run: Run, at: number, truth: Truth["sessions"][number]) {
  const said = (type: Entry["type"]) => entries(run, at).filter(entry => entry.type === type)
  const text = (type: Entry["type"]) =>
    said(type)
      .map(entry => entry.text.join(""))
      .join("")
  const failed = said("tool-result").filter(({ isError }) => isError).length
  return {
    text: text("text"),
    thought: text("thinking"),
    prompts: said("user").map(entry => entry.text.join("")),
    calls: said("tool-call").length,
    failed,
    cost: truth.cost === null ? null : run.facts.ledger.total.nanos / 1e9,
  }
}

test.each(NAMES)("a recording of an agent %s shows what was said, called, answered and paid", name => {
  const truth: Truth = JSON.parse(readFileSync(join(FOLDER, name.replace(".jsonl", ".truth.json")), "utf8"))
  const run = folded(name)
  expect(run.log.malformed).toEqual([])
  expect(run.sessions).toHaveLength(truth.sessions.length)
  const costs = truth.sessions.map(({ cost }) => cost).filter(cost => cost !== null)
  for (const [at, session] of truth.sessions.entries()) {
    const calls = Object.values(session.calls)
    const cost = costs.length === 0 ? null : costs.reduce((sum, one) => sum + one, 0)
    expect(shown(run, at, { ...session, cost })).toEqual({
      text: session.text,
      thought: session.thought,
      prompts: [...session.prompts],
      calls: calls.length,
      failed: calls.filter(end => end !== "completed").length,
      cost: cost === null ? null : expect.closeTo(cost, 9),
    })
  }
  const answers = run.prompts.map(({ state, reportedAnswer }) => reportedAnswer ?? state)
  expect(answers).toEqual([...truth.answers])
  const { input, output } = run.facts.ledger.total
  const isTold = TELLS_ALL.test(name) && !truth.served.cut
  expect({ input, output }).toEqual(isTold ? { input: truth.served.in, output: truth.served.out } : { input, output })
})
