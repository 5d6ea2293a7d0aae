// Tests an agent CLI in a terminal, as people start it: a script prints the log of one.
import { expect, test } from "bun:test"
import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { root } from "../fixtures.ts"
import { scratch } from "../scratch.ts"
import { openSidecar, spawned } from "./sidecar.ts"
import type { Terminal } from "./terminal.ts"

const LOG = join(root, "fixtures/agents/claude-2.1.331-tools.jsonl")
const STREAMING = ["-p", "why?", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]
interface Script {
  readonly name: string
  readonly text: string
  readonly args: readonly string[]
  readonly cols?: number
}

/** Calls `work` with a terminal in which the screen runs a script of this name and text, with these arguments. */
async function withScript(
  { name, text, args, cols = 160 }: Script,
  work: (sidecar: Terminal) => Promise<void>,
): Promise<void> {
  using directory = scratch()
  const script = join(directory.path, name)
  await writeFile(script, `#!/bin/sh\n${text}\n`)
  await chmod(script, 0o755)
  await using sidecar = await openSidecar({ cols, rows: 60, cmd: [...spawned, "run", "--", script, ...args] })
  await work(sidecar)
}

async function leave(sidecar: Terminal): Promise<void> {
  expect(await sidecar.press("\x03").exited).toBe(0)
}

// The first is known by its name, the other by what it prints.
test.each(["claude", "fake-claude"])(
  "run -- CLI %s: the header, the row and the transcript say what its result says",
  name =>
    withScript({ name, text: `cat '${LOG}'`, args: STREAMING }, async sidecar => {
      const rows = await sidecar.waitFor(/finished[\s\S]* 153 out/)
      const [header = ""] = rows
      expect(header).toContain(`${name}  parser claude`)
      expect(header).toContain("10,830 in (60% cached)  153 out  $0.0257")
      expect(rows.some(row => /✓ claude +! 1 tool failed/.test(row))).toBe(true)
      // What went well is one row; `z` folds the rest too, and then unfolds all.
      expect(rows.join("\n")).toMatch(/▸ Bash {2}\$ wc -l note\.txt {2}3 note\.txt +✓/)
      await sidecar.press("z").waitFor(/▸ assistant /)
      const screen = (await sidecar.press("z").waitFor(/▎ \$ wc -l note\.txt/)).join("\n")
      expect(screen).toMatch(/\$ wc -l note\.txt\s*│[^\n]*\n[^\n]*description: a scripted call/)
      expect(screen).toContain("3 note.txt")
      // The CLI doesn't print its prompt; the command line of one that is known by its name has it.
      expect(screen.includes("why?")).toBe(name === "claude")
      await leave(sidecar)
    }),
)
