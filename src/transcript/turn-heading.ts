// The heading of a turn: its number, the model, how long it took and how many tokens.
import type { TurnFacts } from "../run/select/turn-facts.ts"
import { type Line, line, span } from "../ui/line.ts"
import { count, duration, width } from "../ui/text-width.ts"

/** In order of importance, the most important last; empty where nothing is known. */
export function turnWords({ model, ms, usage }: TurnFacts): readonly string[] {
  const { input, output, cached } = usage
  const came = cached === null || cached === 0 ? "" : ` (${count(cached)} cached)`
  return [
    ...(model === null ? [] : [model]),
    ...(ms === null ? [] : [duration(ms)]),
    ...(input === null ? [] : [`${count(input)} in${came}`]),
    ...(output === null ? [] : [`${count(output)} out`]),
  ]
}

/** As many facts as fit; the cached tokens go first, then the model. */
export function turnLine(turn: number, facts: TurnFacts | null, columns: number): Line {
  const name = turn === 0 ? "before the first turn" : `turn ${turn}`
  const whole = facts === null ? [] : turnWords(facts)
  const short = facts === null ? [] : turnWords({ ...facts, usage: { ...facts.usage, cached: null } })
  const words = [whole, ...Array.from({ length: short.length + 1 }, (_, i) => short.slice(i))]
  const heads = words.map(some => `── ${[name, ...some].join(" · ")} `)
  const head = heads.find(one => width(one) <= columns) ?? `── ${name} `
  return line(span(head + "─".repeat(Math.max(0, columns - width(head))), "dim"))
}
