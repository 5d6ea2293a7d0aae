import type { Captured } from "../../packages/wire/src/capture.ts"
import type { ChartDefinition } from "../../packages/wire/src/chart-definition.ts"
import type { LocalFrame } from "../../packages/wire/src/encode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import type { ConditionChange } from "../query/conditions.ts"
import type { TimelineMarkers } from "../query/timeline-markers.ts"
import type { Recalled } from "../run/memory/recalled-frames.ts"
import type { Run } from "../run/model/run.ts"
import type { DirectoryFiles } from "./directory-files.ts"
import type { Home } from "./home.ts"
import type { Hands } from "./questions/follow-questions.ts"
import type { RecalledTexts } from "./recalled-texts.ts"
import type { DirectoryStatus } from "./state.ts"
import type { Time } from "./time.ts"
import type { ViewChange } from "./view.ts"

/** A change of the state, already decided. */
export type Action =
  /** From the agent. `hands` is left out where nobody has a keyboard. */
  | { readonly type: "frames"; readonly frames: readonly Decoded[]; readonly hands?: Hands }
  /** Frames of our own: answers, ops and notes. */
  | { readonly type: "local"; readonly frames: readonly LocalFrame[] }
  /** The run folded again with its rows from disk; `shown` is the moment shown, null for the present. */
  /** The run that an earlier opening of a recording read. */
  | { readonly type: "restored"; readonly run: Run; readonly marks: TimelineMarkers }
  | { readonly type: "refilled"; readonly run: Run; readonly shown: Run | null; readonly marks: TimelineMarkers }
  /** The next frames of the run that was received, while its past is played. */
  | { readonly type: "play"; readonly frames: readonly Decoded[] }
  /** Another moment of the run is shown; null for the present. */
  | { readonly type: "show"; readonly run: Run | null }
  | { readonly type: "time"; readonly change: Partial<Omit<Time, "present">> }
  | { readonly type: "link"; readonly link: Link; readonly now: number }
  | { readonly type: "restart"; readonly now: number }
  | { readonly type: "view"; readonly change: ViewChange }
  | { readonly type: "directory"; readonly directory: DirectoryStatus }
  | { readonly type: "defined"; readonly definition: ChartDefinition | null }
  | { readonly type: "files"; readonly change: Partial<DirectoryFiles> }
  | { readonly type: "captured"; readonly ref: string; readonly captured: Captured }
  /** Frames that were read back, by the numbers of their lines. */
  | { readonly type: "recalled"; readonly frames: Recalled }
  /** Nothing can be read back from now on: memory keeps everything. */
  | { readonly type: "hold" }
  | { readonly type: "texts-recalled"; readonly texts: RecalledTexts }
  /** The changes by the key of their condition, and how much of the run was searched. */
  | {
      readonly type: "watched"
      readonly generation: number
      readonly found: ReadonlyMap<number, readonly ConditionChange[]>
      readonly read: number
    }
  | { readonly type: "home"; readonly home: Home }
  | { readonly type: "tick"; readonly now: number }
