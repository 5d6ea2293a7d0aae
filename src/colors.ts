// Knows how many colours the terminal has, and opens a screen so that it uses no others.
import type { Environment, ScreenOptions } from "./options.ts"

/** What the terminal says it can show. An empty NO_COLOR counts as not set, as its convention has it. */
export function colorsOf(env: Environment): ScreenOptions["colors"] {
  const term = env.TERM ?? ""
  if (env.NO_COLOR || term === "dumb") return "none"
  if (/truecolor|24bit/i.test(env.COLORTERM ?? "") || /kitty|ghostty|alacritty|wezterm|foot|direct/.test(term))
    return "truecolor"
  return term.includes("256color") ? "256" : "16"
}

/**
 * Opens a screen while TERM says that there are 256 colours, unless there are more or none: the renderer sends 24-bit
 * colours to a terminal whose name does not say so, also where it was given colours by their numbers.
 */
export async function namedFor<T>(colors: ScreenOptions["colors"], open: () => Promise<T>): Promise<T> {
  const { TERM } = process.env
  const told = TERM?.includes("256color") === true || colors === "truecolor" || colors === "none"
  if (told) return await open()
  process.env.TERM = `${TERM ?? ""}-256color`
  try {
    return await open()
  } finally {
    if (TERM === undefined) delete process.env.TERM
    else process.env.TERM = TERM
  }
}
