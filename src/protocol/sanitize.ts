// Makes text from outside safe to show: what remains cannot steer a terminal, reorder a line or hide in it.

/** Most text is plain ASCII, which this test finds in less than half the time of the next (each delta passes here). */
const UNUSUAL = /[^\t\n -~]/

/** Whatever may not be shown as it is. Newline and tab are missing on purpose; the last part is the tag characters. */
const HOSTILE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\udb40[\udc00-\udc7f]/
const ALL_HOSTILE = new RegExp(HOSTILE, "g")

const LETTER = /^[\p{L}\p{M}]$/u
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const LONE_SURROGATE = /^[\ud800-\udfff]$/u

const MARK = "\ufffd"
const ZWNJ = 0x200c
const ZWJ = 0x200d

/**
 * Text that may be shown (docs/decisions.md 1.3): C0 and DEL as their pictures, C1, bidi controls and line separators as
 * U+FFFD, zero-width characters gone except joiners inside emoji and between letters, CRLF as LF. Newline and tab stay.
 * A clean string comes back as it is. Lone surrogates stay, since a delta may end in the middle of a character.
 */
export function sanitize(text: string): string {
  if (!UNUSUAL.test(text) || !HOSTILE.test(text)) return text
  return text.replaceAll("\r\n", "\n").replace(ALL_HOSTILE, visible)
}

let lately = ""
let latelyInert = ""

/** `inert` for what is the same text most times, such as a model's name: the last answer is remembered. */
export function sanitizeAgain(text: string): string {
  if (text === lately) return latelyInert
  latelyInert = sanitize(text)
  lately = text
  return latelyInert
}

/** `inert` on one line: a newline becomes its picture, a tab a space. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replaceAll("\n", "\u240a").replaceAll("\t", " ")
}

/** What stands in the place of one hostile character. */
function visible(found: string, offset: number, whole: string): string {
  const code = found.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "\u2421"
  if (isMarked(code)) return MARK
  if ((code === ZWJ || code === ZWNJ) && joins(whole, offset)) return found
  // Were it to vanish behind half a character, the half could join what follows into something hostile.
  return isHighSurrogate(whole.charCodeAt(offset - 1)) ? MARK : ""
}

/** True where a text holds C1, a bidi control or a line separator: nothing that a key should put into a field. DEL is a key. */
export function hasUnsafe(text: string): boolean {
  return Array.from(text, character => character.codePointAt(0) ?? 0).some(code => code > 0x7f && isMarked(code))
}

/** What a fault says, its stack where it has one, as it may be shown. */
export function sanitizeFault(fault: unknown): string {
  return sanitize(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault))
}

/** C1, bidi controls and line separators: they change what stands around them, so a person should see them. */
function isMarked(code: number): boolean {
  if (code <= 0x9f || code === 0x061c) return true
  if (code === 0x200e || code === 0x200f) return true
  return (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
}

/** True where a joiner has work to do. A side that a split delta hides agrees with the side that is known. */
function joins(whole: string, offset: number): boolean {
  const left = before(whole, offset)
  const right = after(whole, offset)
  if (left === null && right === null) return false
  return joinsLike(LETTER, left, right) || joinsLike(EMOJI, left, right)
}

function joinsLike(like: RegExp, left: string | null, right: string | null): boolean {
  return (left === null || like.test(left)) && (right === null || like.test(right))
}

/** The character that ends at `offset`, null where it is not known. */
function before(whole: string, offset: number): string | null {
  const pair = whole.slice(Math.max(0, offset - 2), offset)
  const known = pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1)
  return whenKnown(known)
}

/** The character behind the joiner at `offset`, null where it is not known. */
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
