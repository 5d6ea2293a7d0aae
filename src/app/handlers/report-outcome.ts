// Tells a person what came of work that writes files.
import { describeFileError } from "../../transport/recording-path.ts"
import type { RunContext } from "../run-context.ts"

/** Shows the words that `work` gives, or, after `what`, why it failed. */
export async function reportOutcome(
  { tell }: Pick<RunContext, "tell">,
  what: string,
  work: () => Promise<string>,
): Promise<void> {
  const outcome = await work().then(
    words => ({ words }),
    (error: unknown) => ({ error }),
  )
  if ("words" in outcome) tell(outcome.words, "info")
  else tell(`${what}: ${describeFileError(outcome.error, "cannot be written")}`)
}
