// Tests in a terminal the search of a run's files, and of the runs beside it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { scratch } from "../scratch.ts"
import { openSidecar } from "./sidecar.ts"

test("an artifact with odd characters in its name is found, shown without them and opened, and its true path copied", async () => {
  using place = scratch()
  await Bun.write(join(place.path, "transcript.jsonl"), `{"event":"runner/started","seq":0,"ts":1,"data":{}}\n`)
  await Bun.write(join(place.path, "artifacts/re\u009b\u202eport\u001b.md"), "one pot\ntwo kettles\nand three")
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: place.path } })
  await sidecar.waitFor("end of recording")
  await sidecar.type("F").waitFor("Search the whole run")
  await sidecar.type("kettle\r").waitFor("re\ufffd\ufffdport␛.md:2")
  const opened = (await sidecar.type("\r").waitFor("and three")).join("\n")
  expect(opened).toContain("re\ufffd\ufffdport␛.md")
  await sidecar.type("y").waitFor("COPY")
  await sidecar.type("\r").waitFor("Copied path")
  const path = join(place.path, "artifacts/re\u009b\u202eport\u001b.md")
  expect(sidecar.raw).toContain(`]52;c;${Buffer.from(path).toString("base64")}`)
  expect(sidecar.raw).not.toContain(Buffer.from("\u009b").toString("latin1"))
})
