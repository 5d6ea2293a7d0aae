// Tests that nothing but the screen writes to the terminal while it is up, and that what others wrote is told at the end.
import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../src/transport/package-files.ts"
import { event } from "../agent/ui.ts"
import { scratch } from "../scratch.ts"
import { until } from "../until.ts"
import { openLive } from "./sidecar.ts"

test("a library's writes to stdout and stderr don't stand in the picture, and are printed once it is gone", async () => {
  using place = scratch()
  const preload = join(place.path, "stray.ts")
  const said = join(place.path, "said")
  await Bun.write(
    preload,
    `const timer = setInterval(() => {
      if (process.stdout.write.name === "write" && Object.hasOwn(process.stdout, "write")) {
        clearInterval(timer)
        process.stderr.write("stray \\x1b[31merr\\n")
        process.stdout.write("stray out\\n")
        process.emitWarning("stray warning")
        setTimeout(() => Bun.write(${JSON.stringify(said)}, "x"), 50)
      }
    }, 20)`,
  )

  const recording = [event("runner/started", { "session-id": "s" }), event("runner/done", { status: "done" })]
  const cmd = [process.execPath, "run", "--preload", preload, `${root}src/main.tsx`]
  await using sidecar = await openLive(recording, { cmd })
  await sidecar.waitFor("Run finished")
  await until(() => existsSync(said))
  expect((await sidecar.press("j").waitFor("Run finished")).join("\n")).not.toContain("stray")
  const end = await sidecar.press("\x03").waitFor(/stray out/)
  expect(end.join("\n")).toContain("stray ␛[31merr")
})
