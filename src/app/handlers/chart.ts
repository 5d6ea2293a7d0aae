// Asks the agent's API for the definition of its chart.
import type { Eql } from "../../eql/eql.ts"
import type { RunContext } from "../run-context.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function chartHandler({ store, signal }: RunContext, eql: Eql | null): HandlersOf<"chart/read"> {
  const read = async (): Promise<void> => {
    const definition = await eql?.readChart()
    if (definition !== undefined && !signal.aborted) store.dispatch({ type: "defined", definition })
  }
  // Without a definition, the outline is made of the visits seen so far.
  return { "chart/read": () => void read().catch(() => undefined) }
}
