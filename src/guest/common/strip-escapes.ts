// Removes terminal escape sequences (colours, links, titles, movements within a line) from a guest's output. The result
// must still be sanitized.

/** In order: CSI sequences, strings such as OSC with their end, character set selections, short sequences. */
const ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g

/** Movements and erasures within a line: carriage return, backspace, erase to the end, erase all. */
const MOVE = /(\r|\u0008|\u001b\[[02]?K)/

/** The text without complete escape sequences. Takes linear time. */
export function stripEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(ESCAPE, "") : text
}

/** The text as a terminal finally shows it: a progress bar that overwrites itself has its last state. Linear time. */
export function renderedText(text: string): string {
  if (!/[\r\u0008]/.test(text)) return stripEscapes(text)
  return text
    .split("\n")
    .map(line => (/[\r\u0008]/.test(line) ? lastState(line) : stripEscapes(line)))
    .join("\n")
}

function lastState(line: string): string {
  const shown: string[] = []
  let column = 0
  for (const part of line.split(MOVE)) {
    if (part === "\r") column = 0
    else if (part === "\u0008") column = Math.max(0, column - 1)
    else if (part === "\u001b[2K") shown.length = 0
    else if (part === "\u001b[K" || part === "\u001b[0K") shown.length = Math.min(shown.length, column)
    else {
      for (const char of stripEscapes(part)) {
        while (shown.length < column) shown.push(" ")
        shown[column++] = char
      }
    }
  }
  return shown.join("").trimEnd()
}
