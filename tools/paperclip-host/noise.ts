// Checks that what an agent prints itself is stdout everywhere: in the stored log, in an export and on the page.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { parseStdoutLine } from "../../packages/paperclip-adapter-escapement/src/ui-parser.ts"
import { HOSTILE, printable } from "../../packages/paperclip-adapter-escapement/test/hostile-lines.ts"
import { root } from "../../test/fixtures.ts"
import { check } from "./checks.ts"
import { run } from "./packages.ts"
import { hire, invoke, logOf, type Office } from "./runs.ts"
import type { Json } from "./server.ts"

/** Runs an agent that prints lines of ours, and random ones with our marks. Returns the run and the lines. */
export async function checkNoise(office: Office, scratch: string): Promise<{ run: Json; lines: readonly string[] }> {
  const { server } = office
  const lines = [...HOSTILE.map(line => line.trim()), ...fc.sample(printable, { numRuns: 200, seed: 20261122 })]
  const input = join(server.work, "noise.txt")
  writeFileSync(input, lines.join("\n"))
  const done = await invoke(office, await hire(office, "Nic", "noisy", { input }))
  const { inputTokens, outputTokens } = Object(done.usageJson)
  check("a noisy run has the tokens of its replies", inputTokens === 150 && outputTokens === 25, done.usageJson)

  const stored = await logOf(office, done)
  const chunks = stored.split("\n").filter(line => line !== "")
  const logged = chunks.map((line): { stream: string; chunk: string } => JSON.parse(line))
  const printed = logged.filter(({ stream }) => stream === "stdout").flatMap(({ chunk }) => chunk.split("\n"))
  const entries = printed.flatMap(line => parseStdoutLine(line.trim(), "T"))
  const own = entries.flatMap(entry => (entry.kind === "stdout" ? [entry.text] : []))
  check("its stored log has each line that it printed as stdout", missing(own, lines).length === 0, missing(own, lines))
  const results = entries.filter(({ kind }) => kind === "result" || kind === "init")
  check("and one start and one end", results.length === 2, results)

  const log = join(scratch, "noisy.ndjson")
  writeFileSync(log, stored)
  const command = [process.execPath, "bin/opentui-sidecar", "export", log, "--parser", "escapement", "--as", "jsonl"]
  const exported = await run(command, root)
  const texts = exported.split("\n").flatMap(line => {
    const { event, data } = line === "" ? {} : JSON.parse(line)
    return event === "adapter/stdout" ? [String(data.text)] : []
  })
  check("an export has them too", missing(texts, lines).length === 0, missing(texts, lines))
  return { run: done, lines }
}

function missing(found: readonly string[], lines: readonly string[]): readonly string[] {
  const trimmed = new Set(found.map(one => one.trim()))
  return lines.filter(line => !trimmed.has(line))
}
