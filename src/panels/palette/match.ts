// Matches what was typed with the title and the search words of a row, and ranks the rows that match.
import { nearestWord } from "../../query/nearest-word.ts"
import type { PaletteEntry } from "./palette-entry.ts"

/** The title, in which letters may be left out, and words that are found by their beginnings. */
type Words = Pick<PaletteEntry, "title" | "words"> & Partial<Pick<PaletteEntry, "kind">>

/** What a run tells of itself: long texts, in which letters can be found that nobody meant. */
const QUOTES: readonly unknown[] = ["error", "state", "bookmark", "question"] satisfies PaletteEntry["kind"][]

/** Best first: the title begins with the text, each word of the text begins one of the title, and so on. */
const RANKS = ["title", "title words", "words", "part", "letters"] as const

type Rank = (typeof RANKS)[number]

/** How a text matches; null if it doesn't. An empty text matches everything. */
export function rankOf(text: string, { title, words, kind }: Words): Rank | null {
  const [typed, shown] = [folded(text).trim(), folded(title)]
  if (shown.startsWith(typed)) return "title"
  const rankIn = (term: string) => termRank(term, shown, folded(words))
  const ranks = typed
    .split(/\s+/)
    // A person may type a plural.
    .map(term => rankIn(term) ?? (rankIn(term.replace(/(?<=[a-z]{3})s$/, "")) === null ? null : "letters"))
  const worst = Math.max(...ranks.map(rank => (rank === null ? RANKS.length : RANKS.indexOf(rank))))
  const rank = RANKS[worst] ?? null
  if (rank === "letters" && QUOTES.includes(kind)) return null
  // Actions come before jumps to places that happen to hold the word.
  return rank !== null && (kind === "error" || kind === "state") ? "part" : rank
}

/** The rows that match, the best first; of equal ones those chosen last, the latest first, then in their order. */
export function ranked<T extends Words & Pick<PaletteEntry, "id">>(
  all: readonly T[],
  text: string,
  chosen: readonly string[],
): readonly T[] {
  const places = new Map(chosen.map((id, place) => [id, place]))
  const byRank = new Map<Rank, T[]>(RANKS.map(rank => [rank, []]))
  for (const one of all) {
    const rank = rankOf(text, one)
    if (rank !== null) byRank.get(rank)?.push(one)
  }
  return [...byRank.values()].flatMap(found => {
    const recent = found.filter(({ id }) => places.has(id))
    if (recent.length === 0) return found
    recent.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
    return [...recent, ...found.filter(({ id }) => !places.has(id))]
  })
}

/** A text like this that rows match: its words, each replaced by the nearest of theirs. Null if there is none. */
export function meantText(text: string, all: readonly Words[]): string | null {
  const known = new Set(all.flatMap(({ title, words }) => folded(`${title} ${words}`).match(/[\p{L}\p{N}]+/gu) ?? []))
  const meant = folded(text)
    .trim()
    .split(/\s+/)
    .map(term => (known.has(term) ? term : nearestWord(term, known)))
    .join(" ")
  return all.some(one => rankOf(meant, one) !== null) ? meant : null
}

/** Where the letters of a text stand in a title that it matches, in UTF-16 units. */
export function matchedUnits(text: string, title: string): ReadonlySet<number> {
  const shown = folded(title)
  const places = new Set<number>()
  for (const term of folded(text).trim().split(/\s+/)) {
    const at = Math.max(wordStart(term, shown), shown.indexOf(term))
    const found = at < 0 ? (lettersIn(term, shown) ?? []) : Array.from({ length: term.length }, (_, i) => at + i)
    for (const place of found) places.add(place)
  }
  return places
}

function termRank(term: string, title: string, words: string): Rank | null {
  if (wordStart(term, title) >= 0) return "title words"
  if (wordStart(term, words) >= 0) return "words"
  if (title.includes(term)) return "part"
  return lettersIn(term, title) === null ? null : "letters"
}

/** Where a word begins with `term`; -1 if none does. */
function wordStart(term: string, text: string): number {
  let at = text.indexOf(term)
  while (isWordUnit(text[at - 1])) at = text.indexOf(term, at + 1)
  return at
}

/** Where the letters of `term` stand: each begins a word or follows the letter before it. Null if they don't. */
function lettersIn(term: string, text: string): readonly number[] | null {
  // For each letter the places where it can stand, each with the place of the letter before it.
  const steps: Map<number, number>[] = []
  let before: Map<number, number> | null = null
  for (const letter of term) {
    const here = new Map<number, number>()
    const first = before === null ? -1 : Math.min(...before.keys())
    for (let at = text.indexOf(letter, first + 1); at >= 0; at = text.indexOf(letter, at + 1)) {
      if (before?.has(at - 1)) here.set(at, at - 1)
      else if (!isWordUnit(text[at - 1])) here.set(at, first)
    }
    if (here.size === 0) return null
    steps.push(here)
    before = here
  }
  const places: number[] = []
  let at = before?.keys().next().value ?? -1
  for (const step of steps.reverse()) {
    places.unshift(at)
    at = step.get(at) ?? -1
  }
  return places
}

function isWordUnit(unit: string | undefined): boolean {
  return unit !== undefined && /[\p{L}\p{N}]/u.test(unit)
}

/** Only ASCII letters change: others may change in length with their case. */
function folded(text: string): string {
  return text.replace(/[A-Z]+/g, upper => upper.toLowerCase())
}
