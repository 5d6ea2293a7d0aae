// Parses what a user types to filter or search: a filter, or plain words to look for.
import { type Filter, KEYS, WORDS } from "./filter.ts"
import { parse } from "./parse.ts"
import { print } from "./print.ts"
import type { ParseError } from "./text-cursor.ts"

export type Typed = { readonly filter: Filter; readonly text: string } | { readonly error: ParseError }

const NAMES: readonly string[] = [...KEYS, ...WORDS, "and", "or", "not"]

/**
 * A text without operators or words of the language is searched for as it is: `first snow` means `text~"first snow"`.
 */
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
