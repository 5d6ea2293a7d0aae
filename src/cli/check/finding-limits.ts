// Reads from when on something is a finding.
import { type FindingLimits, usualLimits } from "../../run/model/finding.ts"
import type { FlagValues, LIMIT_OPTIONS } from "../option-table.ts"

/** The limits that checked flags say; the usual ones for the rest. */
export function findingLimits(flags: Pick<FlagValues, keyof typeof LIMIT_OPTIONS>): FindingLimits {
  const { silence, repeats, retries, context, growth } = flags
  return {
    silence: silence === undefined ? usualLimits.silence : Number(silence) * 1000,
    repeats: repeats === undefined ? usualLimits.repeats : Number(repeats),
    retries: retries === undefined ? usualLimits.retries : Number(retries),
    context: context === undefined ? usualLimits.context : Number(context.replace(/%$/, "")) / 100,
    growth: growth === undefined ? usualLimits.growth : Number(growth),
  }
}
