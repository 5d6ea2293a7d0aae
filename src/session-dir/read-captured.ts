import type { Capture, Captured } from "../protocol/capture.ts"
import { readCapture } from "./capture-file.ts"
import type { Result } from "./result.ts"
import type { SessionDirectory } from "./session-directory.ts"

/** What an `io/ref` names in a directory, or why it is not there. Never rejects. */
export async function readCaptured(directory: SessionDirectory, ref: string): Promise<Captured> {
  return toCaptured(await readCapture(directory, ref))
}

export function toCaptured({ value: capture, error: why }: Result<Capture>): Captured {
  return capture === undefined ? { why } : { capture }
}
