// Wraps a parser that a Paperclip adapter publishes, so that it keeps what the published one drops or repeats.
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts"

/** An entry of a transcript as Paperclip's contract has it, without its time. */
export type BoxEntry = JsonObject

/** Reads an event of one CLI. `published` calls the published parser, for what it reads well. */
export type Reader = (event: JsonObject, published: () => readonly BoxEntry[]) => readonly BoxEntry[]

interface StdoutParser {
  parseLine(line: string, ts: string): readonly BoxEntry[]
  reset(): void
}

/** A parser with the published one's exports inside; `createReader` makes the state of one run. */
export function boxedParser(published: Readonly<Record<string, unknown>>, createReader: () => Reader): StdoutParser {
  const call = (pattern: RegExp, ...args: readonly unknown[]): unknown => {
    const found = Object.entries(published).find(([name]) => pattern.test(name))?.[1]
    return typeof found === "function" ? found(...args) : undefined
  }
  const makeStateful = () => call(/^create\w+StdoutParser$/) as StdoutParser | undefined
  let stateful = makeStateful()
  let read = createReader()
  const parse = (line: string, ts: string): readonly BoxEntry[] =>
    stateful?.parseLine(line, ts) ?? (call(/^parse\w+StdoutLine$/, line, ts) as readonly BoxEntry[])
  return {
    parseLine(line, ts) {
      const event = parseJson(line)
      const entries = isObject(event) ? read(event, () => parse(line, ts)) : parse(line, ts)
      return entries.map(entry => ({ ts, ...entry }))
    },
    reset() {
      call(/^resetParserState$/)
      stateful = makeStateful()
      read = createReader()
    },
  }
}
