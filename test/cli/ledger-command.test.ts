// Tests `ledger` of the sessions of agent CLIs, and that what it names can be opened.
import { beforeAll, describe, expect, test } from "bun:test"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { commandWords } from "../../src/cli/option-value.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { called } from "./called.ts"
import { sidecar } from "./ran.ts"

const scratch = fileScratch()
const cases = join(root, "fixtures/cases/ledger")
test("a day of the ledger, and the time since a day, begin at the reader's midnight", async () => {
  // The turns begin at a midnight there.
  const days = async (more: string) =>
    (await called(`ledger runs --no-stores${more}`, cases, { TZ: "Etc/GMT-12" })).match(/^\S+/gm)
  expect(await days("")).toEqual(["day", "2026-05-03", "2026-05-04", "sum"])
  expect(await days(" --since 2026-05-04")).toEqual(["day", "2026-05-04", "sum"])
})

test("the command that ledger names opens the turn, in a directory of any name", async () => {
  await cp(join(cases, "later/runs/b"), join(scratch, "runs/the $b"), { recursive: true })
  const { out } = await sidecar(["ledger", "runs", "--by", "turn", "--no-stores"], { cwd: scratch })
  const [, command = ""] = /opened by: opentui-sidecar (.*)/.exec(out) ?? []
  expect(command).toBe("replay 'runs/the $b' --at +86400.000s")
  const shown = await sidecar([...commandWords(command), "--plain"], { cwd: scratch })
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
    // A fork begins with a copy of the lines, and had another last reply at the same moment.
    const fork = CLAUDE.replace("16e11edf", "26e11edf")
    await Bun.write(
      join(scratch, `stores/.claude/projects/-p/${fork}.jsonl`),
      lines.replaceAll(CLAUDE, fork).replace(/"output_tokens":6\b/g, '"output_tokens":7'),
    )
  })

  test("are added up where nobody names a directory, and what a fork copied counts once", async () => {
    expect(await elsewhere(["ledger", "--by", "cli"])).toMatchSnapshot()
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
    expect((await elsewhere(["replay", CLAUDE.slice(0, 13), "--plain"])).out).toContain("What is here?")
    expect((await elsewhere(["fold", "latest"])).out).toContain('"sessionId"')
  })
})
