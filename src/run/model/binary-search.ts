// Finds by halving where a test begins to hold.

/** The first index below `length` that passes a test which all later ones pass too; `length` where none does. */
export function firstIndex(length: number, test: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}
