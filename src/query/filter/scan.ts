// Finds where a value ends in the text of a filter. What is printed bare is judged by the same rules that read it.

/** True for what separates terms. */
export function isSpace(unit: string | undefined): boolean {
  return unit !== undefined && /\s/.test(unit)
}

/**
 * The end of a bare value: the next space, or the `)` that closes a group around it. Its own parentheses belong to it,
 * and null where one of them stays open. A pattern's backslash takes the next character along.
 */
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

/** True where a bare value may begin: not at what looks like another operator, a quoted text or a pattern in slashes. */
export function isBareStart(unit: string | undefined, isPattern: boolean): boolean {
  return unit !== undefined && !/[\s)=~!<>"]/.test(unit) && !(isPattern && unit === "/")
}

/** True for a value that needs no quotes. */
export function isBare(value: string, isPattern: boolean): boolean {
  return isBareStart(value[0], isPattern) && bareEnd(value, 0, isPattern) === value.length
}

/** The end of the quoted text that begins at `from`, behind its last quote; null where it has none. */
export function quoteEnd(text: string, from: number): number | null {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === '"') return i + 1
    if (text[i] === "\\") i++
  }
  return null
}

/** The last slash of the pattern that begins with the one at `from`; null where it has none. Slashes in `[ ]` are its own. */
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
