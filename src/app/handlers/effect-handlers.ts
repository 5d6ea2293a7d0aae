// Performs effects: one handler for each type of effect.
import type { Effect } from "../../view/effect.ts"

export type EffectOf<T extends Effect["type"]> = Extract<Effect, { readonly type: T }>

export type EffectHandlers = { readonly [T in Effect["type"]]: (effect: EffectOf<T>) => void }

export type HandlersOf<T extends Effect["type"]> = Pick<EffectHandlers, T>

export function perform(handlers: EffectHandlers, effects: readonly Effect[]): void {
  for (const effect of effects) handle(handlers, effect)
}

function handle<T extends Effect["type"]>(handlers: EffectHandlers, effect: EffectOf<T>): void {
  const type: T = effect.type
  handlers[type](effect)
}
