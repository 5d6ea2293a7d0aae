// Takes out of a text what a terminal would have obeyed: colours, links, titles, going back in a line. What it leaves, `inert` still judges.

/** In this order: a sequence with parameters, a text for the terminal with its end, a choice of letters, a short one. */
const ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g

/** What moves within a line, or erases of it: back to its start, back by one, to the end, all. */
const MOVE = /(\r|\u0008|\u001b\[[02]?K)/

/** The text without escape sequences that are whole. Time grows with the text alone. */
export function withoutEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(ESCAPE, "") : text
}

/** The text as a terminal would show it in the end: a bar that was drawn over itself is its last state. Time grows with the text alone. */
export function asShown(text: string): string {
  if (!/[\r\u0008]/.test(text)) return withoutEscapes(text)
  return text
    .split("\n")
    .map(line => (/[\r\u0008]/.test(line) ? lastState(line) : withoutEscapes(line)))
    .join("\n")
}

function lastState(line: string): string {
  const shown: string[] = []
  let at = 0
  for (const part of line.split(MOVE)) {
    if (part === "\r") at = 0
    else if (part === "\u0008") at = Math.max(0, at - 1)
    else if (part === "\u001b[2K") shown.length = 0
    else if (part === "\u001b[K" || part === "\u001b[0K") shown.length = Math.min(shown.length, at)
    else {
      for (const char of withoutEscapes(part)) {
        while (shown.length < at) shown.push(" ")
        shown[at++] = char
      }
    }
  }
  return shown.join("").trimEnd()
}
