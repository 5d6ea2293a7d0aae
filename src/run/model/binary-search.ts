/** The first index below `length` that passes `test`, as all later ones must; `length` if none does. */
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
