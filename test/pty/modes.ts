// Reads the bytes that a program sent to a terminal and tells which modes they leave on.
/** Private modes that are on at the start; these count if they are off. */
const ON_AT_START: ReadonlyMap<string, string> = new Map([
  ["7", "no-wrap"],
  ["25", "cursor-hidden"],
])

const NAMES: ReadonlyMap<string, string> = new Map([
  ["1000", "mouse-click"],
  ["1002", "mouse-drag"],
  ["1003", "mouse-move"],
  ["1004", "focus"],
  ["1006", "mouse-sgr"],
  ["2004", "bracketed-paste"],
  ["2026", "synchronized"],
])

const ALTERNATE_SCREEN = new Set(["47", "1047", "1049"])

/** A string sequence (OSC, DCS, SOS, PM, APC) up to its end, a control sequence, or a full reset. */
const SEQUENCE = /\x1b(?:[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\[([<-?]?)([\d;:]*)([ -/]*)([@-~])|(c))/g

/**
 * The modes left on at the end of `raw`, by name and sorted; empty where the terminal is as it was. A private mode
 * without a name stands as `?N`. Kitty keyboard flags are kept per screen, as terminals do, so a push on the main
 * screen that is popped on the alternate one is still on: `kitty-keyboard`.
 */
export function modes(raw: string): readonly string[] {
  let on = new Set<string>()
  let alternate = false
  let kitty = { main: 0, alternate: 0 }

  const privateMode = (mode: string, set: boolean): void => {
    if (ALTERNATE_SCREEN.has(mode)) alternate = set
    const startsOn = ON_AT_START.get(mode)
    const label = ALTERNATE_SCREEN.has(mode) ? "alternate-screen" : (startsOn ?? NAMES.get(mode) ?? `?${mode}`)
    if (set === (startsOn === undefined)) on.add(label)
    else on.delete(label)
  }
  const keyboard = (change: (depth: number) => number): void => {
    const screen = alternate ? "alternate" : "main"
    kitty = { ...kitty, [screen]: Math.max(0, change(kitty[screen])) }
  }

  for (const [, mark = "", parameters = "", between = "", final = "", reset] of raw.matchAll(SEQUENCE)) {
    if (reset !== undefined) {
      on = new Set()
      alternate = false
      kitty = { main: 0, alternate: 0 }
    } else if (between !== "") {
      // Requests (`CSI ? 2026 $ p`) and styles change no mode.
    } else if (mark === "?" && (final === "h" || final === "l")) {
      for (const mode of parameters.split(";")) privateMode(mode, final === "h")
    } else if (mark === ">" && final === "u") {
      keyboard(depth => depth + 1)
    } else if (mark === "<" && final === "u") {
      keyboard(depth => depth - Number(parameters || "1"))
    } else if (mark === ">" && final === "m" && parameters.startsWith("4")) {
      if (/^4[;:][1-9]/.test(parameters)) on.add("modify-other-keys")
      else on.delete("modify-other-keys")
    }
  }
  if (kitty.main + kitty.alternate > 0) on.add("kitty-keyboard")
  return [...on].sort()
}
