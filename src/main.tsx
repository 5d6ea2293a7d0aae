// Starts the program, from its bundle if that is up to date, else from the sources. The agent spawns this file
// (docs/contract.md section 1). The program itself is src/app/app.ts: whatever this file imports is loaded first.
import { prepareBundle, readyBundle } from "./bundle.ts"

const ready = readyBundle()
if (ready === null) prepareBundle()
const load = (): Promise<typeof import("./app/app.ts")> => (ready === null ? import("./app/app.ts") : import(ready))
const { main } = await load()
await main(process.argv.slice(2))
