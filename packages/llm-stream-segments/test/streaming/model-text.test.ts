// Tests the parser on realistic answers of several model families, with hand-written segments and calls.
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import type { ParserName } from "../../src/streaming/index.ts"
import { FORMATS, ParserConfig, ParsingStreamingResponseHandler } from "../../src/streaming/index.ts"
import { cut, readOf } from "./parsing.ts"

interface Expected {
  readonly strategy: ParserName
  readonly safe: boolean
  readonly tags: { readonly [name: string]: "tool" | "json" | "reasoning" | "wrapper" }
  readonly segments: readonly unknown[]
  readonly calls: readonly unknown[]
}

const folder = new URL("../../../../fixtures/model-text/", import.meta.url)
const names = readdirSync(folder)
  .filter(name => name.endsWith(".txt"))
  .map(name => name.slice(0, -".txt".length))

for (const name of names) {
  test(`${name} gives its segments and calls, in chunks of every size`, async () => {
    const { strategy, safe, tags, segments, calls }: Expected = await Bun.file(
      new URL(`${name}.segments.json`, folder),
    ).json()
    const text = readFileSync(new URL(`${name}.txt`, folder), "utf8")
    for (const size of [text.length, ...Array.from({ length: 24 }, (_, i) => i + 1)]) {
      const formats = Object.entries(tags).map(
        ([tag, format]) => [tag, format === "tool" ? FORMATS.tool : format] as const,
      )
      const config = new ParserConfig({ safe, tags: Object.fromEntries(formats) })
      const handler = new ParsingStreamingResponseHandler({ parserName: strategy, config })
      for (const chunk of cut(text, size)) handler.feed(chunk)
      handler.finalize()
      expect<unknown>(readOf(handler.getAllEvents())).toEqual(segments)
      const made = handler.getAllInvocations().map(call => ({ name: call.name, arguments: call.arguments }))
      expect<unknown>(made).toEqual(calls)
    }
  })
}
