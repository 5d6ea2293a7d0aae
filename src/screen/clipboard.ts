export type Multiplexer = "tmux" | "screen" | null

/** Most bytes of a text: terminals limit a sequence to about 100,000 characters of base64. */
export const CLIPBOARD_BYTES = 74_994

/** screen cuts a longer control string. */
const SCREEN_PIECE = 240

/**
 * The OSC 52 sequence for a text; null if it is too long. The terminal never confirms it. tmux gets it plain, for its
 * own buffer, and wrapped, for the terminal behind it.
 */
export function clipboardSequence(text: string, through: Multiplexer): string | null {
  const bytes = Buffer.from(text)
  if (bytes.length > CLIPBOARD_BYTES) return null
  const plain = `\x1b]52;c;${bytes.toString("base64")}\x07`
  switch (through) {
    case null:
      return plain
    case "tmux":
      return `${plain}\x1bPtmux;${plain.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`
    case "screen":
      return (plain.match(new RegExp(`[^]{1,${SCREEN_PIECE}}`, "g")) ?? []).map(piece => `\x1bP${piece}\x1b\\`).join("")
  }
}
