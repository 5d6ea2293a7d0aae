// Rehearses a release: builds, packs and tests the packages, and says what would be published. It publishes nothing.
import { mkdir, readdir, rm } from "node:fs/promises"
import { $ } from "bun"
import { version } from "../package.json"
import { root } from "./bundle.ts"
import { PACKAGES } from "./package.ts"

/** What a rehearsal is made of. */
export interface Rehearsal {
  readonly version: string
  readonly changelog: string
  /** Fills the directory of packages. */
  readonly build: () => Promise<void>
  readonly packages: string
  /** Tests the packed packages in a directory; false if a test failed. */
  readonly test: (tarballs: string) => Promise<boolean>
  /** The directory that the tarballs and their checksums are written to. */
  readonly outdir: string
  readonly say: (line: string) => void
}

/** Rehearses a release. Resolves with null, or the reason why there can be none. */
export async function rehearse(rehearsal: Rehearsal): Promise<string | null> {
  const { say, outdir, packages } = rehearsal
  const fault = changelogFault(rehearsal.changelog, rehearsal.version)
  if (fault !== null) return fault
  await rehearsal.build()
  await rm(outdir, { recursive: true, force: true })
  await mkdir(outdir, { recursive: true })
  const names = (await readdir(packages)).sort()
  for (const name of names) await $`npm pack --silent --pack-destination ${outdir} ${packages}/${name}`.quiet()
  if (!(await rehearsal.test(outdir))) return "a test of the packages failed"
  const tarballs = (await readdir(outdir)).sort()
  await Bun.write(`${outdir}/SHA256SUMS`, await checksums(outdir, tarballs))
  say("would publish:")
  for (const name of tarballs) {
    const megabytes = (Bun.file(`${outdir}/${name}`).size / 1e6).toFixed(2)
    say(`  npm publish --access public ${outdir}/${name}   # ${megabytes} MB`)
  }
  if (/^## .*not released/m.test(rehearsal.changelog))
    say("before that: the changelog still says that it is not released")
  say("nothing was published")
  return null
}

/** Why a changelog is not ready for a version: its newest heading must name it, with a list below; null if it is. */
export function changelogFault(changelog: string, version: string): string | null {
  const [, newest = ""] = changelog.split(/^## /m)
  const [heading = "", ...below] = newest.split("\n")
  const [named] = heading.split(/[, ]/)
  if (named !== version) return `CHANGELOG.md: expected ${version} in its first heading, got "${heading}"`
  return below.some(line => line.startsWith("- "))
    ? null
    : `CHANGELOG.md: expected a list of changes below "${heading}", got none`
}

/** The lines that `sha256sum -c` checks, one per file of a directory. */
async function checksums(directory: string, names: readonly string[]): Promise<string> {
  const lines = names.map(async name => {
    const hash = new Bun.CryptoHasher("sha256").update(await Bun.file(`${directory}/${name}`).arrayBuffer())
    return `${hash.digest("hex")}  ${name}\n`
  })
  return (await Promise.all(lines)).join("")
}

async function main(words: readonly string[]): Promise<number> {
  if (words.length !== 1 || words[0] !== "--dry-run") {
    process.stderr.write(
      "release: nothing is published from here; `bun run release --dry-run` prepares and checks it all\n",
    )
    return 2
  }
  const fault = await rehearse({
    version,
    changelog: await Bun.file(`${root}/CHANGELOG.md`).text(),
    packages: PACKAGES,
    outdir: `${root}/dist/release`,
    async build() {
      await $`${process.execPath} build.ts && ${process.execPath} build.ts executables`.cwd(root)
    },
    async test(tarballs) {
      const env = { ...process.env, TARBALLS: tarballs }
      const { exitCode } = await $`${process.execPath} test --timeout=60000 test/packages`.cwd(root).env(env).nothrow()
      return exitCode === 0
    },
    say: line => process.stdout.write(`${line}\n`),
  })
  if (fault !== null) process.stderr.write(`release: ${fault}\n`)
  return fault === null ? 0 : 1
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
