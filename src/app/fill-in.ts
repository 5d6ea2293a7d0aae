// Reads all of a log behind the screen that shows its end, and puts the whole run in the place of the end's.
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import { noMarkers, withMarkers } from "../query/timeline-markers.ts"
import { fold } from "../run/fold.ts"
import { Snapshots } from "../run/memory/snapshots.ts"
import { initialRun } from "../run/model/run.ts"
import type { RewrittenRun, TimelinePlayer } from "../timeline/player.ts"
import type { LogSource } from "./log-source.ts"
import type { RunContext } from "./run-context.ts"

/** Never rejects. */
export async function fillIn(source: LogSource, { store, notify }: RunContext, player: TimelinePlayer) {
  const begun = (): RewrittenRun => {
    const run = initialRun(store.get().run.options)
    return { run, marks: noMarkers, snapshots: new Snapshots(run) }
  }
  let whole = begun()
  try {
    await source.readWhole({
      frames(received) {
        const { snapshots } = whole
        const run = fold(
          whole.run,
          received.map(({ frame }) => frame),
        )
        snapshots?.keep(run)
        whole = { run, marks: withMarkers(whole.marks, whole.run, run), snapshots }
      },
      restart() {
        whole = begun()
      },
      link() {
        store.dispatch({ type: "show", run: null })
        player.restart()
        player.replaceRun(0, whole)
        notify("The whole log is read")
      },
    })
  } catch (error) {
    notify(`What precedes this is not shown: ${describeFileError(error)}`)
  }
}
