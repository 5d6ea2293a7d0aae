import type { Clock } from "../transport/clock.ts"
import { describeConnectionError } from "../transport/connection-error.ts"

export interface PostOptions {
  readonly url: string
  readonly token: string | undefined
  readonly clock: Clock
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal
}

export interface PostResponse {
  readonly status: number
  readonly text: string
}

const TYPE = "application/transit+json"

/** The response to `body`, whatever its status. Uses a new connection and no proxy; rejects with a one-line Error. */
export async function post(body: string, options: PostOptions): Promise<PostResponse> {
  const { url, token, clock, timeoutMs, maxBytes, signal } = options
  const { promise, resolve, reject } = Promise.withResolvers<PostResponse>()
  // Loaded on demand, because a start doesn't need it.
  const { request: begin } = await (url.startsWith("https:") ? import("node:https") : import("node:http"))
  if (signal.aborted) throw new Error("closed")
  const headers = {
    "Content-Type": TYPE,
    Accept: TYPE,
    "Content-Length": Buffer.byteLength(body),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }
  const request = begin(url, { method: "POST", agent: false, headers })
  const fail = (why: string) => {
    reject(new Error(why))
    request.destroy()
  }
  const onAbort = () => fail("closed")
  signal.addEventListener("abort", onAbort, { once: true })
  const cancel = clock.after(timeoutMs, () => fail(`no response within ${timeoutMs / 1000}s`))

  request.on("error", error => fail(describeConnectionError(error.message, error)))
  request.on("response", response => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) fail("response too large")
      else chunks.push(chunk)
    })
    response.on("error", error => fail(describeConnectionError(error.message, error)))
    response.on("close", () => fail("the connection was closed"))
    response.on("end", () => {
      if (!response.complete) return fail("the connection was closed")
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") })
    })
  })
  request.end(body)

  return await promise.finally(() => {
    cancel()
    signal.removeEventListener("abort", onAbort)
  })
}
