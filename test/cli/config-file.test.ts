// Tests the config file by the real process: what holds, where it comes from, and what is said of mistakes.
import { describe, expect, test } from "bun:test"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { fixture, root } from "../fixtures.ts"
import { scratch } from "../scratch.ts"
import { type Ran, sidecar } from "./ran.ts"

type Env = Record<string, string>

/** Checks in a home directory with these files below its config directory. */
async function atHome(
  files: { readonly [name: string]: string },
  check: (run: (args: readonly string[], env?: Env) => Promise<Ran>, directory: string) => Promise<void>,
): Promise<void> {
  using cwd = scratch()
  const directory = join(cwd.path, ".config/opentui-sidecar")

  for (const [name, text] of Object.entries(files)) await Bun.write(join(directory, name), text)
  await check((args, env = {}) => sidecar(args, { cwd: cwd.path, env }), directory)
}

/** The line of `config` about a name, in single blanks. */
function lineOf({ out }: Ran, name: string): string | undefined {
  return out
    .split("\n")
    .find(line => line.startsWith(`${name} `))
    ?.replaceAll(/ +/g, " ")
}

test("the price file that the config file names holds for fold, export and compare", () => {
  const run = join(root, "fixtures/failing-run")
  return atHome({ "config.toml": `prices = ${JSON.stringify(join(run, "prices.json"))}\n` }, async sidecar => {
    expect((await sidecar(["fold", run])).out).toContain('"costUsd": 0.30532')
    expect((await sidecar(["export", run, "--as", "md"])).out).toContain("$0.3053\\+")
    expect((await sidecar(["compare", run, run])).out).toMatch(/cost +\$0\.3053\+ +\$0\.3053\+/)
  })
})

describe("config", () => {
  test("prints each value and where it comes from: a flag before a variable before the file", () =>
    atHome({ "config.toml": 'theme = "light"\nidle-limit = 0.5\nno-bell = true\ncolors = 16\n' }, async run => {
      const ran = await run(["config", "--theme", "dark"], { OPENTUI_THEME: "auto", NO_COLOR: "1", OPENTUI_BELL: "1" })
      expect(ran).toMatchObject({ code: 0, err: "" })
      expect(lineOf(ran, "config.toml")).toMatch(/^config\.toml \/.*\/\.config\/opentui-sidecar\/config\.toml read$/)
      expect(["theme", "idle-limit", "no-bell", "colors", "times", "record"].map(name => lineOf(ran, name))).toEqual([
        "theme dark flag --theme",
        "idle-limit 0.5 file",
        "no-bell false variable OPENTUI_BELL",
        "colors none variable NO_COLOR",
        "times full default",
        "record none default",
      ])
      const columns = ran.out
        .trimEnd()
        .split("\n")
        .map(line => line.search(/(default|file|read|variable \w+|flag --\w+)$/))
      expect(new Set(columns).size).toBe(1)
    }))

  test("prints the keys of every action, and those of the file as theirs", () =>
    atHome({ "config.toml": '[keys]\ncursor-down = ["Ctrl-N", "down"]\nhelp-toggle = "H"\n' }, async run => {
      const ran = await run(["config"])
      expect(lineOf(ran, "keys.cursor-down")).toBe("keys.cursor-down Ctrl-N ↓ file")
      expect(lineOf(ran, "keys.help-toggle")).toBe("keys.help-toggle H file")
      expect(lineOf(ran, "keys.debugger-step")).toBe("keys.debugger-step s default")
    }))

  test("says all that is wrong with the file, prints what holds, and ends with 2", () =>
    atHome({ "config.toml": 'theme = "blue"\nascii = 1\nspeed = 3\n[keys]\nhepl = "H"\n' }, async (run, directory) => {
      const ran = await run(["config"])
      const path = join(directory, "config.toml")
      expect(ran.code).toBe(2)
      expect(ran.err.split("\n")).toEqual([
        `opentui-sidecar: ${path}: unknown theme blue; use dark, light or auto, or the name of a file in ${directory}/themes`,
        `opentui-sidecar: ${path}: ascii: expected true or false, got 1`,
        `opentui-sidecar: ${path}: keys.hepl: unknown action`,
        "",
      ])
      expect([lineOf(ran, "theme"), lineOf(ran, "speed")]).toEqual(["theme auto default", "speed 3 file"])
    }))

  test("reads $XDG_CONFIG_HOME, and no file of a relative one", () =>
    atHome({ "config.toml": 'times = "no"\n' }, async (run, directory) => {
      const other = join(directory, "other")
      await Bun.write(join(other, "opentui-sidecar/config.toml"), 'times = "short"\n')
      expect(lineOf(await run(["config"], { XDG_CONFIG_HOME: other }), "times")).toBe("times short file")
      expect(lineOf(await run(["config"], { XDG_CONFIG_HOME: "other" }), "times")).toBe("times no file")
    }))
})

test("the file's options hold: a recording is printed without times, and a flag wins", () =>
  atHome({ "config.toml": 'times = "no"\nrecord = "~/run.jsonl"\ntimeout = 5\nparser = "escapement"\n' }, async run => {
    const replay = ["replay", fixture("demo")]
    const [plain, short] = await Promise.all([run(replay), run([...replay, "--times", "short"])])
    expect(plain).toMatchObject({ code: 0, err: "" })
    expect(plain.out).not.toContain("+00:")
    expect(short.out).toContain("0s ")
  }))

describe("a mistake in the file", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['theme = "dark\n', "line 1: Unterminated string"],
    ['theme = "dark"\n\nascii = yes\n', "line 3: Strings must be quoted"],
    ["mouse = true\n", "unknown name mouse; did you mean no-mouse?"],
    ['tehme = "dark"\n', "unknown name tehme; did you mean theme?"],
    ["speed = 0\n", "speed: expected a number from 0.01 to 10000, got 0"],
    ['pause-at = "state="\n', "pause-at: "],
    ["times = []\n", "times: expected a text, got a list"],
    ["keys = 1\n", "keys: expected a table, got 1"],
    ["[keys]\nlog-times = 1\n", "keys.log-times: expected a key or a list of keys, got 1"],
    ['[keys]\nlog-times = "f"\n', "keys: filters-toggle and log-times both have f in "],
    ['theme = "paper"\n', "acent; did you mean accent?"],
    [`a = ${"[".repeat(60_000)}`, "line 1: "],
    [`${"a.".repeat(30_000)}b = 1\n`, "unknown name a"],
    [`# ${"x".repeat(70_000)}\n`, "expected at most 65536 bytes, got 70003"],
    ["\0\x1b[2J\x07", "line 1: "],
  ]
  for (const [text, why] of wrong) {
    test(`is refused in one line when a person starts: ${JSON.stringify(text.slice(0, 40))}`, () =>
      atHome(
        { "config.toml": text, "themes/paper.toml": 'base = "light"\n[truecolor]\nacent = "#000000"\n' },
        async run => {
          const { code, out, err } = await run(["replay", fixture("demo")])
          expect({ code, out }).toEqual({ code: 2, out: "" })
          expect(err).toMatch(/^opentui-sidecar: \/[^\n\x1b\0]*\/\.config\/opentui-sidecar\/\S+: [^\n\x1b\0]*\n$/)
          expect(err).toContain(why)
        },
      ))
  }

  test("is a warning when an agent starts us, and the rest holds", () =>
    atHome({ "config.toml": "ascii = 1\nmouse = true\n" }, async run => {
      const { code, out, err } = await run([], { OPENTUI_REPLAY: fixture("demo") })
      expect(code).toBe(0)
      expect(out + err).toContain("ascii: expected true or false, got 1")
      expect(out).toContain("Eleven minutes")
    }))

  test("is refused if it is a directory, or a pipe that nobody writes to", () =>
    atHome({}, async (run, directory) => {
      await mkdir(join(directory, "config.toml"), { recursive: true })
      expect(await run(["demo"])).toMatchObject({ code: 2, err: expect.stringContaining("not a regular file") })
      await rm(join(directory, "config.toml"), { recursive: true })
      expect(await Bun.spawn(["mkfifo", join(directory, "config.toml")]).exited).toBe(0)
      expect(await run(["demo"])).toMatchObject({ code: 2, err: expect.stringContaining("not a regular file") })
    }))

  test("doesn't keep commands that need no screen from working", () =>
    atHome({ "config.toml": "=\n" }, async run => {
      for (const args of [["help"], ["--version"], ["fold", fixture("demo")], ["completion", "zsh"]])
        expect(await run(args)).toMatchObject({ code: 0, err: "" })
    }))
})

test("a theme is read by its name alone, from the themes' directory", () =>
  atHome(
    { "config.toml": "", "themes/paper.toml": 'base = "light"\n', "secret.toml": 'base = "dark"\n' },
    async run => {
      expect(lineOf(await run(["config", "--theme", "paper"]), "theme")).toBe("theme paper flag --theme")
      for (const name of ["../secret", "/etc/passwd", "..", "paper.toml", "\x1b[2J"]) {
        const { code, err } = await run(["config", "--theme", name])
        expect({ name, code }).toEqual({ name, code: 2 })
        expect(err).toMatch(/^opentui-sidecar: unknown theme [^\n\x1b]*\n$/)
      }
      expect((await run(["demo", "--theme", "papr"])).err).toContain("unknown theme papr; did you mean paper?")
    },
  ))
