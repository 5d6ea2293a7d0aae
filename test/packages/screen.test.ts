// Tests the package opentui-sidecar as its users get it: installed in each way, and started among traps.
import { beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { TSC } from "../../build/bundle.ts"
import { version } from "../../package.json"
import { Ui } from "../agent/ui.ts"
import { run } from "../cli/ran.ts"
import { fixture, root } from "../fixtures.ts"
import { openTerminal } from "../pty/terminal.ts"
import { fileScratch } from "../scratch.ts"
import { bytesIn, emptyEnvironment, installed, layTraps, packed, program, registryAnswers, succeed } from "./packed.ts"

const home = fileScratch()
const env = emptyEnvironment(join(home, "home"))
const traps = join(home, "traps")
const modules = join(home, "dependent/node_modules")
const own = join(modules, "opentui-sidecar")
const command = join(modules, ".bin/opentui-sidecar")
const NATIVE = `@opentui/core-${process.platform}-${process.arch}`
const NODE = Bun.which("node")
let tarball = ""

beforeAll(async () => {
  tarball = await packed("screen", "opentui-sidecar", home)
  // The native part of this repository's install, for there is no registry.
  const native = await succeed(["npm", "pack", "--silent", join(root, "node_modules", NATIVE)], home, env)
  await installed(join(home, "dependent"), [tarball, join(home, native.trim())])
  await layTraps(traps)
  copyFileSync(tarball, join(traps, "x.tgz"))
})

const REPLAY = ["replay", fixture("demo"), "--plain", "--timing", "instant"]

describe("the screen as a dependency", () => {
  test("takes at most 20 MB with its native part, and needs nothing else", async () => {
    expect(bytesIn(modules)).toBeLessThan(20_000_000)
    const { dependencies, optionalDependencies, ...manifest } = await Bun.file(join(own, "package.json")).json()
    expect(manifest).toMatchObject({ name: "opentui-sidecar", version })
    expect(dependencies).toBeUndefined()
    expect(Object.keys(optionalDependencies)).toContain("@opentui/core-linux-x64-musl")
    expect(Object.keys(optionalDependencies).filter(name => !name.startsWith("@opentui/core-"))).toEqual([])
    const { version: pinned } = await Bun.file(join(root, "node_modules/@opentui/core/package.json")).json()
    expect([...new Set(Object.values(optionalDependencies))]).toEqual([pinned])
  })

  test("carries its README, changelog, license and those of what is bundled", async () => {
    for (const name of ["README.md", "screenshot.svg", "CHANGELOG.md", "LICENSE"])
      expect(existsSync(join(own, name))).toBe(true)
    const notice = await Bun.file(join(own, "NOTICE")).text()
    // marked is a part of OpenTUI's own bundle.
    for (const name of ["@opentui/core", "solid-js", "diff", "transit-js", "ws", "marked"]) {
      expect(notice).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, "m"))
    }
  })

  test("plays the demo from a directory of traps, and leaves by Ctrl-C", async () => {
    await using demo = await openTerminal({ cmd: [command, "demo"], cwd: traps, cols: 100, rows: 30 })
    await demo.waitFor(/● live · running/)
    await demo.press("\x03").waitFor("Press Ctrl-C again to end the run")
    expect(await demo.press("\x03").exited).toBe(0)
  })

  test("runs when an agent starts its src/main.tsx", async () => {
    const cmd = [process.execPath, "run", join(own, "src/main.tsx")]
    await using started = await openTerminal({ cmd, cwd: own, env: { OPENTUI_REPLAY: fixture("demo") } })
    await started.waitFor("✓ finished")
    expect(await started.press("\x03").exited).toBe(0)
  })

  test("says in one line that it needs a later Bun", async () => {
    const later = join(home, "later.tsx")
    await Bun.write(later, (await Bun.file(join(own, "src/main.tsx")).text()).replaceAll("1.4.5", "99.0.0"))
    const err = `opentui-sidecar: expected Bun 99.0.0 or later, got ${Bun.version}: run "bun upgrade"\n`
    expect(await run([process.execPath, later], home, env)).toEqual({ code: 1, out: "", err })
  })

  test("reads a guest's log through its parser, in a worker thread", async () => {
    const log = join(home, "guest.log")
    await Bun.write(log, "starting\npoet » hello\n")
    const words = ["replay", log, "--parser", "escapement", "--plain", "--timing", "instant"]
    expect(await run([command, ...words], traps, env)).toMatchObject({
      code: 0,
      out: expect.stringContaining("user hello"),
    })
  })
})

describe("an agent of one's own", () => {
  const nodes = [process.execPath, ...(NODE === null ? [] : [NODE])]

  test.each(nodes)("runs on the package under %s, and writes what was answered", async host => {
    const example = await Bun.file(join(root, "docs/examples/agent.ts")).text()
    await Bun.write(join(home, "dependent/agent.mjs"), new Bun.Transpiler({ loader: "ts" }).transformSync(example))
    const cwd = join(home, "dependent")
    const agent = Bun.spawn([host, "agent.mjs"], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    for await (const chunk of agent.stderr.pipeThrough(new TextDecoderStream())) {
      said += chunk
      if (said.includes("\n")) break
    }
    const [, token = null, url = ""] = /^OPENTUI_WS_TOKEN=(\S+) opentui-sidecar attach (ws:\S+)$/m.exec(said) ?? []
    const ui = await Ui.attach(url, token)
    await ui.untilFrame(frame => frame.kind === "prompt")
    ui.send({ kind: "answer", "prompt-id": "question-1#1", value: "rain" })
    await ui.untilClosed()
    expect(await agent.exited).toBe(0)
    expect(ui.frames().at(-1)).toMatchObject({ op: "run-finished" })
    const reply = ui.events().find(frame => frame.event === "llm/response")
    expect(JSON.stringify(reply)).toContain("O rain, at dawn")
  })

  test("has types", async () => {
    const cwd = join(home, "dependent")
    await Bun.write(join(cwd, "use.mts"), await program("agent-types.txt"))
    const lib = { noEmit: true, strict: true, module: "nodenext", target: "esnext", types: [], skipLibCheck: true }
    await Bun.write(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: lib, files: ["use.mts"] }))
    expect(await run([process.execPath, TSC], cwd, env)).toEqual({ code: 0, out: "", err: "" })
  })
})

describe("its launcher", () => {
  /** A directory with the programs that the launcher may use, and no Bun. */
  const bare = join(home, "bare")
  beforeAll(() => {
    mkdirSync(bare)
    for (const name of ["sh", "readlink"]) symlinkSync(Bun.which(name) ?? "", join(bare, name))
  })

  test("says in one line what to install where there is no Bun", async () => {
    const { code, out, err } = await run([command, "demo"], traps, { PATH: bare })
    expect({ code, out }).toEqual({ code: 127, out: "" })
    expect(err).toMatch(
      /^opentui-sidecar: Bun is not installed: run "npm install -g bun", or .*opentui-sidecar-linux-x64.*\n$/,
    )
  })

  test("runs an installed executable rather than Bun, with the same words, as the same process", async () => {
    const program = join(modules, "opentui-sidecar-linux-x64/opentui-sidecar")
    await Bun.write(program, '#!/bin/sh\nprintf "<%s>" "$@"\nkill -9 $$\n')
    chmodSync(program, 0o755)
    try {
      // By a signal only if no shell waits for it.
      expect(await run([command, "a b", "", "*"], traps, { PATH: bare })).toEqual({
        code: 137,
        out: "<a b><><*>",
        err: "",
      })
    } finally {
      rmSync(join(modules, "opentui-sidecar-linux-x64"), { recursive: true })
    }
  })
})

const isOnline = await registryAnswers()

describe.skipIf(!isOnline)("from the npm registry, which must answer", () => {
  test("npm i -g installs it at most 20 MB large, and it runs among traps", async () => {
    const prefix = join(home, "global")
    await succeed(["npm", "i", "-g", "--prefix", prefix, tarball], home, env)
    expect(bytesIn(prefix)).toBeLessThan(20_000_000)
    const global = join(prefix, "bin/opentui-sidecar")
    expect(await run([global, "--version"], traps, env)).toEqual({ code: 0, out: `${version}\n`, err: "" })
    await using replay = await openTerminal({
      cmd: [global, "replay", fixture("demo"), "--timing", "instant"],
      cwd: traps,
    })
    await replay.waitFor("✓ finished")
    expect(await replay.press("\x03").exited).toBe(0)
  })

  test.each([
    ["npx", ["npx", "--yes", "./x.tgz"]],
    ["bunx", [process.execPath, "x", "--package", `file:${join(traps, "x.tgz")}`, "opentui-sidecar"]],
  ])(
    "%s runs its tarball among traps",
    async (_, cmd) => {
      const { code, out } = await run([...cmd, ...REPLAY], traps, env)
      expect(code).toBe(0)
      expect(out).toContain("planner")
    },
    120_000,
  )
})
