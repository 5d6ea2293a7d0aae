// Tests how the live pane lists sessions: folded, sorted, filtered, pinned, and where in the list one is.
import { testWalks } from "../scripted.ts"

await testWalks("live-listing")
