import type { Assertion, CharTest, Node } from "./regex-tree.ts"

/** Of longer texts only this much is looked at, in UTF-16 units. */
export const TESTED = 50_000

interface Step {
  readonly id: number
  /** What the character that comes next has to be; null where the step does not take one. */
  readonly char: CharTest | null
  /** What has to hold between two characters. */
  readonly look: Assertion | null
  readonly to: readonly Step[]
}

/** Where no character is: before the first and behind the last. */
const NONE = -1

/**
 * Tells whether a pattern is found in a text. All ways through the pattern are followed at once, each step at most once
 * for a character, so the time is linear in the text whatever it says. `flags` are those of the pattern.
 */
export class RegexMatcher {
  private readonly end: Step
  private readonly start: Step
  private readonly multiline: boolean
  /** For each step the round in which it was entered last; a round is one place in a text. */
  private readonly entered: Float64Array
  /** Finds a character that a match may begin with; null where one may begin without. */
  private readonly opening: RegExp | null
  private round = 0
  private size = 0
  /** The steps that wait for the next character. */
  private readonly waiting: Step[] = []
  private before = NONE
  private next = NONE

  constructor(node: Node, flags: string) {
    this.multiline = flags.includes("m")
    this.end = this.step(null, null, [])
    this.start = this.build(node, this.end)
    this.entered = new Float64Array(this.size)
    const isSure = !hasLook(node) && !this.begin()
    const first = this.waiting.flatMap(({ char }) => char?.source ?? [])
    this.opening = isSure ? new RegExp(first.join("|"), `${flags}gu`) : null
  }

  test(text: string): boolean {
    const { waiting } = this
    const limit = Math.min(text.length, TESTED)
    const reached: Step[] = []
    for (let i = 0; ; i += unitsOf(this.next)) {
      if (reached.length === 0) i = this.skip(text, i, limit)
      // Half a character is no word and ends no line, as the whole would.
      this.before = i === 0 ? NONE : text.charCodeAt(i - 1)
      this.next = text.codePointAt(i) ?? NONE
      // A match may begin at any place.
      if (this.begin()) return true
      for (const step of reached) if (this.enter(step)) return true
      if (i >= limit) return false
      reached.length = 0
      for (const step of waiting) {
        if (step.char?.test(this.next)) for (const next of step.to) reached.push(next)
      }
    }
  }

  /** The next place from `from` on where a match may begin, as far as one character tells. */
  private skip(text: string, from: number, limit: number): number {
    const { opening } = this
    if (opening === null || from >= limit) return from
    opening.lastIndex = from
    return Math.min(opening.exec(text)?.index ?? limit, limit)
  }

  /** Begins a round, and a match. */
  private begin(): boolean {
    this.round++
    this.waiting.length = 0
    return this.enter(this.start)
  }

  /** Goes on from `step` without a character; true where the end of the pattern is reached. */
  private enter(step: Step): boolean {
    if (this.entered[step.id] === this.round) return false
    this.entered[step.id] = this.round
    if (step.char !== null) {
      this.waiting.push(step)
      return false
    }
    if (step === this.end) return true
    if (step.look !== null && !this.holds(step.look)) return false
    for (const next of step.to) if (this.enter(next)) return true
    return false
  }

  private holds(look: Assertion): boolean {
    const { before, next } = this
    switch (look) {
      case "^":
        return before === NONE || (this.multiline && isLineEnd(before))
      case "$":
        return next === NONE || (this.multiline && isLineEnd(next))
      case "\\b":
        return isWord(before) !== isWord(next)
      case "\\B":
        return isWord(before) === isWord(next)
    }
  }

  /** The first step of `node`, of which the last one leads to `next`. */
  private build(node: Node, next: Step): Step {
    switch (node.type) {
      case "char":
        return this.step(node.char, null, [next])
      case "look":
        return this.step(null, node.look, [next])
      case "seq":
        return node.parts.reduceRight((rest, part) => this.build(part, rest), next)
      case "either":
        return this.fork(node.parts.map(part => this.build(part, next)))
      case "repeat":
        return this.repeat(node.part, node.min, node.max, next)
    }
  }

  private repeat(part: Node, min: number, max: number, next: Step): Step {
    let first = next
    let left = min
    if (max === Infinity) {
      const ways = [next]
      const again = this.fork(ways)
      const once = this.build(part, again)
      ways.push(once)
      first = min === 0 ? again : once
      left = Math.max(0, min - 1)
    } else {
      for (let i = min; i < max; i++) first = this.fork([next, this.build(part, first)])
    }
    for (; left > 0; left--) first = this.build(part, first)
    return first
  }

  private fork(to: readonly Step[]): Step {
    return this.step(null, null, to)
  }

  private step(char: CharTest | null, look: Assertion | null, to: readonly Step[]): Step {
    return { id: this.size++, char, look, to }
  }
}

function hasLook(node: Node): boolean {
  switch (node.type) {
    case "char":
      return false
    case "look":
      return true
    case "repeat":
      return hasLook(node.part)
    default:
      return node.parts.some(hasLook)
  }
}

/** How many UTF-16 units a code point takes. */
function unitsOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** As `\w`, which knows ASCII only. */
function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029
}
