// Matches regular expressions in time linear in the text.
import type { Assertion, CharTest, Node } from "./regex-tree.ts"

/** Only this much of a longer text is searched, in UTF-16 units. */
export const TESTED = 50_000

interface Step {
  readonly id: number
  /** The test for the next character; null if the step consumes none. */
  readonly char: CharTest | null
  /** The condition between two characters. */
  readonly look: Assertion | null
  readonly to: readonly Step[]
}

/** Stands for no character: before the first and after the last. */
const NONE = -1

/** Searches a text in linear time: all paths through the pattern are followed at once. `flags` are the pattern's. */
export class RegexMatcher {
  private readonly end: Step
  private readonly start: Step
  private readonly multiline: boolean
  /** For each step, the round in which it was entered last. A round is one position in a text. */
  private readonly entered: Float64Array
  /** Finds a character that a match can begin with; null if a match can begin without one. */
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
    const isSure = !hasAssertion(node) && !this.begin()
    const first = this.waiting.flatMap(({ char }) => char?.source ?? [])
    this.opening = isSure ? new RegExp(first.join("|"), `${flags}gu`) : null
  }

  test(text: string): boolean {
    const { waiting } = this
    const limit = Math.min(text.length, TESTED)
    const reached: Step[] = []
    for (let i = 0; ; i += unitsOf(this.next)) {
      if (reached.length === 0) i = this.skip(text, i, limit)
      // Half a surrogate pair is not a word character and ends no line.
      this.before = i === 0 ? NONE : text.charCodeAt(i - 1)
      this.next = text.codePointAt(i) ?? NONE
      // A match can begin at any position.
      if (this.begin()) return true
      for (const step of reached) if (this.enter(step)) return true
      if (i >= limit) return false
      reached.length = 0
      for (const step of waiting) {
        if (step.char?.test(this.next)) for (const next of step.to) reached.push(next)
      }
    }
  }

  /** The next position from `from` on where a match can begin, as far as one character tells. */
  private skip(text: string, from: number, limit: number): number {
    const { opening } = this
    if (opening === null || from >= limit) return from
    opening.lastIndex = from
    return Math.min(opening.exec(text)?.index ?? limit, limit)
  }

  /** Begins a round and a new match. */
  private begin(): boolean {
    this.round++
    this.waiting.length = 0
    return this.enter(this.start)
  }

  /** Follows `step` without a character; true if the end of the pattern is reached. */
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

  /** Builds the steps of `node`, the last of which leads to `next`. Returns the first. */
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
      const paths = [next]
      const again = this.fork(paths)
      const once = this.build(part, again)
      paths.push(once)
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

function hasAssertion(node: Node): boolean {
  if ("parts" in node) return node.parts.some(hasAssertion)
  return node.type === "look" || (node.type === "repeat" && hasAssertion(node.part))
}

/** Number of UTF-16 units of a code point. */
function unitsOf(code: number): number {
  return code > 0xffff ? 2 : 1
}

/** Like `\w`, which knows ASCII only. */
function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029
}
