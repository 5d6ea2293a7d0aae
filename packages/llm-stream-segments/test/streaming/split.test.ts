// Tests what a delta may contain, however a text is split, and that a state can be continued again.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import type { SegmentEvent } from "../../src/streaming/index.ts"
import {
  createStreamingParser,
  endParse,
  initialParse,
  SegmentEventType,
  stepParse,
  TAG_PROFILES,
} from "../../src/streaming/index.ts"
import { cutAt, events, PIECES, read, STRATEGIES, tagText } from "./parsing.ts"

const places = fc.array(fc.nat({ max: 600 }), { maxLength: 12 })
const RUNS = 400

/** Beginnings of tags that a chunk's last delta must not end with. */
const HELD: ReadonlyMap<string, readonly string[]> = new Map([
  ["xml", ["<write_file", "<run_bash", '<tool name="']],
  ["json", ['{"name"', '[{"name"', '{"tool"', '{"function"']],
  ["sentinel", ['[[SEG_START {"type":"text"}]']],
])

describe("a delta", () => {
  for (const strategy of STRATEGIES) {
    test(`${strategy}: deltas and markup add up to the text, with nothing lost or repeated`, () =>
      forAll([tagText(strategy), places], 100, (text, at) => {
        let rest = text
        for (const { content } of read(strategy, cutAt(text, at))) {
          for (const char of content.split("")) {
            const found = rest.indexOf(char)
            expect(found).not.toBe(-1)
            rest = rest.slice(found + 1)
          }
        }
      }))

    test(`${strategy}: never half a surrogate pair, never empty`, () =>
      forAll([tagText(strategy), places], RUNS, (text, at) => {
        fc.pre(text.isWellFormed())
        for (const { event_type, payload } of events(strategy, cutAt(text, at))) {
          if (event_type !== SegmentEventType.CONTENT) continue
          expect(payload.delta).not.toBe("")
          expect(payload.delta?.isWellFormed()).toBe(true)
        }
      }))

    const markers = HELD.get(strategy)
    if (markers === undefined) continue
    test(`${strategy}: no chunk's last delta ends with the beginning of a tag`, () =>
      forAll([tagText(strategy), places], RUNS, (text, at) => {
        let state = initialParse(strategy)
        for (const chunk of cutAt(text, at)) {
          const next = stepParse(state, chunk)
          state = next.state
          const type = state.segment?.type
          const last = next.events.at(-1)?.payload.delta
          // In a call's JSON every character is content, and in a block no other block can begin.
          if (last === undefined || state.mode.at !== "text" || type !== "text") continue
          for (const marker of markers) expect(endsInBeginning(last, marker)).toBe(false)
        }
      }))
  }
})

describe("a parse state", () => {
  const safe = { safe: true, tags: { ...TAG_PROFILES.hermes, ...TAG_PROFILES.claude, ...TAG_PROFILES.think } }
  const markdown = fc.array(fc.constantFrom(...(PIECES.markdown ?? []))).map(parts => parts.join(""))
  const cases = STRATEGIES.map(strategy => [strategy, {}, tagText(strategy)] as const)
  for (const [strategy, options, texts] of [...cases, ["xml", safe, markdown] as const]) {
    test(`${strategy}${options === safe ? ", safe" : ""}: frozen or printed as JSON, it goes on again with equal results`, () =>
      forAll([texts, places, texts], 200, (text, at, other) => {
        let state = initialParse(strategy, options)
        const parser = createStreamingParser({ parserName: strategy, ...options })
        for (const chunk of cutAt(text, at)) {
          deepFreeze(state)
          const next = stepParse(state, chunk)
          const printed = JSON.stringify(state)
          stepParse(state, other)
          endParse(state)
          expect(JSON.stringify(state)).toBe(printed)
          const again = stepParse(JSON.parse(printed), chunk)
          expect(again).toEqual(next)
          expect(next.events).toEqual(parser.feed(chunk))
          state = next.state
        }
      }))
  }

  test("knows that a call could not be read, so that no later one is whole", () => {
    let state = initialParse("xml", safe)
    const ends = ['<invoke name="a">junk</invoke>', '<invoke name="b"></invoke>'].map(chunk => {
      const next = stepParse(state, chunk)
      state = next.state
      return next.events.findLast(({ event_type }) => event_type === SegmentEventType.END)?.payload
    })
    expect(ends).toEqual([{ complete: false }, { complete: false }])
  })

  test("ending an ended stream emits nothing", () => {
    const { state } = stepParse(initialParse("xml"), "a<run_bash>b")
    const ended = endParse(state)
    expect(ended.events.length).toBeGreaterThan(0)
    expect(endParse(ended.state).events).toEqual<SegmentEvent[]>([])
    const text = stepParse(initialParse("xml"), "a").state
    expect([false, true].map(aborted => endParse(text, { aborted }).events[0]?.payload.complete)).toEqual([
      undefined,
      false,
    ])
  })
})

function endsInBeginning(text: string, marker: string): boolean {
  for (let size = 1; size < marker.length; size++) if (text.endsWith(marker.slice(0, size))) return true
  return false
}

function deepFreeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
}
