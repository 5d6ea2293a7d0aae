// Finds where a value ends in the text of a filter. Printing uses the same rules.

export function isSpace(unit: string | undefined): boolean {
  return unit !== undefined && /\s/.test(unit)
}

/** The end of a bare value: a space or an outer `)`; null if its own don't balance. `\` escapes in a pattern. */
export function bareEnd(text: string, from: number, isPattern: boolean): number | null {
  let open = 0
  let i = from
  for (; i < text.length; i++) {
    const unit = text[i]
    if (isSpace(unit) || (unit === ")" && open === 0)) break
    if (unit === "(") open++
    else if (unit === ")") open--
    else if (unit === "\\" && isPattern) i++
  }
  return open === 0 ? Math.min(i, text.length) : null
}

/** True if a bare value can begin here, so not at an operator, a quote or a slash of a pattern. */
export function isBareStart(unit: string | undefined, isPattern: boolean): boolean {
  return unit !== undefined && !/[\s)=~!<>"]/.test(unit) && !(isPattern && unit === "/")
}

/** True for a value that needs no quotes. */
export function isBare(value: string, isPattern: boolean): boolean {
  return isBareStart(value[0], isPattern) && bareEnd(value, 0, isPattern) === value.length
}

/** The position after the closing quote of the text quoted at `from`; null if it has none. */
export function quoteEnd(text: string, from: number): number | null {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '"') return i + 1
    if (text[i] === "\\") i++
  }
  return null
}

/** The closing slash of the pattern that begins at `from`, null if it has none. In `[ ]` a slash closes nothing. */
export function slashEnd(text: string, from: number): number | null {
  let inClass = false
  for (let i = from + 1; i < text.length; i++) {
    const unit = text[i]
    if (unit === "/" && !inClass) return i
    if (unit === "\\") i++
    else if (unit === "[") inClass = true
    else if (unit === "]") inClass = false
  }
  return null
}
