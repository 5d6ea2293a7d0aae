// Draws what a text is read as, on a line: its segments and calls, and the arguments that were told while it streamed.
import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { type ArgumentDelta, segments } from "../../src/streaming/index.ts"
import { cut } from "./parsing.ts"

export type PictureOptions = NonNullable<Parameters<typeof segments>[1]>

/**
 * Each segment as its type, metadata and content, `…` if it is incomplete, and its calls. What was told of them while
 * they streamed is left out where it is what the calls have. The same for a text whole, by one and by seven characters.
 */
export async function picture(text: string, options: PictureOptions = {}): Promise<string> {
  const [whole = "", ...others] = await Promise.all(
    [text.length + 1, 1, 7].map(size => drawn(cut(text, size), options)),
  )
  for (const other of others) expect(other).toBe(whole)
  return whole === shown(text) ? "is text" : whole
}

async function drawn(chunks: readonly string[], options: PictureOptions): Promise<string> {
  const told = new Map<string, Map<string, { text: string; isJson: boolean }>>()
  const onArgument = ({ id, argument, delta, isJson, isAgain }: ArgumentDelta): void => {
    const call = told.get(id) ?? new Map()
    const before = isAgain ? "" : (call.get(argument)?.text ?? "")
    told.set(id, call.set(argument, { text: before + delta, isJson }))
  }
  const all = await Array.fromAsync(segments(chunks, { ...options, onArgument }), one => one.whole())
  const drawings = all.map(({ id, type, metadata, content, complete, invocations }) => {
    const made = invocations.map(({ id: own, name, arguments: args }) => {
      const streamed = [...(told.get(own) ?? [])]
      const early = Object.fromEntries(
        streamed.map(([key, value]) => [key, value.isJson ? parsed(value.text) : value.text]),
      )
      const isSame = Bun.deepEquals(early, args)
      return ` → ${counted(name)} ${counted(JSON.stringify(args))}${isSame ? "" : `, told ${counted(JSON.stringify(early))}`}`
    })
    const early =
      invocations.length === 0 ? [...(told.get(id) ?? [])].map(([key, value]) => `${key}=${value.text}`) : []
    const more = Object.keys(metadata).length === 0 ? "" : counted(JSON.stringify(metadata))
    const seen = early.length === 0 ? "" : `, told ${shown(early.join(", "))}`
    return `${type === "text" ? "" : type}${more}${shown(content)}${complete ? "" : "…"}${made.join("")}${seen}`
  })
  return drawings.join(" ")
}

/** A file of fixtures/texts. */
export function textFile(name: string): string {
  return readFileSync(new URL(`../../../../fixtures/texts/${name}`, import.meta.url), "utf8")
}

/** The texts of a file of fixtures/texts. */
export function texts(name: string): readonly string[] {
  const lines = textFile(`${name}.txt`).split("\n").slice(0, -1)
  return lines.map(line => unfolded(line.replaceAll("⏎", "\n").replaceAll("␍", "\r")))
}

/** A text with its counted characters as often as that. */
export function unfolded(text: string): string {
  return text.replace(/(.)×(\d+)/g, (_, one: string, times: string) => one.repeat(Number(times)))
}

/** The lines of a file of fixtures/streams. */
export function streams<Stream>(name: string): readonly Stream[] {
  const lines = readFileSync(new URL(`../../../../fixtures/streams/${name}.jsonl`, import.meta.url), "utf8").trimEnd()
  return lines.split("\n").map(line => JSON.parse(line))
}

/** A text on one line, with its long runs counted. */
export function shown(text: string): string {
  return `«${counted(text).replaceAll("\r", "␍").replaceAll("\n", "⏎")}»`
}

function counted(text: string): string {
  return text.replace(/(.)\1{15,}/g, (run, one) => `${one}×${run.length}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return `not JSON: ${text}`
  }
}
