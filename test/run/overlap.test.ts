// Tests coalesced deltas whose text is partly known, as a repeated ring may contain.
import { expect, test } from "bun:test"
import type { Run } from "../../src/run/model/run.ts"
import { turnTextOf } from "../../src/run/select/figures.ts"
import { delta, tell } from "./lines.ts"

function said(run: Run): { text: string; thinking: string; deltas: number; tokens: number } | null {
  const [session, stream] = [run.sessions[0], run.turnBuffers[0]]
  if (session === undefined || stream === undefined) return null
  const { text, thinking } = turnTextOf(session, stream)
  return { text, thinking, deltas: stream.deltas, tokens: run.facts.tokens }
}

const cases: readonly (readonly [string, Parameters<typeof delta>[], string, number])[] = [
  [
    "the first half is known",
    [
      [1, "one "],
      [2, "two "],
      [3, "two three ", { coalesced: 2 }],
    ],
    "one two three ",
    3,
  ],
  [
    "all but the last is known",
    [
      [1, "a"],
      [2, "b"],
      [3, "c"],
      [4, "abcd", { coalesced: 4 }],
    ],
    "abcd",
    4,
  ],
  [
    "what is known repeats itself",
    [
      [1, "ha"],
      [2, "ha"],
      [3, "haha", { coalesced: 2 }],
    ],
    "hahaha",
    3,
  ],
  [
    "known pieces of one text, many times over",
    [
      [1, "a"],
      [2, "a"],
      [3, "a"],
      [5, "aaa", { coalesced: 3 }],
    ],
    "aaaaa",
    5,
  ],
  [
    "nothing of it is known",
    [
      [1, "one "],
      [3, "two three ", { coalesced: 2 }],
    ],
    "one two three ",
    3,
  ],
  [
    "nothing of it is known, though it says the same",
    [
      [1, "ha"],
      [3, "haha", { coalesced: 2 }],
    ],
    "hahaha",
    3,
  ],
  [
    "it says something else than what is known",
    [
      [1, "one"],
      [2, "x"],
      [3, "yz", { coalesced: 2 }],
    ],
    "onexyz",
    4,
  ],
]

for (const [name, deltas, text, count] of cases) {
  test(`a coalesced delta that overlaps the text: ${name}`, () => {
    const run = tell(deltas.map(each => delta(...each)))
    expect(said(run)).toEqual({ text, thinking: "", deltas: count, tokens: count })
  })
}
