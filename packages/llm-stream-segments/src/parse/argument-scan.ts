// Finds arguments in tags, split anywhere: the one grammar of a block's end, of what streams and of the call.
import { anyOf, type Beginning, findMarker, firstNonBlank, isBlank, isNext, matchAt } from "./marker.ts"
import { ARGUMENT_HEADER_LIMIT, ARGUMENT_NAME_LIMIT, type ArgumentScan } from "./parser-state.ts"
import type { ArgumentStyle } from "./rules.ts"
import { attributeOf } from "./tag.ts"

/** `<parameter=name>…</parameter>` or `<parameter name="name">…</parameter>`. */
const PARAMETERS: ArgumentStyle = { open: "<parameter", headEnd: ">", close: "</parameter>" }
/** `<arg name="name">…</arg>` or `<name>…</name>`, with or without `<arguments>` around all. */
export const ELEMENTS: ArgumentStyle = { open: "<", headEnd: ">", close: "" }

/** The scan at the beginning of a block that `end` closes. */
export function beginArguments(end: string, style: ArgumentStyle | null): ArgumentScan {
  return { style, end, close: "", broken: false, ended: false }
}

/** Takes what a scan finds. A header that can't be read is null. */
export interface ArgumentSink {
  open(header: ArgumentHeader | null): void
  value(text: string): void
  close(): void
}

export interface ArgumentHeader {
  readonly name: string
  /** What the format takes from the value: blanks at both sides, one line break at each side, or nothing. */
  readonly trim: "blanks" | "newline" | "nothing"
  /** The value is JSON, as an attribute says. */
  readonly isJson: boolean
}

/**
 * Reads `text` from `from` up to the block's end. Returns the position of what can't be decided yet: it must be given
 * again with more text after it. A value ends only where another argument or the block's end follows.
 */
export function scanArguments(scan: ArgumentScan, text: string, from: number, sink: ArgumentSink): number {
  let at = from
  while (at < text.length && !scan.ended) {
    const next = scan.close === "" ? between(scan, text, at, sink) : inValue(scan, text, at, sink)
    // Between two arguments what can't be decided begins at the first character that is no blank.
    if (next === -1) return scan.close === "" ? firstNonBlank(text, at) : at
    at = next
  }
  return at
}

/** Ends a text that `rest` is left of. Returns false if it is no call. */
export function endArguments(scan: ArgumentScan, rest: string, sink: ArgumentSink): boolean {
  if (scan.close !== "" && rest.startsWith(scan.close) && firstNonBlank(rest, scan.close.length) === rest.length) {
    scan.close = ""
    sink.close()
  } else scan.broken ||= rest.trim() !== "" || scan.close !== ""
  return !scan.broken
}

/** Reads one step of a value. -1 if its closing tag may follow, or what follows that tag isn't known. */
function inValue(scan: ArgumentScan, text: string, from: number, sink: ArgumentSink): number {
  const { close } = scan
  const found = findMarker(text, from, close, false)
  const at = found === -1 ? text.length : found
  if (at > from) {
    sink.value(text.slice(from, at))
    return at
  }
  const after = at + close.length
  if (after > text.length) return -1
  const next = firstNonBlank(text, after)
  const match = next - after > ARGUMENT_HEADER_LIMIT ? "no" : next === text.length ? "more" : follows(scan, text, next)
  if (match === "more") return -1
  if (match === "no") sink.value(close)
  else {
    scan.close = ""
    sink.close()
  }
  return after
}

/** Whether another argument or the end of the block follows a value. */
function follows({ style, end }: ArgumentScan, text: string, at: number): Beginning {
  const own = style ?? ELEMENTS
  const wrapper = isElements(own) ? isNext(text, at, "</arguments>") : "no"
  return anyOf([isNext(text, at, end), opens(own, text, at), wrapper])
}

function isElements({ close }: ArgumentStyle): boolean {
  return close === ""
}

/** Whether the text at `at` opens an argument. */
function opens(style: ArgumentStyle, text: string, at: number): Beginning {
  const matched = matchAt(text, at, style.open, false)
  if (matched !== style.open.length) return matched === -1 ? "no" : "more"
  const next = at + matched
  if (!isElements(style) && !/\w$/.test(style.open)) return "yes"
  if (next === text.length) return "more"
  const char = text.charAt(next)
  const isOne = isElements(style) ? /[A-Za-z_]/.test(char) : isBlank(char.charCodeAt(0)) || "=>/".includes(char)
  return isOne ? "yes" : "no"
}

/** Reads one step outside of arguments. -1 if a tag has begun that more text must tell. */
function between(scan: ArgumentScan, text: string, from: number, sink: ArgumentSink): number {
  const at = firstNonBlank(text, from)
  if (at === text.length) return at
  const end = isNext(text, at, scan.end)
  if (end === "yes") {
    scan.ended = true
    return at + scan.end.length
  }
  const style = scan.style ?? PARAMETERS
  const opening = opens(style, text, at)
  let isOpen = end === "more" || opening === "more"
  for (const word of isElements(style) ? WRAPPERS : []) {
    const wrapper = isNext(text, at, word)
    if (wrapper === "yes") {
      // Not ELEMENTS itself: in here an element may have the block's name.
      scan.style = { ...style }
      return at + word.length
    }
    isOpen ||= wrapper === "more"
  }
  if (isOpen) return -1
  if (opening === "yes") return header(scan, style, text, at, sink)
  if (scan.style !== null || text.charAt(at) !== "<") return junk(scan, text, at)
  scan.style = ELEMENTS
  return at
}

const WRAPPERS: readonly string[] = ["<arguments>", "</arguments>"]

/** Passes over what is no argument, up to the next tag. */
function junk(scan: ArgumentScan, text: string, at: number): number {
  scan.broken = true
  const tag = text.indexOf((scan.end || scan.style?.open || "<").charAt(0), at + 1)
  return tag === -1 ? text.length : tag
}

/** Reads the header of an argument. One that can't be read opens an argument too, so that its value is no markup. */
function header(scan: ArgumentScan, style: ArgumentStyle, text: string, at: number, sink: ArgumentSink): number {
  const most = ARGUMENT_HEADER_LIMIT + style.headEnd.length
  const begun = text.slice(at, at + most)
  const end = begun.indexOf(style.headEnd, style.open.length)
  if (end === -1 && begun.length < most) return -1
  const head = end === -1 ? begun : begun.slice(0, end + style.headEnd.length)
  const [tag = ""] = /^[\w.:-]+/.exec(head.slice(style.open.length)) ?? []
  scan.style = style
  scan.close = isElements(style) ? `${style.open}/${tag}>` : style.close
  // An element of the block's own name is the block's end without its slash.
  const isEnd = style === ELEMENTS && scan.close === scan.end
  const found = isEnd || end === -1 ? null : headerOf(style, head, tag)
  scan.broken ||= found === null
  sink.open(found)
  return at + (found === null ? style.open.length + tag.length : head.length)
}

const ATTRIBUTES = /^(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*$/

/** What a header says; null if it isn't one, or has no name of at most 256 characters. */
function headerOf(style: ArgumentStyle, head: string, tag: string): ArgumentHeader | null {
  const inner = head.slice(style.open.length, -style.headEnd.length)
  const read = style.headEnd === ">" ? parameterOf : keyOf
  const found = isElements(style) ? elementOf(inner, tag, style) : read(inner)
  return found?.name.trim() && found.name.length <= ARGUMENT_NAME_LIMIT ? found : null
}

function parameterOf(inner: string): ArgumentHeader | null {
  if (inner.startsWith("=")) {
    return inner.includes("<") ? null : { name: inner.slice(1), trim: "newline", isJson: false }
  }
  const name = ATTRIBUTES.test(inner) ? attributeOf(inner, "name") : undefined
  return name === undefined ? null : { name, trim: "nothing", isJson: attributeOf(inner, "string") === "false" }
}

function elementOf(inner: string, tag: string, { isText = false }: ArgumentStyle): ArgumentHeader | null {
  if (!ATTRIBUTES.test(inner.slice(tag.length))) return null
  const name = tag === "arg" || tag === "parameter" ? attributeOf(inner, "name") : undefined
  return { name: name ?? tag, trim: isText ? "newline" : "blanks", isJson: false }
}

/** The key, its own closing tag after it; or its end quote, and what kind of value it has. */
function keyOf(inner: string): ArgumentHeader | null {
  const [, name, type = "string"] = /^([^<>"]+)(?:<\/[^<>]+>\s*|"(?:\s+type="([^"<>]*)")?\s*)?$/.exec(inner) ?? []
  return name === undefined ? null : { name: name.trim(), trim: "nothing", isJson: type !== "string" }
}
