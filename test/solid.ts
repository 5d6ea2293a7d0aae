// Loads components before every test file as Solid's own preload does, but keeps what it makes of each: a file of
// tests that shows a screen would otherwise spend most of a second on that.
import { mkdirSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { plugin } from "bun"
import { version } from "../node_modules/@opentui/solid/package.json"

const KEPT = join(import.meta.dir, "../node_modules/.cache/solid")

/** The JavaScript of a component. */
async function transformed(path: string): Promise<string> {
  const code = readFileSync(path, "utf8")
  const kept = join(KEPT, `${Bun.hash(version + code).toString(36)}.js`)
  try {
    return readFileSync(kept, "utf8")
  } catch {
    // Loaded here, since the compiler alone takes as long to load as a test takes.
    const { transformSolidSource } = await import("../node_modules/@opentui/solid/scripts/solid-transform.js")
    const made = await transformSolidSource(code, { filename: path })
    mkdirSync(KEPT, { recursive: true })
    const own = `${kept}.${process.pid}`
    await Bun.write(own, made)
    renameSync(own, kept)
    return made
  }
}

plugin({
  name: "solid",
  setup(build) {
    // Solid's build for servers, which Bun would take, draws only once.
    build.onLoad({ filter: /\/node_modules\/solid-js\/(store\/)?dist\/server\.js$/ }, ({ path }) => {
      const client = path.includes("/store/") ? "store.js" : "solid.js"
      return { contents: readFileSync(path.replace("server.js", client), "utf8"), loader: "js" }
    })
    build.onLoad({ filter: /^(?!.*\/node_modules\/).*\.tsx$/ }, async ({ path }) => ({
      contents: await transformed(path),
      loader: "js",
    }))
  },
})
