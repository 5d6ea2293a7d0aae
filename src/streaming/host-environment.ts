// Asks the host for what the pure parser cannot know: an environment variable and a random name. Works where neither exists.

/** Names the parser of a process: `xml`, `json`, `sentinel` or `api_tool_call`. */
export const ENV_PARSER_NAME = "AUTOBYTEUS_STREAM_PARSER"

interface Host {
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } }
  readonly crypto?: { getRandomValues?<Bytes extends Uint8Array<ArrayBuffer>>(bytes: Bytes): Bytes }
}

/** The variable's value without blanks around it; undefined where it is unset or empty, or where there are none. */
export function environmentVariable(name: string): string | undefined {
  const host: Host = globalThis
  const value = host.process?.env?.[name]?.trim()
  return value === "" ? undefined : value
}

let named = 0

/** A name that no other call gives: 32 hexadecimal digits, or a count where the host has no random numbers. */
export function uniqueName(): string {
  const host: Host = globalThis
  const bytes = host.crypto?.getRandomValues?.(new Uint8Array(16))
  if (bytes === undefined) return String(++named)
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("")
}
