// Matches whole texts against globs.
/** A test of whole texts: `*` matches any characters, `?` one. Takes at most the product of both lengths. */
export function globTest(glob: string): (text: string) => boolean {
  return /[*?]/.test(glob) ? text => matches(glob, text) : text => text === glob
}

function matches(glob: string, text: string): boolean {
  let g = 0
  let t = 0
  // The last star, and where the text continues after it. Earlier stars need no second try.
  let star = -1
  let resumed = 0
  while (t < text.length) {
    if (glob[g] === "*") {
      star = g++
      resumed = t
    } else if (glob[g] === "?") {
      t = afterCharacter(text, t)
      g++
    } else if (glob[g] === text[t]) {
      t++
      g++
    } else if (star >= 0) {
      resumed = afterCharacter(text, resumed)
      t = resumed
      g = star + 1
    } else return false
  }
  while (glob[g] === "*") g++
  return g === glob.length
}

/** The position after the character at `place`, which may be two units. */
function afterCharacter(text: string, place: number): number {
  return place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1)
}
