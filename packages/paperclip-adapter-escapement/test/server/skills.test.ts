// Tests the skills page of the host.
import { expect, test } from "bun:test"
import { createServerAdapter } from "../../src/index.ts"

test("the skills page shows available, wanted and missing skills", async () => {
  const key = "company/snow"
  const config = { paperclipRuntimeSkills: [{ key, runtimeName: "snow", source: "/skills/snow" }] }
  const ctx = { agentId: "a", companyId: "c", adapterType: "escapement_local", config }
  const { listSkills, syncSkills } = createServerAdapter()
  expect(await listSkills?.(ctx)).toMatchObject({ supported: true, mode: "ephemeral", desiredSkills: [] })
  const wanted = await syncSkills?.(ctx, [key, "company/rain"])
  expect(wanted?.entries.map(({ key: one, state, detail }) => [one, state, detail])).toEqual([
    ["company/rain", "missing", expect.stringContaining("cannot find this skill")],
    [key, "configured", "Linked below PAPERCLIP_SKILLS_DIR for each run."],
  ])
})
