// Defines the handlers of effects, one for each type, and calls them.
import type { Effect } from "../view/effect.ts"

type EffectOf<T extends Effect["type"]> = Extract<Effect, { readonly type: T }>

export type EffectHandlers = { readonly [T in Effect["type"]]: (effect: EffectOf<T>) => void }

/** Handles the effects in their order; calls `other` where there is no handler. */
export function perform(
  handlers: Partial<EffectHandlers>,
  effects: readonly Effect[],
  other: () => void = () => undefined,
): void {
  for (const effect of effects) handle(handlers, effect, other)
}

function handle<T extends Effect["type"]>(
  handlers: Partial<EffectHandlers>,
  effect: EffectOf<T>,
  other: () => void,
): void {
  const type: T = effect.type
  const known: Partial<EffectHandlers>[T] = handlers[type]
  if (known === undefined) other()
  else known(effect)
}
