// Lists, searches, exports and shows a session directory with a hundred thousand oddly named files.
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { SessionDirectory } from "../../src/session-dir/session-directory.ts"
import { root } from "../../test/fixtures.ts"
import { named } from "../../test/pty/corpus.ts"
import { isOurs, STEERING, takeApart } from "../../test/pty/sequences.ts"
import { openTerminal } from "../../test/pty/terminal.ts"
import { scratch } from "../../test/scratch.ts"
import { limited, MOST_CHILD_MB } from "./child.ts"
import { type Part, say } from "./part.ts"

const FILES = 100_000
const LISTED = 10_000

export const manyFiles: Part = async ({ progress, wrong }) => {
  using path = scratch()
  const run = join(path.path, "run")
  await mkdir(join(run, "artifacts"), { recursive: true })
  await Bun.write(join(run, "transcript.jsonl"), '{"event":"runner/started","seq":0,"ts":1,"data":{}}\n')
  for (let n = 0; n < FILES; n++) {
    await Bun.write(join(run, "artifacts", `${named} ${n}`), n % 1000 === 0 ? "tea" : "")
    progress(`${n} files made`)
  }
  const began = performance.now()
  const listed = await (await SessionDirectory.open(run)).value?.list("artifacts")
  const { entries = [], truncated: cut = false } = listed?.value ?? {}
  say(`  ${entries.length} of ${FILES} listed in ${Math.round(performance.now() - began)} ms`)
  if (entries.length !== LISTED || !cut) wrong("the listing was not cut")
  for (const args of [
    ["fold", run],
    ["sessions", path.path],
    ["search", "tea", path.path],
    ["export", run, "--as", "html"],
  ]) {
    const { ran, mb, seconds } = await limited(args, path.path)
    say(`  ${args[0]}: exit ${ran.code}, ${seconds} s, at most ${mb} MB`)
    if (ran.code !== 0) wrong(`${args[0]}: exit ${ran.code}, ${ran.err}`)
    if (mb > MOST_CHILD_MB) wrong(`${args[0]}: ${mb} MB`)
    for (const text of [ran.out, ran.err]) if (STEERING.test(text)) wrong(`${args[0]} let a control out`)
  }
  await onTheScreen(run, wrong)
}

async function onTheScreen(run: string, wrong: (words: string) => void): Promise<void> {
  const cmd = [join(root, "bin/opentui-sidecar"), "replay", run, "--timing", "instant"]
  await using terminal = await openTerminal({ cmd, cols: 120, rows: 36 })
  await terminal.waitFor("─ LOG")
  const began = performance.now()
  terminal.press("i4")
  await terminal.waitFor(/4040/, { timeoutMs: 120_000 })
  say(`  shown in ${Math.round(performance.now() - began)} ms`)
  terminal.press("G")
  terminal.press("\x1b")
  await terminal.waitFor("─ LOG")
  terminal.press("\x03")
  await terminal.exited
  const { sequences, text } = takeApart(terminal.raw)
  for (const one of sequences.filter(sequence => !isOurs(sequence))) wrong(`on the screen: ${JSON.stringify(one)}`)
  if (STEERING.test(text)) wrong("the screen let a control out")
}
