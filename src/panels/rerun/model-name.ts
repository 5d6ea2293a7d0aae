// Reads a model that was typed or picked: an alias, a provider's model, or a model by its name alone.
import type { CatalogFrame } from "../../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"

/** The model of a re-run; an alias excludes the others (docs/contract.md section 3). */
export type ModelChoice =
  | { readonly alias: string }
  | { readonly provider: string; readonly model: string }
  | { readonly model: string }

/** Models to pick: preferred aliases, other aliases, then the models behind them. */
export function candidates(catalog: CatalogFrame | null): readonly string[] {
  if (catalog === null) return []
  const rank = (alias: string): number => {
    const at = catalog.preferences?.indexOf(alias) ?? -1
    return at < 0 ? Number.POSITIVE_INFINITY : at
  }
  const aliases = catalog.aliases
    .filter(({ alias }) => alias !== "")
    .toSorted((a, b) => (rank(a.alias) === rank(b.alias) ? 0 : rank(a.alias) - rank(b.alias)))
  const targets = aliases.flatMap(one => one.targets.flatMap(target => targetName(target)))
  return [...new Set([...aliases.map(one => sanitizeLine(one.alias)), ...targets])]
}

/** The models that an alias stands for; empty if it is no alias. */
export function meaning(catalog: CatalogFrame | null, name: string): string {
  const known = catalog?.aliases.find(({ alias }) => sanitizeLine(alias) === name)
  return known?.targets.flatMap(target => targetName(target)).join(", ") ?? ""
}

function targetName(target: { readonly provider: string | null; readonly model: string | null }): string[] {
  const { provider, model } = target
  if (model === null) return []
  return [sanitizeLine(provider === null ? model : `${provider} ${model}`)]
}

/** A text as a known alias, else "provider model", else a model alone; null for no text. */
export function modelOf(text: string, catalog: CatalogFrame | null): ModelChoice | null {
  const name = text.trim()
  if (name === "") return null
  const alias = catalog?.aliases.find(one => sanitizeLine(one.alias) === name)
  if (alias !== undefined) return { alias: alias.alias }
  const [, provider, model] = /^(\S+)\s+(.+)$/s.exec(name) ?? []
  return provider === undefined || model === undefined ? { model: name } : { provider, model }
}
