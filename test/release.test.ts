// Tests the rehearsal of a release with two small packages, and that nothing else can be done.
import { beforeEach, describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { repositoryAt } from "../build/package.ts"
import { changelogFault, type Rehearsal, rehearse } from "../build/release.ts"
import { version } from "../package.json"
import { root } from "./fixtures.ts"
import { fileScratch } from "./scratch.ts"

const home = fileScratch()
const outdir = join(home, "release")

const CHANGELOG = "# Changelog\n\n## 1.2.3, not released\n\n- It is new.\n\n## 1.2.2\n\n- It was new.\n"
let said: string[] = []
beforeEach(() => {
  said = []
})

const REHEARSAL: Rehearsal = {
  version: "1.2.3",
  changelog: CHANGELOG,
  packages: join(home, "npm"),
  outdir,
  async build() {
    for (const name of ["one", "two"]) {
      await Bun.write(join(home, "npm", name, "package.json"), JSON.stringify({ name, version: "1.2.3" }))
    }
  },
  test: async tarballs => readdirSync(tarballs).length === 2,
  say: line => void said.push(line),
}

describe("a rehearsal of a release", () => {
  test("packs what was built, writes checksums, and says what it would publish", async () => {
    expect(await rehearse(REHEARSAL)).toBeNull()
    expect(readdirSync(outdir).sort()).toEqual(["SHA256SUMS", "one-1.2.3.tgz", "two-1.2.3.tgz"])
    const check = Bun.spawnSync(["sha256sum", "-c", "SHA256SUMS"], { cwd: outdir })
    expect(check.stdout.toString()).toBe("one-1.2.3.tgz: OK\ntwo-1.2.3.tgz: OK\n")
    expect(said).toEqual([
      "would publish:",
      `  npm publish --access public ${outdir}/one-1.2.3.tgz   # 0.00 MB`,
      `  npm publish --access public ${outdir}/two-1.2.3.tgz   # 0.00 MB`,
      "before that: the changelog still says that it is not released",
      "nothing was published",
    ])
  })

  test("says what would be published only if the tests of the packages pass", async () => {
    expect(await rehearse({ ...REHEARSAL, test: async () => false })).toBe("a test of the packages failed")
    expect(said).toEqual([])
  })

  test("builds nothing for a version that the changelog lacks", async () => {
    const build = async () => expect.unreachable()
    expect(await rehearse({ ...REHEARSAL, build, version: "1.2.4" })).toBe(
      'CHANGELOG.md: expected 1.2.4 in its first heading, got "1.2.3, not released"',
    )
  })

  test("wants a list of changes", () => {
    expect(changelogFault(CHANGELOG, "1.2.3")).toBeNull()
    expect(changelogFault("# Changelog\n\n## 1.2.3\n\n- Last.\n", "1.2.3")).toBeNull()
    const empty = "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n\n- Old.\n"
    expect(changelogFault(empty, "1.2.3")).toBe('CHANGELOG.md: expected a list of changes below "1.2.3", got none')
    expect(changelogFault("# Changelog\n", "1.2.3")).toBe('CHANGELOG.md: expected 1.2.3 in its first heading, got ""')
  })
})

test.each([
  ["https://me:secret@example.org/a/b.git\n", { repository: { type: "git", url: "git+https://example.org/a/b.git" } }],
  ["/home/me/b\n", {}],
  ["git@example.org:a/b.git\n", {}],
  ["", {}],
])("a package of a checkout from %j names its repository: %j", (origin, named) => {
  expect<object>(repositoryAt(origin)).toEqual(named)
})

test("this repository's changelog is ready for its version", async () =>
  expect(changelogFault(await Bun.file(join(root, "CHANGELOG.md")).text(), version)).toBeNull())

test.each([[[]], [["--publish"]], [["--dry-run", "--force"]]])(
  "bun run release %p does nothing and says why",
  words => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, join(root, "build/release.ts"), ...words])
    expect(exitCode).toBe(2)
    expect(stdout.toString()).toBe("")
    expect(stderr.toString()).toMatch(/^release: nothing is published from here; .*--dry-run.*\n$/)
  },
)
