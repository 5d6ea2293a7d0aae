// Makes what is drawn follow the clock, as often as something on the screen moves by itself.
import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js"
import { SILENT_MS, silentAt } from "../panels/alerts/alerts.ts"
import type { State } from "../view/state.ts"
import { pulse } from "./pulse.ts"

/** Changes whenever the clock must be looked at again. `now` reads it, in epoch ms. */
export function useClock(state: Accessor<State>, motion: boolean, now: () => number): Accessor<number> {
  const [ticked, setTicked] = createSignal(now())
  createEffect(() => {
    const period = pulse(state(), motion)
    if (period === null) return
    const timer = setInterval(() => setTicked(now()), period)
    onCleanup(() => clearInterval(timer))
  })
  // One look when a session may have been silent for too long; until then nothing is reckoned.
  let listening: Timer | null = null
  createEffect(() => {
    ticked()
    const at = listening === null ? silentAt(state(), now()) : null
    if (at === null) return
    const end = () => {
      listening = null
      setTicked(now())
    }
    listening = setTimeout(end, Math.min(SILENT_MS, at - now()))
  })
  onCleanup(() => listening !== null && clearTimeout(listening))
  return ticked
}
