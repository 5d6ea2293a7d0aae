// Tests in a terminal the search of a run's files, and of the runs beside it.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { scratch } from "../scratch.ts"
import { openSidecar } from "./sidecar.ts"

test("F finds a text in the files of a run and opens its turn, then searches the runs beside it", async () => {
  using place = scratch()
  const row = (seq: number, event: string, data: object) =>
    `${JSON.stringify({ event, seq, ts: 1000 + seq, data: { invokeid: "judge", "session-id": "j.1", ...data } })}\n`
  const said = (seq: number, text: string) =>
    row(seq, "llm/start", {}) + row(seq + 1, "llm/response", { content: [{ type: "text", text }] })

  await Bun.write(
    join(place.path, "tea/transcript.jsonl"),
    said(0, "one pot") + said(2, "two kettles") + said(4, "three"),
  )
  await Bun.write(join(place.path, "soup/transcript.jsonl"), said(0, "a kettle of soup"))
  await using sidecar = await openSidecar({ env: { OPENTUI_REPLAY: join(place.path, "tea") } })
  await sidecar.waitFor("end of recording")
  await sidecar.type("F").waitFor("Search the whole run")
  const here = (await sidecar.type("kettle\r").waitFor(/SEARCH {2}kettle · this run · 1 match/)).join("\n")
  expect(here).toContain("two kettles")
  expect(here).not.toContain("a kettle of soup")
  await sidecar.type("F").waitFor(/all runs · 2 matches/)
  const everywhere = (await sidecar.waitFor("soup/judge")).join("\n")
  expect(everywhere).toContain("a kettle of soup")
  expect(everywhere).toContain("two kettles")
  sidecar.type("\r")
  const turn = (await sidecar.waitFor(/─ judge [\s\S]*─ turn 2 of 3 /)).join("\n")
  expect(turn).toContain("two kettles")
})

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
