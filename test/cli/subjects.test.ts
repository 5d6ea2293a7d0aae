// Tests that every command takes all runs and sessions of agent CLIs of a directory, or since a time.
import { beforeAll, expect, test } from "bun:test"
import { readdir, utimes } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { sidecar } from "./ran.ts"

const ID = "01a20d6f-93fd-7892-8311-6cb2261fec96"
const home = fileScratch()
let work = ""
beforeAll(async () => {
  work = join(home, "work")
  const text = await Bun.file(join(root, "fixtures/agents/sessions/codex-0.169.0.jsonl")).text()
  const rollout = join(home, `.codex/sessions/2026/11/24/rollout-2026-11-24T12-02-25-${ID}.jsonl`)
  await Bun.write(rollout, text.replaceAll("/home/ada", work))
  await Bun.write(join(work, ".escapement/one/transcript.jsonl"), '{"event":"runner/started","ts":0}\n')
  const old = join(work, ".escapement/old/transcript.jsonl")
  await Bun.write(old, '{"event":"runner/started","ts":0}\n{"event":"llm/user-message","data":{"text":"What was?"}}\n')
  await utimes(old, 1000, 1000)
})

const there = (...args: readonly string[]) => sidecar(args, { cwd: work, env: { HOME: home } })

test("check --since finds what failed in that time, and a directory stands for all that ran in it", async () => {
  const all = await there("check", "--since", "1d")
  expect([all.code, all.err]).toEqual([1, ""])
  expect(all.out).toMatch(new RegExp(`^codex ${ID} #\\d+ .* failed-tool [\\s\\S]*\\n2 runs checked: `))
  expect((await there("check", "--since", "1d", "--no-stores")).out).toBe("1 run checked: no findings\n")
  expect((await there("check", ".")).out).toContain("3 runs checked: ")
  expect((await there("check", ".escapement")).out).toBe("2 runs checked: no findings\n")
  expect((await there("check")).err).toContain("expected the runs to check")
  await Bun.write(join(home, "config/opentui-sidecar/config.toml"), "no-stores = true\n")
  const configured = { cwd: work, env: { HOME: home, XDG_CONFIG_HOME: join(home, "config") } }
  expect((await sidecar(["check", "--since", "1d"], configured)).out).toBe("1 run checked: no findings\n")
})

test("fold prints a list with their names, also of one", async () => {
  const names = async (...args: readonly string[]) =>
    JSON.parse((await there("fold", ...args)).out).map(({ name }: { name: string }) => name)
  expect(await names("--since", "1d")).toEqual(["one", `codex ${ID}`])
  expect(await names("--since", "1d", "--no-stores")).toEqual(["one"])
  expect(await names(".")).toEqual([".escapement/one", ".escapement/old", `codex ${ID}`])
  expect(await names(ID, ".escapement/old")).toHaveLength(2)
  expect(JSON.parse((await there("fold", "latest")).out).run.usage.requests).toBeGreaterThan(0)
})

test("search finds their texts, and says in which", async () => {
  const found = async (...args: readonly string[]) =>
    (await there("search", "/What (is|was)/", ...args)).out.split("\n").map(line => line.replace(/:\d+ .*/, ""))
  const session = `codex ${ID}/rollout-2026-11-24T12-02-25-${ID}.jsonl`
  expect(await found("--since", "1d")).toEqual([session, ""])
  expect(await found(".")).toEqual([".escapement/old/transcript.jsonl", session, ""])
  expect(await found()).toEqual(["old/transcript.jsonl", ""])
  expect(await found("latest")).toEqual([`rollout-2026-11-24T12-02-25-${ID}.jsonl`, ""])
})

test("export writes a file for each into a directory, and asks for one", async () => {
  const { code, err } = await there("export", ".", "--as", "md", "-o", "out")
  expect([code, err]).toEqual([0, ""])
  expect((await readdir(join(work, "out"))).sort()).toEqual([
    `codex-${ID}.md`,
    "escapement-old.md",
    "escapement-one.md",
  ])
  expect(await Bun.file(join(work, `out/codex-${ID}.md`)).text()).toContain("What is here?")
  expect(await there("export", "--since", "1d", "--as", "md")).toMatchObject({
    ...{ code: 2, out: "" },
    err: "opentui-sidecar export: expected -o DIR, a directory for the files of several runs\n",
  })
})

test("compare and ledger have a row for each", async () => {
  const rows = (out: string) => out.split("\n").map(line => line.split(/ {2,}/)[0])
  expect(rows((await there("compare", "--since", "1d")).out).slice(1, 3)).toEqual(["one", `codex ${ID}`])
  expect(rows((await there("ledger", ".", "--by", "run")).out)).toContain(`codex ${ID}`)
  expect((await there("compare", "latest", ".escapement/one")).code).toBe(1)
})
