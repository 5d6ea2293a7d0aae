// Limits the time of every test before its file is loaded, also of one file that is run alone.
import { setDefaultTimeout } from "bun:test"

/** For a test that hangs, ms: far beyond what a slow, busy machine needs. */
const LIMIT_MS = 120_000

setDefaultTimeout(LIMIT_MS)
