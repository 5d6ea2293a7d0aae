// Ticks as often as something on the screen moves by itself.
import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js"
import { silentAt } from "../panels/common/silence.ts"
import { homeList } from "../view/select/home-rows.ts"
import { isOver, type State } from "../view/state.ts"

/** A timer longer than this would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Changes with each tick. `now` reads the clock, epoch ms. */
export function useClock(state: Accessor<State>, motion: boolean, now: () => number): Accessor<number> {
  const [ticked, setTicked] = createSignal(now())
  createEffect(() => {
    const period = pulse(state(), motion, now())
    if (period === null) return
    const timer = setInterval(() => setTicked(now()), period)
    onCleanup(() => clearInterval(timer))
  })
  // Ticks once when a session may have been silent for too long.
  let listening: Timer | null = null
  createEffect(() => {
    ticked()
    const at = listening === null ? silentAt(state(), now()) : null
    if (at === null) return
    const end = () => {
      listening = null
      setTicked(now())
    }
    listening = setTimeout(end, Math.max(0, Math.min(at - now(), MAX_TIMER_MS)))
  })
  onCleanup(() => listening !== null && clearTimeout(listening))
  return ticked
}

/** How often to look at the clock, ms; null where nothing moves by itself (docs/decisions.md 1.12). */
function pulse(state: State, motion: boolean, now: number): number | null {
  const { run, link, home, view, zone } = state
  // Running rows grow older each second.
  if (home !== null) return homeList(home, view.home, zone, now).running > 0 ? 1000 : null
  if (link.state === "lost") return isOver(run) ? null : 1000
  if ((link.state !== "open" && link.state !== "running") || isOver(run)) return null
  // The list of alerts shows how old each is.
  if (state.view.overlays.at(-1)?.type === "alerts") return 1000
  const { counts, open } = run.tally
  const bars = run.facts.progress.some(one => one.fraction === null)
  if ((counts.waiting > 0 || bars) && motion) return 250
  // Rates, and for how long each works.
  return open.length > 0 || bars ? 1000 : null
}
