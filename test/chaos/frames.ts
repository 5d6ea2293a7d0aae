// Splits the bytes of a WebSocket into its frames, whatever pieces they come in.
export interface Frame {
  /** The bytes as received, with the header. */
  readonly bytes: Buffer
  /** The text of a text frame; null for other frames. */
  readonly text: string | null
}

const TEXT = 0x1
const FINAL = 0x80

export class FrameCutter {
  #held: Buffer = Buffer.alloc(0)

  /** The frames that this piece completes. */
  push(piece: Buffer): Frame[] {
    this.#held = Buffer.concat([this.#held, piece])
    const frames: Frame[] = []
    for (let frame = this.#take(); frame !== null; frame = this.#take()) frames.push(frame)
    return frames
  }

  #take(): Frame | null {
    const held = this.#held
    if (held.length < 2) return null
    const [first = 0, second = 0] = held
    const short = second & 0x7f
    const sizeBytes = short === 127 ? 8 : short === 126 ? 2 : 0
    const isMasked = (second & 0x80) !== 0
    const header = 2 + sizeBytes + (isMasked ? 4 : 0)
    if (held.length < header) return null
    const size = sizeBytes === 8 ? Number(held.readBigUInt64BE(2)) : sizeBytes === 2 ? held.readUInt16BE(2) : short
    if (held.length < header + size) return null
    const bytes = Buffer.from(held.subarray(0, header + size))
    this.#held = held.subarray(header + size)
    if ((first & 0xf) !== TEXT) return { bytes, text: null }
    const payload = Buffer.from(bytes.subarray(header))
    if (isMasked) for (let i = 0; i < size; i++) payload[i] = (payload[i] ?? 0) ^ (bytes[header - 4 + (i % 4)] ?? 0)
    return { bytes, text: payload.toString("utf8") }
  }
}

/** A text frame as a server sends it. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const size = payload.length
  const header =
    size < 126
      ? Buffer.from([FINAL | TEXT, size])
      : size < 65_536
        ? Buffer.from([FINAL | TEXT, 126, size >> 8, size & 0xff])
        : Buffer.from([
            FINAL | TEXT,
            127,
            0,
            0,
            0,
            0,
            size >>> 24,
            (size >> 16) & 0xff,
            (size >> 8) & 0xff,
            size & 0xff,
          ])
  return Buffer.concat([header, payload])
}
