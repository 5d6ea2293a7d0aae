// Writes keys as a person reads them: `j ↓`, `Ctrl-D`, `1–9`.
import { type Binding, LETTER, type Scope, type Stroke } from "./binding.ts"

const NAMES: { readonly [stroke: string]: string } = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  pageup: "PgUp",
  pagedown: "PgDn",
  home: "Home",
  end: "End",
  enter: "Enter",
  escape: "Esc",
  tab: "Tab",
  space: "Space",
  backspace: "Backspace",
  [LETTER]: "letters",
}

/** A key press, or two: `Ctrl-X·Ctrl-E`. */
export function strokeText(stroke: Stroke): string {
  return stroke.length === 1 ? stroke : stroke.split(" ").map(pressText).join("·")
}

function pressText(press: Stroke): string {
  const [, modifier, key] = /^(ctrl|alt|shift)-(.+)$/.exec(press) ?? []
  if (key === undefined) return NAMES[press] ?? press.replace(/^f(?=\d)/, "F")
  if (modifier === "ctrl") return `Ctrl-${key.length === 1 ? key.toUpperCase() : pressText(key)}`
  return `${modifier === "alt" ? "Alt" : "Shift"}-${pressText(key)}`
}

/** The first key of an action, as a person may have chosen it. */
export function keyOf(
  { setup }: { readonly setup: { readonly keys: ReadonlyMap<string, readonly Stroke[]> } },
  { id, keys }: Pick<Binding<never>, "id" | "keys">,
): string {
  return strokeText((setup.keys.get(id) ?? keys)[0] ?? "")
}

const ARROWS: readonly Stroke[] = ["up", "down", "left", "right"]

/** The keys of a footer hint: only the arrows where it has some, `↑↓`; else the first of each, or a range, `1–9`. */
export function hintText(bindings: readonly Pick<Binding<never>, "keys">[]): string {
  const arrows = ARROWS.filter(arrow => bindings.some(({ keys }) => keys.includes(arrow)))
  if (arrows.length > 0) return arrows.map(strokeText).join("")
  return keysText(bindings.map(({ keys }) => ({ keys: keys.every(isDigit) ? keys : keys.slice(0, 1) })))
}

function isDigit(stroke: Stroke): boolean {
  return /^[0-9]$/.test(stroke)
}

/** The keys of bindings that are read as one: the first key of each, then the second of each. */
export function keysText(bindings: readonly Pick<Binding<never>, "keys" | "counts">[]): string {
  const longest = Math.max(0, ...bindings.map(({ keys }) => keys.length))
  const keys = Array.from({ length: longest }, (_, i) => bindings.flatMap(one => one.keys[i] ?? [])).flat()
  const texts = [...new Set(keys)].map(strokeText)
  const [first = "", last = ""] = [texts[0], texts.at(-1)]
  if (texts.length > 2 && texts.every(isDigit)) return `${first}–${last}`
  return [...texts, ...(bindings.some(one => one.counts) ? [`5${first}`] : [])].join(" ")
}

export interface Hint {
  readonly id: string
  readonly shown: string
  readonly hint: string
  readonly stroke: Stroke
}

/** The keys that make sense at `now` (epoch ms), most useful first: where room is short, drop from the end. */
export function hintsIn<State>({ named, bindings }: Scope<State>, state: State, now: number): readonly Hint[] {
  return named.flatMap(one => {
    const { id, hint } = one
    if (hint === undefined || one.when?.(state, now) === false) return []
    const shown = hintText(bindings.filter(other => other.title === one.title))
    return [{ id, hint: typeof hint === "string" ? hint : hint(state), shown, stroke: one.keys[0] ?? "" }]
  })
}
