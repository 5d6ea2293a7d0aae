// Says what came of a look at the disk: the value, or in one line why there is none.
import { describeFileError } from "../transport/recording-path.ts"

/** A value, or one line of inert text that says why there is none. */
export type Result<T> =
  | { readonly value: T; readonly error?: never }
  | { readonly error: string; readonly value?: never }

/** A refusal of our own: its message is the whole line. */
export class ReadRefusal extends Error {}

/** What `read` gives; what it throws becomes a line that begins with `shown`. Never rejects. */
export async function resultOf<T>(shown: string, read: () => Promise<T>): Promise<Result<T>> {
  try {
    return { value: await read() }
  } catch (error) {
    return { error: `${shown}: ${error instanceof ReadRefusal ? error.message : describeFileError(error)}` }
  }
}
