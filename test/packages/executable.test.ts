// Tests the executable as users without Bun get it: installed beside the screen's package, and started among traps.
import { beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { openTerminal } from "../pty/terminal.ts"
import { fileScratch, scratch } from "../scratch.ts"
import { emptyEnvironment, layTraps, packed, succeed, TRAPS } from "./packed.ts"

const home = fileScratch()
const traps = join(home, "traps")
/** The programs of a machine without Bun, as far as they are used. */
const bare = join(home, "bare")
const prefix = join(home, "global")
const command = join(prefix, "bin/opentui-sidecar")

beforeAll(async () => {
  mkdirSync(bare)
  for (const name of ["sh", "readlink"]) symlinkSync(Bun.which(name) ?? "", join(bare, name))
  await layTraps(traps)
  const tarballs = await Promise.all([
    packed("screen", "opentui-sidecar", home),
    packed("executable", "opentui-sidecar-linux-x64", home),
  ])
  const install = ["npm", "install", "-g", "--offline", "--prefix", prefix, ...tarballs]
  await succeed(install, home, emptyEnvironment(join(home, "home")))
}, 240_000)

test("two packages are installed and play the demo without Bun", async () => {
  await using demo = await openTerminal({ cmd: [command, "demo"], cwd: traps, cols: 100, env: { PATH: bare } })
  await demo.waitFor(/● live · running/)
  await demo.press("\x03").waitFor("Press Ctrl-C again to end the run")
  expect(await demo.press("\x03").exited).toBe(0)
})

/** The flags of the first line of bin/opentui-sidecar. */
const ALONE = ["--config=/dev/null", "--no-env-file", "--tsconfig-override=/dev/null"]
const programs = [
  ["the executable", [join(prefix, "bin/opentui-sidecar-linux-x64")]],
  ["bin/opentui-sidecar", [process.execPath, ...ALONE, join(root, "bin/opentui-sidecar")]],
] as const

describe.each(programs)("%s, started among traps", (_, program) => {
  test("reads a person's theme and keys", async () => {
    const config = join(home, "config/opentui-sidecar")
    await Bun.write(join(config, "config.toml"), 'theme = "paper"\n[keys]\nhelp-toggle = "H"\n')
    await Bun.write(join(config, "themes/paper.toml"), 'base = "light"\n')
    const env = { ...emptyEnvironment(home), XDG_CONFIG_HOME: join(home, "config") }
    const rows = (await succeed([...program, "config"], traps, env)).split("\n").map(row => row.replaceAll(/ +/g, " "))
    expect(rows).toContain("theme paper file")
    expect(rows).toContain("keys.help-toggle H file")
  })

  test("reads a guest's log through its parser, in a worker thread", async () => {
    const log = join(home, "guest.log")
    await Bun.write(log, "starting\npoet » hello\n")
    const words = ["replay", log, "--parser", "escapement", "--plain", "--timing", "instant"]
    expect(await succeed([...program, ...words], traps, emptyEnvironment(home))).toContain("user hello")
    const own = join(home, "own.js")
    await Bun.write(own, 'exports.parseStdoutLine = line => [{ kind: "user", ts: "", text: line + " there" }]')
    const others = ["replay", log, "--parser", own, "--plain", "--timing", "instant"]
    expect(await succeed([...program, ...others], traps, emptyEnvironment(home))).toContain("starting there")
  })

  test("records what an editor and its agent say", async () => {
    using place = scratch()
    await succeed([...program, "acp-tee", "--", "sh", "-c", "echo hello"], traps, emptyEnvironment(place.path))
    expect([...new Bun.Glob("**/transcript.jsonl").scanSync({ cwd: place.path, dot: true })]).toHaveLength(1)
  })
})

test("no program leaves a file among the traps", () => expect(readdirSync(traps).sort()).toEqual(TRAPS))
