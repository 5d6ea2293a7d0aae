// The program as one executable (`bun run compile`): all of it is in there, so that nothing is looked for.
import { main } from "../src/app/app.ts"

await main(process.argv.slice(2))
