// Tests that the libraries of the screen are loaded on demand: after the plugin that transforms sources, and by no command.
import { expect, test } from "bun:test"
import { dirname, join } from "node:path"
import { keyboard } from "../../src/app/load-surface.ts"
import { root } from "../fixtures.ts"
import { opened } from "../screen/open-screens.ts"

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
