// Says a text to the terminal's clipboard, in the way that gets through what lies between: tmux, or screen.

/** What runs the terminal that the program sees; null where that is the terminal itself. */
export type Multiplexer = "tmux" | "screen" | null

/** Bytes of a text that terminals take: their limits on one sequence begin at about 100,000 characters of base64. */
export const CLIPBOARD_BYTES = 74_994

/** screen cuts a longer string of control. */
const SCREEN_PIECE = 240

/**
 * The sequence (OSC 52) that puts a text on the clipboard, null for a text that is too long for it. Whether the terminal
 * takes it is never told. tmux gets it plain, for its own buffer and where it hands on the clipboard, and wrapped, for
 * where it lets programs through.
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
