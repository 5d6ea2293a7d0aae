// Tests which models the host can offer.
import { afterAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { listModels, testEnvironment } from "../../../src/paperclip/server/index.ts"
import { openHost } from "../host.ts"

const host = openHost()
afterAll(() => host[Symbol.dispose]())

async function offered(chart: string): Promise<string[]> {
  const config = { command: host.command, cwd: host.cwd, chart }
  await testEnvironment({ companyId: "c", adapterType: "escapement_local", config })
  return (await listModels()).map(({ id }) => id)
}

test("the models are those that the charts of tested agents name, once each", async () => {
  const chart = '{:states {:plan {:model "gemma3:1b"} :write {:model :smart} :judge {:model "gemma3:1b"}}}'
  writeFileSync(join(host.cwd, "plan.edn"), chart)
  expect(await offered("plan.edn")).toEqual(["", "gemma3:1b", "smart"])
})

test("a chart that is missing, a directory or only a name adds none", async () => {
  const before = (await listModels()).length
  for (const chart of ["none.edn", ".", "named-chart", ""]) expect(await offered(chart)).toHaveLength(before)
})

test("a chart of up to a megabyte is read, and a longer one not", async () => {
  const chart = '{:model "late"}'
  for (const [extra, isRead] of [
    [1, false],
    [0, true],
  ] as const) {
    writeFileSync(join(host.cwd, "long.edn"), chart.padStart(1024 * 1024 + extra))
    expect((await offered("long.edn")).includes("late")).toBe(isRead)
  }
})
