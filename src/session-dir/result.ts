// Turns the errors of file operations into results with one line of text.
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"

/** A value, or one sanitized line that says why there is none. */
export type Result<T> =
  | { readonly value: T; readonly error?: never }
  | { readonly error: string; readonly value?: never }

/** Our own refusal to read something. Its message is shown as it is. */
export class ReadRefusal extends Error {}

/** The result of `read`. An error that it throws becomes `LABEL: DESCRIPTION`. Never rejects. */
export async function attempt<T>(label: string, read: () => Promise<T>): Promise<Result<T>> {
  try {
    return { value: await read() }
  } catch (error) {
    return { error: `${label}: ${error instanceof ReadRefusal ? error.message : describeFileError(error)}` }
  }
}
