import { type TurnFacts, troubleWords } from "../run/select/turn-facts.ts"
import { clipSpans, type Line, lineWidth, span } from "../ui/line.ts"
import { count, duration, width } from "../ui/text-width.ts"

/** In order of importance, the most important last; empty where nothing is known. */
export function turnWords(facts: TurnFacts): readonly string[] {
  return [...figureWords(facts), ...troubleWords(facts)]
}

function figureWords({ model, ms, usage, captured }: TurnFacts): readonly string[] {
  const { input, output, cached } = usage
  const came = cached === null || cached === 0 ? "" : ` (${count(cached)} cached)`
  return [
    ...(model === null ? [] : [model]),
    ...(ms === null ? [] : [duration(ms)]),
    ...(input === null ? [] : [`${count(input)} in${came}`]),
    ...((output ?? 0) === 0 ? [] : [`${count(output ?? 0)} out`]),
    ...(captured ? ["captured"] : []),
  ]
}

/** As many facts as fit; the cached tokens go first, then the model. The failure stays. */
export function turnLine(turn: number, facts: TurnFacts | null, columns: number): Line {
  const name = turn === 0 ? "before the first turn" : `turn ${turn}`
  const whole = facts === null ? [] : figureWords(facts)
  const short = facts === null ? [] : figureWords({ ...facts, usage: { ...facts.usage, cached: null } })
  const trouble = facts === null ? [] : troubleWords(facts)
  const words = [whole, ...Array.from({ length: short.length + 1 }, (_, i) => short.slice(i))]
  const headOf = (some: readonly string[]) => `── ${[name, ...some].join(" · ")} `
  const room = columns - width(trouble.map(one => `· ${one} `).join(""))
  const head = headOf(words.find(some => width(headOf(some)) <= room) ?? [])
  const token = facts !== null && facts.failedTools > 0 ? "error" : "warn"
  const spans = [span(head, "dim"), ...trouble.flatMap(one => [span("· ", "dim"), span(`${one} `, token)])]
  const rest = Math.max(0, columns - lineWidth(spans))
  return { spans: clipSpans([...spans, span("─".repeat(rest), "dim")], columns, "") }
}
