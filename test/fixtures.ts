// Names the repository's root and the recordings under fixtures/.
import { join } from "node:path"
import { decode } from "../packages/wire/src/decode.ts"
import type { Decoded } from "../packages/wire/src/frame.ts"

/** The repository: what the spawner calls `<DIR>`. */
export const root = join(import.meta.dir, "..")

/** The path of a made-up recording: `fixture("demo")`. */
export const fixture = (name: string): string => join(root, "fixtures/frames", `${name}.jsonl`)

/** The path of the recording of a real run (fixtures/README.md). */
export const haiku = join(root, "fixtures/recordings/haiku-tournament.jsonl")

/** The frames of a recording. Rejects if there is no such file. */
export async function readFrames(path: string): Promise<readonly Decoded[]> {
  const lines = (await Bun.file(path).text()).split("\n")
  return lines.filter(text => text !== "").map(text => decode(text))
}
