// Tests that the libraries of the screen are loaded on demand: after the plugin that transforms sources, and by no command.
import { expect, test } from "bun:test"
import { dirname, join } from "node:path"
import { root } from "../fixtures.ts"

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
