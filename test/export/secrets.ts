// Makes texts with secrets of the shapes that services issue, and texts that only look like them. None is real.
import { join } from "node:path"
import { root } from "../fixtures.ts"

/** A text and the parts of it that must not leave the program. */
export interface SecretText {
  readonly name: string
  readonly text: string
  readonly secrets: readonly string[]
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz"
const DIGITS = "0123456789"
const MIXED = `${LETTERS.toUpperCase()}${LETTERS}${DIGITS}`
const ALPHABETS: Readonly<Record<string, string>> = {
  hex: "0123456789abcdef",
  lower: LETTERS + DIGITS,
  upper: LETTERS.toUpperCase() + DIGITS,
  digits: DIGITS,
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}

let made = 0

/** So many made-up characters, with a digit first, different at each call. */
function chars(count: number, alphabet = MIXED): string {
  made++
  const at = (i: number): string => alphabet[(made * 37 + i * i * 17 + i * 29 + made * i * 7) % alphabet.length] ?? "0"
  return `${made % 10}${Array.from({ length: count - 1 }, (_, i) => at(i)).join("")}`
}

/** A text of fixed parts and made-up characters, which are its secrets: `«20 hex»` stands for so many of an alphabet. */
function sample(line: string): SecretText {
  const [name = "", ...shape] = line.split(" = ")
  const secrets: string[] = []
  const text = shape
    .join(" = ")
    .replaceAll("⏎", "\n")
    .replace(/«(\d+)(?: (\w+))?»/g, (_, count: string, alphabet: string) => {
      secrets.push(chars(Number(count), ALPHABETS[alphabet]))
      return secrets.at(-1) ?? ""
    })
  return { name, text, secrets }
}

const linesOf = async (name: string) =>
  (await Bun.file(join(root, "fixtures/scripts", name)).text()).trimEnd().split("\n")

export const SECRETS: readonly SecretText[] = (await linesOf("secrets.txt")).map(sample)

/** Texts that look like secrets and are none. */
export const HARMLESS = await linesOf("harmless.txt")
