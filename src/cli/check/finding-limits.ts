// Lists and reads the limits from which on something is a finding.
import { type FindingLimits, usualLimits } from "../../run/model/finding.ts"
import { number } from "../option-value.ts"

const wholeFrom = (least: number) => (called: string, text: string) =>
  number(called, text, least, 1_000_000, "a whole number")

/** From when on something is a finding, in NEEDS YOU and for `check`. */
export const LIMIT_OPTIONS = {
  silence: {
    type: "string",
    takes: "SECONDS",
    unset: "60",
    check: (called: string, text: string) => number(called, text, 1, 86_400),
    about: "how long a model may say nothing; default 60, and live 45 before a reply and 20 in it",
  },
  repeats: {
    type: "string",
    takes: "N",
    unset: "3",
    check: wholeFrom(2),
    about: "from how many identical calls in a row on; default 3",
  },
  retries: {
    type: "string",
    takes: "N",
    unset: "3",
    check: wholeFrom(1),
    about: "from which retry of a turn on; default 3",
  },
  context: {
    type: "string",
    takes: "PERCENT",
    unset: "80",
    check: (called: string, text: string) => number(called, text.replace(/%$/, ""), 1, 100),
    about: "from which share of the context window on; default 80",
  },
  growth: {
    type: "string",
    takes: "FACTOR",
    unset: "3",
    check: (called: string, text: string) => number(called, text, 1, 1000),
    about: "how many times the input of the turn before; default 3",
  },
  cost: {
    type: "string",
    takes: "DOLLARS",
    unset: "any",
    check: (called: string, text: string) => number(called, text, 0, 1e9),
    about: "the most that a run may cost; default any",
  },
  duration: {
    type: "string",
    takes: "SECONDS",
    unset: "any",
    check: (called: string, text: string) => number(called, text, 0, 1e9),
    about: "the longest that a run may take; default any",
  },
} as const

type LimitFlags = { readonly [Name in keyof typeof LIMIT_OPTIONS]?: string | undefined }

/** The limits that checked flags say; the usual ones for the rest. */
export function findingLimits(flags: LimitFlags): FindingLimits {
  const { silence, repeats, retries, context, growth, cost, duration } = flags
  return {
    silence: silence === undefined ? usualLimits.silence : Number(silence) * 1000,
    repeats: repeats === undefined ? usualLimits.repeats : Number(repeats),
    retries: retries === undefined ? usualLimits.retries : Number(retries),
    context: context === undefined ? usualLimits.context : Number(context.replace(/%$/, "")) / 100,
    growth: growth === undefined ? usualLimits.growth : Number(growth),
    cost: cost === undefined ? usualLimits.cost : Number(cost),
    duration: duration === undefined ? usualLimits.duration : Number(duration) * 1000,
  }
}
