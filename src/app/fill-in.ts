// Reads all of a log behind a screen that shows its end, and puts the whole run in the place of the end's.
import { LineReader } from "../../packages/wire/src/files/file-reader.ts"
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import type { LogConversion } from "../guest/convert-log.ts"
import { noMarkers, withMarkers } from "../query/timeline-markers.ts"
import { fold } from "../run/fold.ts"
import { Snapshots } from "../run/memory/snapshots.ts"
import { initialRun, type Run } from "../run/model/run.ts"
import type { TimelinePlayer } from "../timeline/player.ts"
import { Collector } from "../transport/collector.ts"
import { decodeLine } from "../transport/message.ts"
import type { LogPart } from "./open-source.ts"
import type { RunContext } from "./run-context.ts"
import { TimeSlices } from "./time-slices.ts"

/** Lines folded before the event loop may get a turn. */
const PIECE = 128

/** The run of a recording that may grow, with the number of bytes read. Null once stopped. Rejects with a file error. */
async function foldRecording(path: string, first: Run, slices: TimeSlices) {
  const reader = await LineReader.open(path)
  const [snapshots, garbage] = [new Snapshots(first), new Collector()]
  let [run, marks] = [first, noMarkers]
  slices.begin()
  try {
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      for (let at = 0; at < lines.length; at += PIECE) {
        const before = run
        run = fold(run, lines.slice(at, at + PIECE).map(decodeLine))
        marks = withMarkers(marks, before, run)
        snapshots.keep(run)
        await slices.yieldIfDue()
        if (slices.stopped) return null
      }
      garbage.add(lines.reduce((sum, { length }) => sum + length, 0))
    }
    return { run, snapshots, marks, bytes: reader.offset }
  } finally {
    await reader.close()
  }
}

/** Puts the whole log in the place of its end, once it is converted and folded. Never rejects. */
export async function fillIn(part: LogPart, context: RunContext, player: TimelinePlayer): Promise<void> {
  const { store, signal, notify } = context
  const slices = new TimeSlices(context.clock)
  signal.addEventListener("abort", () => slices.stop())
  let whole: LogConversion | null = null
  try {
    whole = await part.whole()
    // What was folded is void if the conversion has begun again.
    for (let begun = -1; begun !== whole.begun && !slices.stopped; ) {
      begun = whole.begun
      const folded = await foldRecording(whole.path, initialRun(store.get().run.options), slices)
      if (folded === null || begun !== whole.begun) continue
      part.goOn(whole, folded.bytes)
      store.dispatch({ type: "show", run: null })
      player.restart()
      player.replaceRun(0, folded)
      notify("The whole log is read")
      return
    }
  } catch (error) {
    notify(`What precedes this is not shown: ${describeFileError(error)}`)
  }
  whole?.close()
}
