// Splits the bytes of a WebSocket into its frames, whatever pieces they come in.
export interface Frame {
  /** The bytes as received, with the header. */
  readonly bytes: Buffer
  /** The text of a text frame; null for other frames. */
  readonly text: string | null
}

export const TEXT = 0x1
export const FINAL = 0x80

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

/** The head of a frame that is to have so many bytes; `first` holds its flags and its kind. */
export function frameHead(first: number, length: number | bigint): Buffer {
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head.writeUInt8(first, 0)
  head.writeUInt8(head.length === 2 ? Number(length) : head.length === 4 ? 126 : 127, 1)
  if (head.length === 4) head.writeUInt16BE(Number(length), 2)
  else if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** A frame as a server sends it. */
export function frame(first: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload)
  return Buffer.concat([frameHead(first, bytes.length), bytes])
}

export const textFrame = (text: string): Buffer => frame(FINAL | TEXT, text)
