// Reads the beginning and the end of a run's recording, and tells what a list of runs shows of it.

import { TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import { fold } from "../run/fold.ts"
import { noPrices, type Prices } from "../run/model/prices.ts"
import { emptyRun, initialRun, type Run } from "../run/model/run.ts"
import { type TailFacts, tailFacts } from "../run/select/tail-facts.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { decodeLine } from "../transport/message.ts"

/** Number of bytes read from the end, and from the beginning of a recording that is longer. */
const TAIL = 1024 * 1024
const HEAD = 4 * 1024

/** The facts of the run in a directory; null if its recording can't be read. Never rejects. */
export async function readTail(directory: string, prices: Prices = noPrices): Promise<TailFacts | null> {
  const opened = (await SessionDirectory.open(directory)).value
  const size = (await opened?.stat(TRANSCRIPT))?.value?.size
  if (opened === undefined || size === undefined) return null
  const from = Math.max(0, size - TAIL)
  const tail = (await opened.read(TRANSCRIPT, from, TAIL)).value
  if (tail === undefined) return null
  const lines = tail.text.split("\n")
  // The first line is incomplete if reading began in the middle; so is the last while it is written.
  const run = folded(from === 0 ? lines : lines.slice(1), prices)
  if (from === 0) return tailFacts(run, null)
  const head = (await opened.read(TRANSCRIPT, 0, HEAD)).value
  return tailFacts(run, folded((head?.text ?? "").split("\n").slice(0, -1), prices))
}

/** Folded, so that a list says what the header of the run says. */
function folded(lines: readonly string[], prices: Prices): Run {
  return fold(initialRun({ ...emptyRun, prices }), lines.map(decodeLine))
}
