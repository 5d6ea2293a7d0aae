// Reads what a person typed to filter or to search: a filter, or words that shall be found as they stand.

import { type Filter, KEYS, WORDS } from "./filter.ts"
import { parse } from "./parse.ts"
import { print } from "./print.ts"
import type { ParseError } from "./text-cursor.ts"

export type Typed = { readonly filter: Filter; readonly text: string } | { readonly error: ParseError }

const NAMES: readonly string[] = [...KEYS, ...WORDS, "and", "or", "not"]

/** Text without any sign or word of the language is looked for as it stands: `first snow` is `text~"first snow"`. */
export function readTyped(text: string): Typed {
  const parsed = parse(text)
  if ("filter" in parsed) return { filter: parsed.filter, text: print(parsed.filter) }
  const plain = text.trim()
  const isPlain =
    !/[=~<>!()"]/.test(plain) &&
    !plain
      .toLowerCase()
      .split(/\s+/)
      .some(word => NAMES.includes(word))
  if (!isPlain || plain === "") return parsed
  const filter: Filter = { type: "plain", key: "text", text: plain }
  return { filter, text: print(filter) }
}
