// Tests the data of a log row, as a page of the reader.
import { testWalks } from "../scripted.ts"

await testWalks("entry")
