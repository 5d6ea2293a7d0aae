// Converts and folds a log as the program does.
import { decode } from "../../packages/wire/src/decode.ts"
import { chooseParser, startParser } from "../../src/guest/choose-parser.ts"
import { LogConversion } from "../../src/guest/convert-log.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun, type Run } from "../../src/run/model/run.ts"
import { scratch } from "../../test/scratch.ts"

/** The run in a log that is over. */
export async function runOfLog(path: string): Promise<Run> {
  return fold(emptyRun, (await framesOfLog(path)).map(decode))
}

/** The recording that a log is converted to, line by line. */
export async function framesOfLog(path: string): Promise<readonly string[]> {
  using place = scratch()
  const parser = startParser(chooseParser(undefined, place.path))
  const conversion = await LogConversion.open(path, place.path, parser, { grows: false })
  const lines = (await Bun.file(conversion.path).text()).trimEnd().split("\n")
  conversion.close()
  return lines
}
