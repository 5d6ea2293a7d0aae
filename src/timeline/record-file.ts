import { deserialize, serialize } from "bun:jsc"
import { readSync, writeSync } from "node:fs"
import type { Records } from "../run/memory/stored-objects.ts"

const BLOCK_BYTES = 1024 * 1024
/** The fastest; the same names of fields come again and again, so it is enough. */
const LEVEL = 1

/** Where the records are: the byte offset of each, and the end of the last one. */
export interface Places {
  readonly offsets: Float64Array
  readonly end: number
}

/** Its methods throw if the file fails. Who opens the file closes it. */
export class RecordFile implements Records {
  readonly #offsets: number[]
  /** Bytes in records, and of these the ones in the file. */
  #end: number
  #written: number
  #pending: Buffer[] = []
  #plainBytes = 0

  constructor(
    private fd: number | null,
    places: Places | null = null,
  ) {
    this.#offsets = Array.from(places?.offsets ?? [])
    this.#end = places?.end ?? 0
    this.#written = this.#end
  }

  /** Bytes of all records written here, before they were compressed. */
  get plainBytes(): number {
    return this.#plainBytes
  }

  get end(): number {
    return this.#end
  }

  /** Where all records are; they are in the file then. */
  places(): Places {
    this.#flush()
    return { offsets: Float64Array.from(this.#offsets), end: this.#end }
  }

  /** Goes on with another file, which begins with the same records. */
  continueIn(fd: number): void {
    this.fd = fd
  }

  /** From now on every method throws. */
  close(): void {
    this.fd = null
  }

  write(plain: unknown): number {
    const bytes = pack(plain)
    this.#plainBytes += bytes.plain
    this.#pending.push(bytes.packed)
    this.#offsets.push(this.#end)
    this.#end += bytes.packed.length
    if (this.#end - this.#written >= BLOCK_BYTES) this.#flush()
    return this.#offsets.length - 1
  }

  read(record: number): unknown {
    const from = this.#offsets[record]
    if (from === undefined) throw new RangeError(`no record ${record}`)
    const to = this.#offsets[record + 1] ?? this.#end
    if (to > this.#written) this.#flush()
    return readPacked(this.#open(), from, to - from)
  }

  #open(): number {
    if (this.fd === null) throw new Error("the file is closed")
    return this.fd
  }

  #flush(): void {
    const fd = this.#open()
    const block = Buffer.concat(this.#pending)
    for (let at = 0; at < block.length; ) at += writeSync(fd, block, at, block.length - at, this.#written + at)
    this.#written += block.length
    this.#pending = []
  }
}

/** Plain data as compressed bytes, and how many they were before. */
export function pack(plain: unknown): { readonly packed: Buffer; readonly plain: number } {
  const bytes = serialize(plain, { binaryType: "nodebuffer" })
  return { packed: Bun.zstdCompressSync(bytes, { level: LEVEL }), plain: bytes.length }
}

/** Plain data of these bytes of a file. Throws if they are not there. */
export function readPacked(fd: number, offset: number, length: number): unknown {
  const bytes = Buffer.allocUnsafe(length)
  if (readSync(fd, bytes, 0, length, offset) !== length) throw new Error("the file is cut")
  return deserialize(Bun.zstdDecompressSync(bytes))
}

/** A hash of the first `end` bytes of a file. */
export function checksum(fd: number, end: number): bigint {
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  let hash = 0n
  for (let at = 0; at < end; ) {
    const read = readSync(fd, block, 0, Math.min(BLOCK_BYTES, end - at), at)
    if (read === 0) throw new Error("the file is cut")
    hash = BigInt(Bun.hash(block.subarray(0, read), hash))
    at += read
  }
  return hash
}
