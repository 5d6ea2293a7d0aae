import { sanitize } from "../protocol/sanitize.ts"

/** What was pasted as text that may be shown. Terminals send the end of a line as they would send Enter: as CR. */
export function pasted(bytes: Uint8Array): string {
  return sanitize(new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n"))
}
