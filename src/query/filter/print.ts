import type { Filter, Term } from "./filter.ts"
import { isBare } from "./text-cursor.ts"
import { printMoment } from "./value.ts"

/** The canonical text of a filter, without redundant quotes, slashes and parentheses. Parses to an equal filter. */
export function print(filter: Filter): string {
  switch (filter.type) {
    case "and":
      return filter.parts.map(part => (isList(part) ? `(${print(part)})` : print(part))).join(" ")
    case "or":
      return filter.parts.map(part => (part.type === "or" ? `(${print(part)})` : print(part))).join(" or ")
    case "not":
      return isList(filter.part) ? `not (${print(filter.part)})` : `not ${print(filter.part)}`
    case "word":
    case "glob":
    case "plain":
    case "pattern":
    case "number":
    case "time":
      return printTerm(filter)
  }
}

function isList(filter: Filter): boolean {
  return filter.type === "and" || filter.type === "or"
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
