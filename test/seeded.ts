// Seeds the properties before every test file, so that they run the same cases each time.
import fc from "fast-check"

/** `PROPERTY_SEED=random bun test` looks for new cases; a number repeats a run. */
const wanted = process.env.PROPERTY_SEED ?? "20260314"
const seed = wanted === "random" ? Date.now() | 0 : Number(wanted)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
