// Takes out of a text what a terminal would have obeyed: colours, links, titles. What it leaves, `inert` still judges.

/** In this order: a sequence with parameters, a text for the terminal with its end, a choice of letters, a short one. */
const ESCAPE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g

/** The text without escape sequences that are whole. Time grows with the text alone. */
export function withoutEscapes(text: string): string {
  return text.includes("\u001b") ? text.replace(ESCAPE, "") : text
}
