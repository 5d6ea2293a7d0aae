// Tests that every command takes all runs and sessions of agent CLIs of a directory, or since a time.
import { beforeAll, expect, test } from "bun:test"
import { mkdir, readdir, utimes } from "node:fs/promises"
import { join } from "node:path"
import { commandWords } from "../../src/cli/option-value.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { lines } from "./called.ts"
import { sidecar } from "./ran.ts"

const ID = "01a20d6f-93fd-7892-8311-6cb2261fec96"
const home = fileScratch()
const work = join(home, "work")
beforeAll(async () => {
  const began = Date.now() / 1000
  const text = await Bun.file(join(root, "fixtures/agents/sessions/codex-0.169.0.jsonl")).text()
  const rollout = join(home, `.codex/sessions/2026/11/24/rollout-2026-11-24T12-02-25-${ID}.jsonl`)
  await Bun.write(rollout, text.replaceAll("/home/ada", join(work, "shop")))
  const begun = '{"event":"runner/started","ts":0}\n'
  const asked = `${begun}{"event":"llm/user-message","data":{"text":"What was?"}}\n`
  const old = join(work, ".escapement/old/transcript.jsonl")
  for (const [path, run] of [
    ...[[".escapement/one", begun] as const, [".escapement/old", asked] as const, ["../single/x", asked] as const],
    ...["a-b", "é"].map(name => [`../mixed/${name}`, asked] as const),
    ...[["../mixed/a b", begun] as const, ["../mixed/c", "# Prose\n"] as const],
  ])
    await Bun.write(join(work, path, "transcript.jsonl"), run)
  for (const name of ["../empty", "shop", "sh"]) await mkdir(join(work, name))
  await utimes(old, 1000, 1000)
  for (const name of ["a b", "a-b", "é"]) await utimes(join(home, "mixed", name, "transcript.jsonl"), began, began)
})

const there = (...args: readonly string[]) => sidecar(args, { cwd: work, env: { HOME: home } })

test.each(
  lines(
    `check | --since 1d | --since 1d --no-stores | . | .escapement | ../mixed | .escapement ../empty | shop | sh`,
    `search "/What [iw]/" | | --since 1d | . | latest | ../single`,
    `compare | --since 1d | latest .escapement/one | ../mixed`,
    `| ledger . --by run | export --since 1d --as md | fold --since 2999-01-01 | check ../empty --since 1d --no-stores`,
  ).concat("check"),
)("%s", async line => {
  const { code, out, err } = await there(...commandWords(line))
  expect(`${out}${err}exit ${code}`.replaceAll(home, "HOME").replace(/ {2,}/g, "  ")).toMatchSnapshot()
})

test("the config file leaves out the sessions of agent CLIs", async () => {
  await Bun.write(join(home, "config/opentui-sidecar/config.toml"), "no-stores = true\n")
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, "config") }
  const { out } = await sidecar(["check", "--since", "1d"], { cwd: work, env })
  expect(out).toBe("1 run checked: no findings\n")
})

test("fold prints a list with their names, also of one", async () => {
  const names = async (...args: readonly string[]) =>
    JSON.parse((await there("fold", ...args)).out).map(({ name }: { name: string }) => name)
  expect(await names("--since", "1d")).toEqual(["one", `codex ${ID}`])
  expect(await names("--since", "1d", "--no-stores")).toEqual(["one"])
  expect(await names(".")).toEqual([".escapement/one", ".escapement/old", `codex ${ID}`])
  expect(await names(ID, ".escapement/old")).toHaveLength(2)
  expect(JSON.parse((await there("fold", "latest")).out).run.usage.requests).toBeGreaterThan(0)
  // A file of that name comes first.
  await Bun.write(join(work, "shop/latest"), '{"event":"runner/started","ts":0}\n')
  const { out } = await sidecar(["fold", "latest"], { cwd: join(work, "shop"), env: { HOME: home } })
  expect(JSON.parse(out).run.usage.requests).toBe(0)
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
  expect((await there("export", "../mixed", "--as", "md", "-o", "others")).code).toBe(2)
  expect((await readdir(join(work, "others"))).sort()).toEqual(["a-b-2.md", "a-b.md", "run.md"])
})
