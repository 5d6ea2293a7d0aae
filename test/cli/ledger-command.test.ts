// Tests `ledger` and `compare` of many runs as processes: sums against truths that were written by hand.
import { beforeAll, describe, expect, test } from "bun:test"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { called } from "./called.ts"
import { sidecar } from "./ran.ts"

const DAY = 86_400_000
const MAY_2 = Date.parse("2026-05-02T12:00:00")

/** A run whose turns cost these dollars, one a day, from `start` on. */
function run(start: number, model: string, dollars: readonly number[]): string {
  const who = { invokeid: "poet", "session-id": "p" }
  const rows = dollars.flatMap((cost, day) => [
    { event: "llm/start", ts: start + day * DAY, data: { ...who, model } },
    {
      event: "llm/response",
      ts: start + day * DAY + 1000,
      data: { ...who, content: [], usage: { "input-tokens": 100, "output-tokens": 10 }, "cost-usd": cost },
    },
  ])
  return rows.map((row, seq) => `${JSON.stringify({ kind: "event", seq, ...row })}\n`).join("")
}

/** A run whose turns go on with another model; the last response but one comes late, once another turn has begun. */
function changed(): string {
  const who = { invokeid: "poet", "session-id": "p" }
  const said = (model: string, tokens: number, cost: number) => {
    const usage = { "input-tokens": tokens, "output-tokens": 10 }
    return { event: "llm/response", data: { ...who, model, content: [], usage, "cost-usd": cost } }
  }
  const start = { event: "llm/start", data: { ...who, model: "oak" } }
  const turn = [start, said("oak", 500, 0.5), { event: "llm/request", data: who }, said("elm", 30, 0.125)]
  const rows = [...turn, ...turn].map((row, seq) => ({ kind: "event", seq, ts: MAY_2 + seq, ...row }))
  const late = { kind: "event", seq: 8, ts: MAY_2, ...said("oak", 7, 0.25) }
  const all = [...rows, { kind: "event", seq: 9, ts: MAY_2 + 9, ...start }, late]
  return all.map(row => `${JSON.stringify(row)}\n`).join("")
}

const scratch = fileScratch()
beforeAll(async () => {
  await Bun.write(join(scratch, "runs/a/transcript.jsonl"), run(MAY_2, "oak", [0.5, 0.25]))
  await Bun.write(join(scratch, "runs/b/transcript.jsonl"), run(MAY_2 + DAY, "elm", [0.125]))
  await Bun.write(join(scratch, "runs/b/run.json"), JSON.stringify({ command: ["x"], directory: "/home/me/shop" }))
  await Bun.write(join(scratch, "later/runs/b/transcript.jsonl"), run(MAY_2, "elm", [0.125, 9]))
  await Bun.write(join(scratch, "change/transcript.jsonl"), changed())
})

const rowsOf = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map(line => line.trim().split(/ {2,}/))

test.each([
  ["by day, in the order of days", "runs", "."],
  ["by day, each from the reader's midnight on", "runs", ".", "Pacific/Kiritimati"],
  [
    "once, though it is named by itself and by its directory",
    "runs/b runs runs/b/transcript.jsonl runs/a/../b --by run",
    ".",
  ],
  ["of a turn that goes on with another model for each model's own requests", "change --by model", "."],
  ["by turn, with the command that opens the dearest where it begins", "runs --by turn", "later"],
  ["by turn as JSON", "runs --by turn --as json", "later"],
  ["by directory, of what `run` kept", "runs --by directory", "."],
] as const)("ledger adds up %s", async (_, line, place, TZ = "UTC") => {
  const told = await called(`ledger ${line} --no-stores`, join(scratch, place), { TZ })
  expect(told.replaceAll(scratch, "HERE").replace(/ {2,}/g, "  ")).toMatchSnapshot()
})

test("the command that ledger names opens the turn", async () => {
  const opened = "replay runs/b --at +86400.000s --plain".split(" ")
  const shown = await sidecar(opened, { cwd: join(scratch, "later") })
  expect(shown.out).toEndWith("+24:00:00.000 poet: start elm\nrecording: paused at frame 3\n")
})

describe("the sessions of agent CLIs on this machine", () => {
  const CLAUDE = "16e11edf-9837-4ba1-899f-d5c89c299b04"
  const stored = join(root, "fixtures/agents/sessions/claude-2.1.197.jsonl")
  const elsewhere = (args: readonly string[]) => sidecar(args, { cwd: join(scratch, "stores") })
  beforeAll(async () => {
    const lines = await Bun.file(stored).text()
    await Bun.write(join(scratch, `stores/.claude/projects/-p/${CLAUDE}.jsonl`), lines)
    const agents = stored.replace(".jsonl", "")
    await cp(agents, join(scratch, `stores/.claude/projects/-p/${CLAUDE}`), { recursive: true })
    // A fork begins with a copy of the lines.
    const fork = CLAUDE.replace("16e11edf", "26e11edf")
    await Bun.write(join(scratch, `stores/.claude/projects/-p/${fork}.jsonl`), lines.replaceAll(CLAUDE, fork))
  })

  test("are added up where nobody names a directory, and what a fork copied counts once", async () => {
    const { code, out } = await elsewhere(["ledger", "--by", "cli"])
    expect([code, rowsOf(out)]).toEqual([
      0,
      [
        ["cli", "requests", "in", "cached", "out", "runs"],
        ["claude", "9", "20,022", "71%", "186", "1"],
        ["sum", "9", "20,022", "71%", "186", "1"],
      ],
    ])
    expect((await elsewhere(["ledger", "--no-stores"])).code).toBe(2)
  })

  test("are listed as JSON with the runs, and any command takes the id of one", async () => {
    const listed = JSON.parse((await elsewhere(["sessions", "--as", "json"])).out)
    expect(listed.find((one: { id: string }) => one.id === CLAUDE)).toMatchObject({
      ...{ cli: "claude", directory: "/home/ada/claude-headless-2.1.197", branch: "master", title: "What is here?" },
      usage: { inputTokens: 20_022, cachedTokens: 14_200, outputTokens: 186, costUsd: null },
    })
    const { code, out } = await elsewhere(["check", CLAUDE.slice(0, 13)])
    expect([code, out]).toEqual([0, "1 run checked: no findings\n"])
    expect((await elsewhere(["fold", "latest"])).out).toContain('"sessionId"')
  })
})
