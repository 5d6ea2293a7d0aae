// Prints a filter as its canonical text.
import type { Filter, Term } from "./filter.ts"
import { isBare } from "./text-cursor.ts"
import { printMoment } from "./value.ts"

/** The canonical text of a filter, without redundant quotes, slashes and parentheses. Parses to an equal filter. */
export function print(filter: Filter): string {
  // `and` binds more tightly than `or`.
  const isGroup = (part: Filter): boolean => "parts" in part && (filter.type !== "or" || part.type === "or")
  const inside = (part: Filter): string => (isGroup(part) ? `(${print(part)})` : print(part))
  if (filter.type === "not") return `not ${inside(filter.part)}`
  if ("parts" in filter) return filter.parts.map(inside).join(filter.type === "or" ? " or " : " ")
  return printTerm(filter)
}

function printTerm(term: Term): string {
  switch (term.type) {
    case "word":
      return term.word
    case "glob":
      return `${term.key}${term.op}${isBare(term.glob, false) ? term.glob : quote(term.glob)}`
    case "plain":
      return `${term.key}~${quote(term.text)}`
    case "pattern": {
      const bare = term.flags === "i" && isBare(term.source, true)
      return `${term.key}~${bare ? term.source : `/${term.source}/${term.flags}`}`
    }
    case "number":
      return `${term.key}${term.op}${term.value}`
    case "time":
      return `ts${term.op}${printMoment(term.moment)}`
  }
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`
}
