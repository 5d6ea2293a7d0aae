// Runs the test of a viewer's totals on the parsers of the server's own adapters.
import { join } from "node:path"
import { root } from "../../test/fixtures.ts"
import { check } from "./checks.ts"
import { run } from "./packages.ts"

/** Checks that the viewer shows the tokens that the results of each adapter say. */
export async function checkTotals(directory: string): Promise<void> {
  const env = { PAPERCLIP_SERVER_MODULES: join(directory, "node_modules") }
  const failure = await run([process.execPath, "test", "test/guest/totals.test.ts"], root, env).then(
    () => null,
    (error: Error) => error.message,
  )
  check("the viewer's totals are the results', for the server's own adapters", failure === null, failure)
}
