// Tests when the program is loaded from its bundle, and when from its sources.
import { beforeAll, expect, test } from "bun:test"
import { cpSync, existsSync, mkdirSync, statSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { fileScratch } from "../scratch.ts"
import { openTerminal, type Terminal } from "./terminal.ts"

const copy = fileScratch()
const bundle = join(copy, "dist/app.js")

beforeAll(() => {
  for (const name of ["src", "packages", "bin", "build", "build.ts", "package.json", "tsconfig.json", "bunfig.toml"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
})

function start(): Promise<Terminal> {
  const env = { OPENTUI_REPLAY: join(root, "fixtures/frames/demo.jsonl") }
  return openTerminal({ cmd: [process.execPath, "run", "src/main.tsx"], cwd: copy, cols: 100, rows: 30, env })
}

test("the program starts from its sources without a bundle and prepares one, and loads it next time unless a source is newer", async () => {
  {
    await using first = await start()
    await first.waitFor(() => existsSync(join(copy, "dist/.making")))
    const locked = statSync(join(copy, "dist/.making")).mtimeMs
    await first.waitFor("end of recording")
    // The lock is removed once the bundle is there.
    await first.waitFor(() => existsSync(bundle) && !existsSync(join(copy, "dist/.making")))
    // It is as old as the sources that were read, so that one edited during the build is newer.
    expect(statSync(bundle).mtimeMs - locked).toBeLessThan((Date.now() - locked) / 2)
  }
  {
    await using second = await start()
    await second.waitFor("end of recording")
  }
  await Bun.write(bundle, "export const main = () => process.exit(7)\n")
  {
    await using third = await start()
    expect(await third.exited).toBe(7)
  }
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(copy, "src/screen/Screen.tsx"), later, later)
  // As if another start had begun to build, which this one leaves alone.
  mkdirSync(join(copy, "dist/.making"))
  {
    await using fourth = await start()
    await fourth.waitFor("end of recording")
  }
  expect(await Bun.file(bundle).text()).toContain("exit(7)")
})
