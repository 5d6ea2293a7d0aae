// Writes what every package has besides its program: manifest, README, license and notice.
import { copyFile } from "node:fs/promises"
import { license, version } from "../package.json"
import { root } from "./bundle.ts"

/** The directory of the packages. */
export const PACKAGES = `${root}/dist/npm`

/** Writes what tells of a package. Its README is a page of `docs/packages`, by default the one with its name. */
export async function describePackage(
  outdir: string,
  about: { readonly name: string; readonly description: string },
  readme = about.name,
): Promise<void> {
  const { name, description, ...manifest } = about
  await writeManifest(outdir, { name, version, description, license, ...manifest })
  await copyFile(`${root}/docs/packages/${readme}.md`, `${outdir}/README.md`)
  await copyFile(`${root}/LICENSE`, `${outdir}/LICENSE`)
}

/** Copies what tells of a package that has a tree of its own. */
export async function copyDescription(outdir: string, home: string): Promise<void> {
  await writeManifest(outdir, await Bun.file(`${home}/package.json`).json())
  await copyFile(`${home}/README.md`, `${outdir}/README.md`)
  await copyFile(`${root}/LICENSE`, `${outdir}/LICENSE`)
}

async function writeManifest(outdir: string, manifest: object): Promise<void> {
  // Without git, or in a directory of another repository, there is no origin.
  const ask = ["git", `--git-dir=${root}/.git`, "remote", "get-url", "origin"]
  const origin = Bun.which("git") === null ? "" : Bun.spawnSync(ask).stdout.toString()
  const whole = { ...manifest, ...repositoryAt(origin) }
  await Bun.write(`${outdir}/package.json`, `${JSON.stringify(whole, null, 2)}\n`)
}

/** The `repository` of a manifest: where the checkout came from, unless that is no public address. */
export function repositoryAt(origin: string): { readonly repository?: { readonly type: "git"; readonly url: string } } {
  const address = URL.canParse(origin.trim()) ? new URL(origin.trim()) : null
  if (address?.protocol !== "https:") return {}
  return { repository: { type: "git", url: `git+https://${address.host}${address.pathname}` } }
}

/** Writes the licenses of bundled packages, if there are any. Rejects if one of them has no license. */
export async function writeNotice(
  outdir: string,
  bundled: readonly string[],
  more: readonly string[] = [],
): Promise<void> {
  const licenses = await Promise.all([...(await withCopies(bundled))].sort().map(licenseOf))
  const texts = [...more, ...licenses]
  if (texts.length > 0) await Bun.write(`${outdir}/NOTICE`, `${texts.join("\n\n---\n\n")}\n`)
}

/** OpenTUI is published with copies of its own dependencies in it. */
const HAS_COPIES = "@opentui/core"

async function withCopies(names: readonly string[]): Promise<ReadonlySet<string>> {
  const all = new Set(names)
  const copied = new Set(all.has(HAS_COPIES) ? [HAS_COPIES] : [])
  for (const name of copied) {
    all.add(name)
    const { dependencies = {} } = await Bun.file(`${root}/node_modules/${name}/package.json`).json()
    for (const dependency of Object.keys(dependencies)) copied.add(dependency)
  }
  return all
}

/** A package without a license of its own, and one of the same repository that has it. */
const LICENSED_AS: { readonly [name: string]: string } = { "@paperclipai/adapter-utils": "@paperclipai/shared" }

async function licenseOf(name: string): Promise<string> {
  const directory = `${root}/node_modules/${LICENSED_AS[name] ?? name}`
  const [file] = [...new Bun.Glob("{LICENSE,license,LICENCE}*").scanSync({ cwd: directory })].sort()
  if (file === undefined) throw new Error(`expected a license in ${directory}, got none`)
  const found = await Bun.file(`${directory}/package.json`).json()
  return `${name} ${found.version}\n\n${(await Bun.file(`${directory}/${file}`).text()).trim()}`
}
