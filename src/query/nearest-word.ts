/** The word that differs in the fewest letters, at most one in three; the word itself if none is so near. */
export function nearestWord(term: string, known: Iterable<string>): string {
  let nearest = term
  let least = Math.floor(term.length / 3) + 1
  for (const word of known) {
    if (Math.abs(word.length - term.length) >= least) continue
    const letters = lettersApart(term, word)
    if (letters < least) [nearest, least] = [word, letters]
  }
  return nearest
}

/** How many letters must be put in, left out, replaced or swapped with the next to make one word the other. */
function lettersApart(a: string, b: string): number {
  let earlier: readonly number[] = []
  let before: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const here = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      here.push(
        Math.min(
          (before[j] ?? Infinity) + 1,
          (here[j - 1] ?? Infinity) + 1,
          (before[j - 1] ?? Infinity) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwapped ? (earlier[j - 2] ?? Infinity) + 1 : Infinity,
        ),
      )
    }
    earlier = before
    before = here
  }
  return before[b.length] ?? Infinity
}
