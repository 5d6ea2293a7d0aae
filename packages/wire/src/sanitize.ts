// Makes untrusted text safe to show: the result can't control a terminal, reorder a line or hide text in it.

/** A quick first test, since every delta is tested: it takes less than half the time of `HOSTILE`. */
const UNUSUAL = /[^\t\n -~]/

/**
 * Characters that must not be shown as they are: controls, and what takes no room or looks like nothing, such as blank
 * letters, marks of annotations, musical and shorthand controls, tags and further variation selectors. Newline and tab
 * are allowed, and the sixteen variation selectors that emoji need.
 */
const HOSTILE =
  /[\u034f\u180b-\u180f]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/
/** All of them, to be replaced. */
export const ALL_HOSTILE = new RegExp(HOSTILE, "g")

declare const safe: unique symbol
/**
 * Text that is safe to show. Only this file makes it, and whatever shows text takes nothing else; a text that is put
 * together from safe parts is sanitized once more, which changes nothing.
 */
export type SafeText = string & { readonly [safe]: true }

const LETTER = /^[\p{L}\p{M}]$/u
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const LONE_SURROGATE = /^[\ud800-\udfff]$/u

const MARK = "\ufffd"
const ZWNJ = 0x200c
const ZWJ = 0x200d

/**
 * Sanitizes text (docs/decisions.md 1.3): C0 and DEL become their pictures; C1, bidi controls and line separators
 * become U+FFFD; invisible characters are removed, except joiners inside emoji and between letters; CRLF becomes LF.
 * Newlines and tabs stay. A clean string is returned as it is. Lone surrogates stay, since a delta may end in the
 * middle of a character.
 */
export function sanitize(text: string): SafeText {
  if (!UNUSUAL.test(text) || !HOSTILE.test(text)) return text as SafeText
  return text.replaceAll("\r\n", "\n").replace(ALL_HOSTILE, visible) as SafeText
}

let cachedText = ""
let cachedResult = sanitize("")

/** `sanitize` for text that rarely changes, such as a model's name. It caches the last result. */
export function sanitizeCached(text: string): SafeText {
  if (text === cachedText) return cachedResult
  cachedResult = sanitize(text)
  cachedText = text
  return cachedResult
}

/** `sanitize` for one line: a newline becomes its picture, a tab a space. */
export function sanitizeLine(text: string): SafeText {
  return sanitize(text).replaceAll("\n", "\u240a").replaceAll("\t", " ") as SafeText
}

/** Any text as one word of a shell's command line, safe to show; bash and zsh read it as that very text. */
export function shellWord(text: string): SafeText {
  if (/^[\w./-]+$/.test(text)) return sanitizeLine(text)
  if (sanitizeLine(text) === text) return sanitizeLine(`'${text.replaceAll("'", "'\\''")}'`)
  return sanitizeLine(`$'${text.replace(/[^ -&(-[\]-~]+/g, octal)}'`)
}

function octal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return bytes.map(byte => `\\${byte.toString(8).padStart(3, "0")}`).join("")
}

/** The beginning of a text as one line, short enough to quote in a message. */
export function quotedLine(text: string): SafeText {
  return sanitizeLine(text.slice(0, 200))
}

function visible(found: string, offset: number, whole: string): string {
  const code = found.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "\u2421"
  if (isMarked(code)) return MARK
  if ((code === ZWJ || code === ZWNJ) && joins(whole, offset)) return found
  // Removing it after a high surrogate could combine that surrogate with the next unit into a hostile character.
  return isHighSurrogate(whole.charCodeAt(offset - 1)) ? MARK : ""
}

/** True if a text contains C1, a bidi control or a line separator, which no key may type into a field. DEL is a key. */
export function hasUnsafe(text: string): boolean {
  return Array.from(text, character => character.codePointAt(0) ?? 0).some(code => code > 0x7f && isMarked(code))
}

/** The sanitized stack of an error, or its message if it has none. */
export function sanitizeFault(fault: unknown): SafeText {
  return sanitize(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault))
}

/** C1, bidi controls and line separators. They change the text around them, so they are replaced visibly. */
function isMarked(code: number): boolean {
  if (code <= 0x9f || code === 0x061c) return true
  if (code === 0x200e || code === 0x200f) return true
  return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}

/** True for a joiner between two letters or two emoji. A side that a split delta hides is taken to match the other. */
function joins(whole: string, offset: number): boolean {
  const left = before(whole, offset)
  const right = after(whole, offset)
  if (left === null && right === null) return false
  return joinsLike(LETTER, left, right) || joinsLike(EMOJI, left, right)
}

function joinsLike(like: RegExp, left: string | null, right: string | null): boolean {
  // Beside a letter that is removed it would be alone in the result.
  return [left, right].every(side => side === null || (like.test(side) && !HOSTILE.test(side)))
}

/** The character that ends at `offset`; null if it is not known. */
function before(whole: string, offset: number): string | null {
  const pair = whole.slice(Math.max(0, offset - 2), offset)
  const known = pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1)
  return whenKnown(known)
}

/** The character after the joiner at `offset`; null if it is not known. */
function after(whole: string, offset: number): string | null {
  const code = whole.codePointAt(offset + 1)
  return code === undefined ? null : whenKnown(String.fromCodePoint(code))
}

function whenKnown(character: string): string | null {
  return character === "" || LONE_SURROGATE.test(character) ? null : character
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
