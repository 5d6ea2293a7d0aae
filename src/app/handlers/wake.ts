// Ends what ends by itself: a notice, and the wait for an op without effect.
import type { RunContext } from "../run-context.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function wakeHandler({ store, clock }: RunContext): HandlersOf<"clock/wake"> {
  const tick = (): void => store.dispatch({ type: "tick", now: clock.now() })
  // Never at the next turn of the event loop: a deadline that has passed is not urgent.
  return { "clock/wake": ({ at }) => void clock.after(Math.max(1, at - clock.now()), tick, false) }
}
