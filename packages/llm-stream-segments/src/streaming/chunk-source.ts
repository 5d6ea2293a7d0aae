// Iterates over wherever chunks come from.

/** A ReadableStream, also in browsers that cannot iterate over one. */
export interface ChunkStream<Chunk> {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Chunk | undefined }>
    cancel(): Promise<unknown>
  }
}

export type ChunkSource<Chunk> = AsyncIterable<Chunk> | Iterable<Chunk> | ChunkStream<Chunk>

/** The chunks of a source. Leaving the loop, or `return`, cancels it. A string is one chunk. */
export function chunksOf<Chunk>(source: ChunkSource<Chunk> | (Chunk & string)): AsyncIterableIterator<Chunk> {
  const chunks = iteratorOf(source)
  return {
    next: async () => chunks.next(),
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function iteratorOf<Chunk>(source: ChunkSource<Chunk> | (Chunk & string)): AsyncIterator<Chunk> | Iterator<Chunk> {
  if (typeof source === "string") return [source].values()
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]()
  if (Symbol.iterator in source) return source[Symbol.iterator]()
  const reader = source.getReader()
  return {
    async next() {
      const { done, value } = await reader.read()
      return done || value === undefined ? { done: true, value: undefined } : { done: false, value }
    },
    async return() {
      await reader.cancel()
      return { done: true, value: undefined }
    },
  }
}
