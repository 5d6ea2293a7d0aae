// Keeps when the files of subagents are read, and what of them, as each CLI lays them out.
import { expect, test } from "bun:test"
import { appendFile, mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { AgentFiles } from "../../src/guest/agent-files.ts"
import { jsonl } from "../agent/ui.ts"
import { fileScratch } from "../scratch.ts"

interface Case {
  readonly about: string
  /** The session's file. */
  readonly log: string
  /** Each appends lines to files, and takes the lines until a time. */
  readonly steps: readonly {
    readonly files?: { readonly [name: string]: readonly unknown[] }
    readonly until?: number
  }[]
}

const CASES = await jsonl<Case>("../../guest/agent-files")

test.each(CASES.map(one => [one.about, one] as const))("%s", async (_, one) => {
  const place = fileScratch()
  const files = new AgentFiles(join(place, one.log), fileScratch())
  const shown = [`of the session ${files.session}`]
  for (const { files: written = {}, until = Number.POSITIVE_INFINITY } of one.steps) {
    for (const [name, lines] of Object.entries(written)) {
      await mkdir(dirname(join(place, name)), { recursive: true })
      await appendFile(join(place, name), lines.map(line => `${JSON.stringify(line)}\n`).join(""))
    }
    await files.read()
    const due = files.until(until).map(({ text }) => `  ${text}`)
    shown.push(`until ${until}${files.areWaiting ? ", and more waits" : ""}:`, ...due)
  }
  await files.close()
  expect(shown.join("\n")).toMatchSnapshot()
})
