// Feeds hostile lines to the decoder, the store and everything that prints them.
import { decode } from "../../packages/wire/src/decode.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { features } from "../../src/panels/plan.ts"
import { TEXT_BUDGET } from "../../src/run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../../src/run/memory/pack-rows.ts"
import type { Run } from "../../src/run/model/run.ts"
import { report } from "../../src/run/select/report.ts"
import { newLines, plainStatusLines } from "../../src/screen/plain/run-lines.ts"
import { decodeMessage, type ReceivedFrame, recordingLine } from "../../src/transport/message.ts"
import { ReorderBuffer } from "../../src/transport/reorder-buffer.ts"
import { createStore, shownState } from "../../src/view/store.ts"
import type { Random } from "../chaos/random.ts"
import { hostileLines } from "./hostile.ts"

/** Frames that are folded in one go. */
const BATCH = 512
/** Batches after which the whole run is told. */
const TELL = 64

export interface Fed {
  readonly run: Run
  /** Messages that went in, and lines that came of them. */
  readonly messages: number
  readonly lines: number
  /** Wrong things that were noticed. */
  readonly complaints: readonly string[]
}

/** Feeds `count` messages, without catching errors. `fed` is called now and then with the count and the problems. */
export function feed(
  count: number,
  random: Random,
  fed: (messages: number, complaints: readonly string[]) => void = () => undefined,
): Fed {
  const link = { state: "open", url: "ws://127.0.0.1/", since: 0 } as const
  const store = createStore({
    ...features,
    link,
    given: {
      strategy: random.pick(["xml", "json", "sentinel", "api_tool_call"]),
      rowWindow: ROW_WINDOW,
      textBudget: TEXT_BUDGET,
    },
  })
  const hostile = hostileLines(random)
  const order = new ReorderBuffer<ReceivedFrame>()
  const complaints = new Set<string>()
  let lines = 0
  for (let done = 0, batch = 0; done < count; batch++) {
    const arrivals: ReceivedFrame[] = []
    for (let n = 0; n < BATCH && done < count; n++, done++) {
      for (const received of decodeMessage(hostile.next().value)) {
        if (typeof received === "number") continue
        // An answer is folded only if it is our own, so here every second one is.
        const own = decode(received.text)
        const arrival = own.kind === "answer" && done % 2 === 0 ? { ...received, frame: own } : received
        // A recording must give the same frame again.
        if (n % 64 === 0) recordingLine(arrival)
        arrivals.push(...order.push(arrival, done))
      }
      arrivals.push(...order.takeDue(done))
    }
    lines += arrivals.length
    const before = store.get()
    store.dispatch({ type: "frames", frames: arrivals.map(({ frame }) => frame) })
    if (batch % TELL !== 0) continue
    const after = store.get()
    JSON.stringify(report(after.run))
    for (const line of [...newLines(shownState(before), shownState(after)), ...plainStatusLines(shownState(after))]) {
      if (line !== sanitize(line)) complaints.add(`shown as it came: ${JSON.stringify(line.slice(0, 200))}`)
    }
    fed(done, [...complaints])
  }
  const rest = order.flush()
  store.dispatch({ type: "frames", frames: rest.map(({ frame }) => frame) })
  const { run } = store.get()
  if (run.frames.lines !== lines + rest.length)
    complaints.add(`${run.frames.lines} lines counted of ${lines + rest.length}`)
  if ("polluted" in {}) complaints.add("a prototype was changed")
  return { run, messages: count, lines: lines + rest.length, complaints: [...complaints].slice(0, 20) }
}
