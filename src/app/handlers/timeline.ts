// Shows another moment of the run, and records the run.
import type { TimelinePlayer } from "../../timeline/player.ts"
import type { Recorder } from "../../timeline/recorder.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function timelineHandlers(
  player: TimelinePlayer,
  recorder: Recorder | null,
): HandlersOf<"time/seek" | "time/search" | "recording/toggle"> {
  return {
    "time/seek": ({ moment }) => player.seek(moment),
    "time/search": ({ filter, step }) => player.search(filter, step),
    "recording/toggle": () => recorder?.toggle(),
  }
}
