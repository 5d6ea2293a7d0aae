// Lists and reads the limits beyond which `check` reports a finding.
import { type FindingLimits, usualLimits } from "../../run/model/finding.ts"
import { numbered, type OptionTable, valued, whole } from "../option.ts"
import { number } from "../option-value.ts"

/** The limits of findings, in NEEDS YOU and for `check`. */
export const LIMIT_OPTIONS = {
  silence: numbered("longest silence of a model; default 60, live 45 before a reply and 20 in it", [1, 86_400], {
    takes: "SECONDS",
    unset: "60",
  }),
  repeats: whole("identical calls in a row that are a finding; default 3", [2, 1_000_000], "3"),
  retries: whole("retries of a turn that are a finding; default 3", [1, 1_000_000], "3"),
  context: valued("share of the context window that is a finding; default 80", {
    takes: "PERCENT",
    unset: "80",
    check: (called: string, text: string) => number(called, text.replace(/%$/, ""), 1, 100),
  }),
  growth: numbered("growth of the input from turn to turn that is a finding; default 3 times", [1, 1000], {
    takes: "FACTOR",
    unset: "3",
  }),
  cost: numbered("highest cost of a run; default no limit", [0, 1e9], { takes: "DOLLARS", unset: "any" }),
  duration: numbered("longest duration of a run; default no limit", [0, 1e9], { takes: "SECONDS", unset: "any" }),
} satisfies OptionTable

type LimitFlags = { readonly [Name in keyof typeof LIMIT_OPTIONS]?: string | undefined }

/** The limits that checked flags say; the usual ones for the rest. */
export function findingLimits(flags: LimitFlags): FindingLimits {
  const given = <Name extends keyof FindingLimits & keyof LimitFlags>(name: Name, scale = 1) =>
    flags[name] === undefined ? usualLimits[name] : Number(flags[name].replace(/%$/, "")) * scale
  return {
    silence: given("silence", 1000),
    repeats: given("repeats"),
    retries: given("retries"),
    context: given("context", 0.01),
    growth: given("growth"),
    cost: given("cost"),
    duration: given("duration", 1000),
  }
}
