// Converts and folds a log as the program does.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { decode } from "../../packages/wire/src/decode.ts"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"

/** The run in a log that is over. */
export async function runOfLog(path: string): Promise<Run> {
  return fold(emptyRun, (await framesOfLog(path)).map(decode))
}

/** The recording that a log is converted to, line by line. */
export async function framesOfLog(path: string): Promise<readonly string[]> {
  const scratch = await mkdtemp(join(tmpdir(), "log-run-"))
  try {
    const parser = startParser(chooseParser(undefined, scratch))
    const conversion = await LogConversion.open(path, scratch, parser, { grows: false })
    const lines = (await Bun.file(conversion.path).text()).trimEnd().split("\n")
    conversion.close()
    return lines
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
