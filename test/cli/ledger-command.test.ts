// Tests `ledger` and `compare` of many runs as processes: sums against truths that were written by hand.
import { beforeAll, describe, expect, test } from "bun:test"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
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

const scratch = fileScratch()
beforeAll(async () => {
  await Bun.write(join(scratch, "runs/a/transcript.jsonl"), run(MAY_2, "oak", [0.5, 0.25]))
  await Bun.write(join(scratch, "runs/b/transcript.jsonl"), run(MAY_2 + DAY, "elm", [0.125]))
  await Bun.write(join(scratch, "runs/b/run.json"), JSON.stringify({ command: ["x"], directory: "/home/me/shop" }))
})

const ledger = (...args: string[]) => sidecar(["ledger", ...args], { cwd: scratch })
const rowsOf = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map(line => line.trim().split(/ {2,}/))

test("ledger adds up the runs below a directory by day, in the order of days", async () => {
  const { code, out, err } = await ledger("runs")
  expect([code, err]).toEqual([0, ""])
  expect(rowsOf(out)).toEqual([
    ["day", "requests", "in", "out", "cost", "runs"],
    ["2026-05-02", "1", "100", "10", "$0.5000", "1"],
    ["2026-05-03", "2", "200", "20", "$0.3750", "2"],
    ["sum", "3", "300", "30", "$0.8750", "2"],
  ])
  // A day begins at the reader's midnight.
  const east = await sidecar(["ledger", "runs"], { cwd: scratch, env: { TZ: "Pacific/Kiritimati" } })
  expect(rowsOf(east.out).map(([day]) => day)).toEqual(["day", "2026-05-03", "2026-05-04", "sum"])
})

test("a run that is named more than once, by itself and by its directory, is added up once", async () => {
  const { out } = await ledger("runs/b", "runs", "runs/b/transcript.jsonl", "runs/a/../b", "--by", "run")
  expect(rowsOf(out).slice(1)).toEqual([
    ["a", "2", "200", "20", "$0.7500"],
    ["runs/b", "1", "100", "10", "$0.1250"],
    ["sum", "3", "300", "30", "$0.8750"],
  ])
})

test("a turn that goes on with another model is added to each for its own requests", async () => {
  const who = { invokeid: "poet", "session-id": "p" }
  const said = (model: string, tokens: number, cost: number) => {
    const usage = { "input-tokens": tokens, "output-tokens": 10 }
    return { event: "llm/response", data: { ...who, model, content: [], usage, "cost-usd": cost } }
  }
  const start = { event: "llm/start", data: { ...who, model: "oak" } }
  const turn = [start, said("oak", 500, 0.5), { event: "llm/request", data: who }, said("elm", 30, 0.125)]
  const late = said("oak", 7, 0.25)
  const rows = [...turn, ...turn].map((row, seq) => ({ kind: "event", seq, ts: MAY_2 + seq, ...row }))
  // The last response but one comes late, once another turn has begun.
  const all = [
    ...rows,
    { kind: "event", seq: 9, ts: MAY_2 + 9, ...start },
    { kind: "event", seq: 8, ts: MAY_2, ...late },
  ]
  await Bun.write(join(scratch, "change/transcript.jsonl"), all.map(row => `${JSON.stringify(row)}\n`).join(""))
  const { out } = await ledger("change", "--by", "model")
  expect(rowsOf(out).slice(1)).toEqual([
    ["oak", "4", "1,007", "30", "$1.25", "1"],
    ["elm", "2", "60", "20", "$0.25", "1"],
    ["sum", "6", "1,067", "50", "$1.50", "1"],
  ])
})

test("ledger --by turn names the command that opens the dearest turn where it begins", async () => {
  const opened = "opentui-sidecar replay runs/b --at +86400.000s"
  await Bun.write(join(scratch, "later/runs/b/transcript.jsonl"), run(MAY_2, "elm", [0.125, 9]))
  const inLater = (...args: string[]) =>
    sidecar(["ledger", "runs", "--by", "turn", ...args], { cwd: join(scratch, "later") })
  expect((await inLater()).out).toEndWith(`\nthe first is opened by: ${opened}\n`)
  expect(JSON.parse((await inLater("--as", "json")).out).rows[0].open).toBe(opened)
  const shown = await sidecar([...opened.split(" ").slice(1), "--plain"], { cwd: join(scratch, "later") })
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
