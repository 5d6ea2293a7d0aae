// Starts the program: from its bundle where that is ready, else from its files. The agent starts this file (contract.md
// section 1). The whole loop is src/app/app.ts: what this file imports itself is loaded before the bundle can be.
import { prepareBundle, readyBundle } from "./bundle.ts"

const ready = readyBundle()
if (ready === null) prepareBundle()
const load = (): Promise<typeof import("./app/app.ts")> => (ready === null ? import("./app/app.ts") : import(ready))
const { main } = await load()
await main(process.argv.slice(2))
