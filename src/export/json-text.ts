// Changes the strings in a line of JSON and leaves every other byte as it is: numbers, order, spaces, spelling.
import { parseJson } from "../../packages/wire/src/json.ts"

/** Applies `change` to each string value of a line of JSON, with its key or "". Null if the line is not JSON. */
export function changeTexts(line: string, change: (text: string, key: string) => string): string | null {
  if (parseJson(line) === undefined) return null
  let out = ""
  let kept = 0
  let key = ""
  for (let from = line.indexOf('"'); from !== -1; ) {
    const to = endOfString(line, from) + 1
    const next = line.indexOf('"', to)
    // Between two strings there are only a few characters; the first tells whether the string was a key.
    const between = line.slice(to, next === -1 ? line.length : next)
    const isKey = between.trimStart().startsWith(":")
    const text = read(line.slice(from, to))
    if (isKey) key = between.trim() === ":" ? text : ""
    else {
      const changed = change(text, key)
      key = ""
      if (changed !== text) {
        out += line.slice(kept, from) + JSON.stringify(changed)
        kept = to
      }
    }
    from = next
  }
  return out + line.slice(kept)
}

/** The position of the quote that ends the string which begins at `from`; the text's length if there is none. */
export function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text[first - 1] === "\\") first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}

function read(token: string): string {
  return token.includes("\\") ? String(JSON.parse(token)) : token.slice(1, -1)
}
