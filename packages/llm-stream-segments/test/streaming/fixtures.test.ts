// Tests the parser on hand-written texts and their hand-written segments.
import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import type { ParserName } from "../../src/streaming/index.ts"
import { ParsingStreamingResponseHandler } from "../../src/streaming/index.ts"
import { cut, events, readOf } from "./parsing.ts"

interface Expected {
  readonly strategy: ParserName
  readonly segments: readonly unknown[]
  readonly invocations: readonly { readonly segment: number; readonly name: string; readonly arguments: unknown }[]
}

const folder = new URL("../../../../fixtures/streaming/", import.meta.url)
const names = readdirSync(folder)
  .filter(name => name.endsWith(".txt"))
  .map(name => name.slice(0, -".txt".length))

async function expectedOf(name: string): Promise<Expected> {
  return Bun.file(new URL(`${name}.segments.json`, folder)).json()
}

describe("a fixture gives its hand-written segments", () => {
  for (const name of names) {
    const text = readFileSync(new URL(`${name}.txt`, folder), "utf8")

    test(`${name}, in chunks of 1 to 40 characters, split in two at every character, and from a handler`, async () => {
      const { strategy, segments, invocations } = await expectedOf(name)
      const halves = Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)])
      const pieces = Array.from({ length: 40 }, (_, size) => cut(text, size + 1))
      for (const chunks of [...pieces, ...halves]) expect<unknown>(readOf(events(strategy, chunks))).toEqual(segments)
      const handler = new ParsingStreamingResponseHandler({ parserName: strategy })
      for (const chunk of cut(text, 5)) handler.feed(chunk)
      handler.finalize()
      expect<unknown>(readOf(handler.getAllEvents())).toEqual(segments)
      const wanted = invocations.map(({ segment, ...call }) => ({ id: `seg_${segment + 1}`, ...call }))
      expect<unknown>(handler.getAllInvocations()).toEqual(wanted)
    })
  }
})
