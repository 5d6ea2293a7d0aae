// Tests the list of the files of the session directory.
import { expect, test } from "bun:test"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { DirectoryFiles } from "../../../src/view/directory-files.ts"
import { show } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

test("the files are told with their sizes and ages, or why there are none, and how many of more are listed", async () => {
  const screen = await show({ columns: 60, rows: 24 })
  const { dispatch } = screen.store
  const directory = (error: string | null): Step => [
    `directory: ${error}`,
    () => dispatch({ type: "directory", directory: { path: "/run", error } }),
  ]
  const files = (name: string, change: Partial<DirectoryFiles>): Step => [
    name,
    () => dispatch({ type: "files", change }),
  ]
  const HOUR = 3_600_000
  const some = [0, 1, 47.9, 48, 286].map((hours, n) => {
    const [title, refused] = [sanitizeLine(`${n}.txt`), n === 1]
    return { name: `artifacts/${n}.txt`, title, size: 900 * n, changedAt: 500 * HOUR - hours * HOUR, refused }
  })
  const all = Array.from({ length: 2000 }, (_, n) => ({ ...some[0], name: `${n}` }) as (typeof some)[0] & object)
  const steps = [
    ": 'agent-log' enter",
    "escape : 'files' enter",
    directory("gone"),
    directory(null),
    files("why", { artifactsWhy: "no such directory" }),
    files("some from before", { artifacts: some }),
    files("none", { artifactsWhy: null, artifacts: [] }),
    files("some, at an unknown time", { artifacts: some }),
    files("at the time of the second", { artifactsAt: 499 * HOUR }),
    files("and known, of more", { artifactsAt: 500 * HOUR, hasMoreArtifacts: true }),
    files("2,000", { artifacts: all, hasMoreArtifacts: false }),
    "pagedown",
    files("some", { artifacts: some }),
    "j j",
    files("one came before it", { artifacts: [...some.slice(4), ...some.slice(0, 4)] }),
    files("some", { artifacts: some }),
    ..."o|escape|: 'agent-log' enter|: 'files' enter|enter".split("|"),
  ]
  const third = { type: "file", name: "artifacts/3.txt", top: 0 } as const
  const read: Step = ["one is read", () => dispatch({ type: "view", change: { overlays: [third] } })]
  expect(await walked(screen, ...steps, read, ": 'files' enter")).toMatchSnapshot()
})
