// Tests the program as it is started: what it loads, where its keys come from, and what it says where no screen comes to be.
import { expect, test } from "bun:test"
import { dirname, join } from "node:path"
import { keyboard } from "../../src/app/load-surface.ts"
import { sidecar } from "../cli/ran.ts"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { opened } from "../screen/open-screens.ts"

test("the program does what it was asked for, or says in a line why it can't, with the exit code of that", async () => {
  const home = fileScratch()
  const config = join(home, "config/opentui-sidecar/config.toml")
  await Bun.write(config, '[keys]\nno-such-action = "x"\ndebugger-step = "F9"\n')
  await Bun.write(join(home, "run.jsonl"), "")
  const told = async (words: string, env = {}) => {
    const { code, out, err } = await sidecar(words.split(" "), { cwd: home, env })
    const lines = [...out.split("\n"), ...err.split("\n").map(line => line && `! ${line}`)]
    // How often it tried is a matter of time; of what `config` lists, a few settings that nobody has chosen are enough.
    const told = lines.filter(
      line => !/^(?:dis)?connect|^$|^(?!no-bell|record|times|keys.debugger-step).* default$/.test(line),
    )
    return [`${words}: ${code}`, ...told].join("\n  ").replaceAll(home, "HOME")
  }
  const mistaken = { XDG_CONFIG_HOME: join(home, "config") }
  const all = [
    told("run --plain -- no-such-command"),
    told("run --plain --times no -- echo tea"),
    told("acp-tee /none/agent"),
    told("acp-tee --record tea"),
    told("replay run.jsonl --plain", mistaken),
    told("--plain", { ...mistaken, OPENTUI_REPLAY: join(home, "run.jsonl") }),
    told("attach ws://127.0.0.1:1/ws --plain --timeout 0.1"),
    told("sessions . --as json"),
    told("config --ascii", { ...mistaken, OPENTUI_PLAIN: "1" }),
  ]
  expect(`\n${(await Promise.all(all)).join("\n")}\n`).toMatchSnapshot()
})

/** What a file imports at once. Imports of types are none. */
async function importsOf(path: string): Promise<readonly string[]> {
  if (path.endsWith(".toml")) return []
  const transpiler = new Bun.Transpiler({ loader: path.endsWith("x") ? "tsx" : "ts" })
  const imports = transpiler.scanImports(await Bun.file(join(root, path)).text())
  return imports.flatMap(one => (one.kind === "import-statement" ? [one.path] : []))
}

test("the program starts without the libraries of the screen", async () => {
  const paths = ["src/app/app.ts"]
  const loaded: string[] = []
  for (const path of paths) {
    for (const module of await importsOf(path)) {
      const file = join(dirname(path), module)
      if (!module.startsWith(".")) loaded.push(`${path} loads ${module}`)
      else if (!paths.includes(file)) paths.push(file)
    }
  }
  expect(paths.length).toBeGreaterThan(100)
  expect(loaded.filter(one => /@opentui|solid-js/.test(one))).toEqual([])
})

test("keys come from stdin where that is a terminal, and from nowhere where nothing is shown on one", () => {
  const streams = [process.stdin, process.stdout] as const
  const before = streams.map(stream => Object.getOwnPropertyDescriptor(stream, "isTTY"))
  opened(() =>
    streams.forEach((stream, i) => {
      Object.defineProperty(stream, "isTTY", before[i] ?? { value: undefined, configurable: true })
    }),
  )
  const from = (isIn: boolean, isOut: boolean, plain: boolean) => {
    for (const [i, value] of [isIn, isOut].entries())
      Object.defineProperty(streams[i], "isTTY", { value, configurable: true })
    return keyboard(plain)
  }
  expect([from(true, false, true), from(true, true, false)]).toEqual([process.stdin, process.stdin])
  expect([from(false, false, false), from(false, true, true)]).toEqual([null, null])
})
