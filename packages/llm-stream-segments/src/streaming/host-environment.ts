// Reads an environment variable and makes random names, even in hosts that have neither.

/** The variable that names the parser: `xml`, `json`, `sentinel` or `api_tool_call`. */
export const ENV_PARSER_NAME = "AUTOBYTEUS_STREAM_PARSER"

interface Host {
  readonly TransformStream?: typeof TransformStream
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } }
  readonly crypto?: { getRandomValues?<Bytes extends Uint8Array<ArrayBuffer>>(bytes: Bytes): Bytes }
}

/** The variable's trimmed value; undefined if it is unset or empty, or the host has no environment. */
export function environmentVariable(name: string): string | undefined {
  const host: Host = globalThis
  const value = host.process?.env?.[name]?.trim()
  return value === "" ? undefined : value
}

/** The host's TransformStream; in a host without one, a class whose constructor throws. */
export const HostTransformStream = /* @__PURE__ */ transformStreamOf(globalThis)

function transformStreamOf(host: Host): typeof TransformStream {
  if (host.TransformStream !== undefined) return host.TransformStream
  return class {
    readonly readable: ReadableStream = this.#missing()
    readonly writable: WritableStream = this.#missing()

    #missing(): never {
      throw new Error("expected a host with TransformStream, got one without")
    }
  }
}

let named = 0

/** A unique name: 32 hexadecimal digits, or a counter if the host has no random numbers. */
export function uniqueName(): string {
  const host: Host = globalThis
  const bytes = host.crypto?.getRandomValues?.(new Uint8Array(16))
  if (bytes === undefined) return String(++named)
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")
}
