// Measures a start, from the process to its first frame, against the least that draws with the same library.
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../package.json"
import { scratch } from "../../test/scratch.ts"
import { bin, now, root, runToEnd, start } from "./process.ts"
import { type Found, report } from "./results.ts"
import { FRAME_END } from "./watched.ts"

const ROUNDS = 7

using home = scratch()
const packed = join(home.path, "node_modules/opentui-sidecar")
const executable = join(home.path, "opentui-sidecar")
const env = { OPENTUI_REPLAY: join(root, "fixtures/frames/demo.jsonl") }

// Packing makes the bundle of this repository, too.
runToEnd(root, process.execPath, "pm", "pack", "--destination", home.path)
runToEnd(home.path, "mkdir", "-p", packed)
runToEnd(
  home.path,
  "tar",
  "-xzf",
  join(home.path, `opentui-sidecar-${version}.tgz`),
  "-C",
  packed,
  "--strip-components=1",
)
symlinkSync(join(root, "node_modules"), join(packed, "node_modules"))
runToEnd(root, process.execPath, "build.ts", "compile", executable)
const plain = [process.execPath, "--config=/dev/null", "--no-env-file", "--tsconfig-override=/dev/null"]
const ways: readonly (readonly [string, readonly string[], string])[] = [
  ["a bare @opentui/core hello, the floor", [...plain, join(import.meta.dir, "hello.ts")], ""],
  ["as the agent starts it", [process.execPath, "run", "src/main.tsx"], "≤ ×1.5"],
  ["bin/opentui-sidecar", bin, "≤ ×1.5"],
  ["the same, from the packed tarball", [...plain, join(packed, "bin/opentui-sidecar")], "≤ ×1.5"],
  ["compiled", [executable], "≤ ×0.8"],
]
// In turn, so that what else the machine does falls on all of them.
const rounds: number[][] = []
for (let round = 0; round < ROUNDS; round++) {
  const times: number[] = []
  for (const [, cmd] of ways) times.push(await paint(cmd))
  rounds.push(times)
}
const of = (way: number) => rounds.map(times => times[way] ?? Number.NaN)
const floor = of(0)
report(
  "start",
  ways.flatMap(([what, , goal], way): readonly Found[] => {
    const shares = of(way).map((ms, round) => ms / (floor[round] ?? Number.NaN))
    const ms: Found = { what, values: of(way), unit: "ms" }
    return way === 0 ? [ms] : [ms, { what: `${what}, to the floor`, values: shares, unit: "×", goal }]
  }),
)

/** Ms until the first frame was sent whole. */
async function paint(cmd: readonly string[]): Promise<number> {
  const began = now()
  await using program = start(cmd, { env })
  return (await program.seen(FRAME_END, "a whole frame")) - began
}
