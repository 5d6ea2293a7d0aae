// Keeps what the config file does: what holds, where it comes from, and what is said of mistakes, to whom.
import { beforeAll, expect, test } from "bun:test"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fixture, root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { called } from "./called.ts"
import { sidecar } from "./ran.ts"

const home = fileScratch()
const directory = join(home, ".config/opentui-sidecar")
const path = join(directory, "config.toml")
const RUN = join(root, "fixtures/failing-run")
beforeAll(async () => {
  for (const [name, text] of [
    ["themes/paper.toml", 'base = "light"\n'],
    ["themes/wrong.toml", 'base = "light"\n[truecolor]\nacent = "#000000"\n'],
    ["secret.toml", 'base = "dark"\n'],
    ["oth\u001ber/opentui-sidecar/config.toml", 'times = "short"\nspeed = true\n'],
  ] as const)
    await Bun.write(join(directory, name), text)
  await Bun.write(join(home, "prices.json"), Bun.file(join(RUN, "prices.json")))
})

type Env = Readonly<Record<string, string>>

const placed = ({ XDG_CONFIG_HOME: own = "", ...env }: Env): Env => ({
  ...env,
  XDG_CONFIG_HOME: own.replace("@", directory),
})

/** What `line` prints, but most rows of `config` about what nobody has chosen. */
async function printed(line: string, text: string, env: Env = {}): Promise<string> {
  await Bun.write(path, text)
  const lines = (await called(line.replaceAll("RUN", RUN), home, { HOME: home, ...placed(env) }))
    .replaceAll(home, "HOME")
    .split("\n")
  const isChosen = (row: string) =>
    !/ default$/.test(row) || /^(times|record|timeout|no-bell|keys.debugger-step) /.test(row)
  return lines.filter(isChosen).join("\n").replace(/ {2,}/g, "  ")
}

/** Command lines, the file of each, and its variables. */
const HOLDS: readonly (readonly [line: string, text: string, env?: Env])[] = await Bun.file(
  join(root, "fixtures/cases/configs.json"),
).json()

test.each(HOLDS.map(([line, text, env = {}]) => [line, text, env] as const))(
  "`%s` with the file %j and %j",
  async (line, text, env) => expect(await printed(line, text, env)).toMatchSnapshot(),
)

const BIG = [`# ${"x".repeat(70_000)}\n`, `a = ${"[".repeat(60_000)}`, `${"a.".repeat(30_000)}b = 1\n`]
const MISTAKES: readonly string[] = await Bun.file(join(root, "fixtures/cases/mistaken-configs.json")).json()

test.each([...MISTAKES, ...BIG].map(text => [text.slice(0, 40), text]))(
  "a person who starts with the mistaken file %j is told in one line",
  async (_, text) => expect(await printed("replay x", text)).toMatchSnapshot(),
)

test("a mistake in the keys is refused too, and is a warning when an agent starts us, where the rest holds", async () => {
  await Bun.write(path, 'ascii = 1\n[keys]\nlog-times = "f"\n')
  const spawned = await sidecar([], { cwd: home, env: { OPENTUI_REPLAY: fixture("demo") } })
  expect(spawned.code).toBe(0)
  expect(spawned.out + spawned.err).toContain("ascii: expected true or false, got 1")
  expect(spawned.out).toContain("Eleven minutes")
  await Bun.write(path, '[keys]\nlog-times = "f"\n')
  expect(await sidecar(["replay", fixture("demo")], { cwd: home })).toEqual({
    ...{ code: 2, out: "" },
    err: expect.stringMatching(
      /^opentui-sidecar: .*\/config\.toml: keys: filters-toggle and log-times both have f in .*\n$/,
    ),
  })
})

test("the file's options hold: a recording is printed without times, and a flag wins", async () => {
  await Bun.write(path, 'times = "no"\nrecord = "~/run.jsonl"\ntimeout = 5\nparser = "escapement"\n')
  const run = (...flags: readonly string[]) => sidecar(["replay", fixture("demo"), ...flags], { cwd: home })
  const [plain, short] = await Promise.all([run(), run("--times", "short")])
  expect([plain.code, plain.err, plain.out.includes("+00:"), short.out.includes("0s ")]).toEqual([0, "", false, true])
})

test("a directory, or a pipe that nobody writes to, in the place of the file is refused", async () => {
  const told = async () => await called("demo", home, { HOME: home })
  rmSync(path)
  mkdirSync(path)
  expect(await told()).toContain("not a regular file")
  expect(await called("", home, { HOME: home })).toContain("not a regular file")
  rmSync(path, { recursive: true })
  expect(await Bun.spawn(["mkfifo", path]).exited).toBe(0)
  expect(await told()).toContain("not a regular file")
  rmSync(path)
  // As long as it may be.
  expect(await printed("config", `# ${"x".repeat(65_533)}\n`)).toContain(" read\n")
})
