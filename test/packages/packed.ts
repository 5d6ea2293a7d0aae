// Packs a package of dist/npm, and runs programs as on a machine that has nothing else.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../package.json"
import { run } from "../cli/ran.ts"
import { root } from "../fixtures.ts"

/** What programs need of this machine to reach the registry. */
const NETWORK = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"]

/** An environment with the PATH, and a home that is empty but for what npm and Bun leave there. */
export function emptyEnvironment(home: string): Record<string, string> {
  const network = NETWORK.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const quiet = { npm_config_update_notifier: "false", npm_config_audit: "false", npm_config_fund: "false" }
  return { PATH: process.env.PATH ?? "", HOME: home, ...Object.fromEntries(network), ...quiet }
}

/** Runs a program to its end; rejects unless the program ends with 0. */
export async function succeed(cmd: readonly string[], cwd: string, env: Record<string, string>): Promise<string> {
  const { code, out, err } = await run(cmd, cwd, env)
  if (code !== 0) throw new Error(`${cmd.join(" ")}: ${code}\n${out}${err}`)
  return out
}

/** The tarball of a package, in `scratch` unless it is packed already (its directory is in TARBALLS). */
export async function packed(part: string, name: string, scratch: string): Promise<string> {
  const tarballs = process.env.TARBALLS ?? scratch
  if (tarballs === scratch) {
    const built = join(scratch, `built-${part}`)
    await succeed([process.execPath, "build.ts", part, built], root, { ...process.env, PATH: process.env.PATH ?? "" })
    // npm makes the same tarball, but takes ten seconds to compress an executable.
    const pack = [process.execPath, "pm", "pack", "--gzip-level=1", "--quiet", "--destination", scratch]
    await succeed(pack, built, emptyEnvironment(scratch))
  }
  return join(tarballs, `${name}-${version}.tgz`)
}

/** An empty directory in which npm installs the given tarballs without a registry. Resolves with its node_modules. */
export async function installed(directory: string, tarballs: readonly string[]): Promise<string> {
  mkdirSync(directory, { recursive: true })
  await Bun.write(join(directory, "package.json"), '{ "private": true }')
  await succeed(["npm", "install", "--offline", ...tarballs], directory, emptyEnvironment(join(directory, "home")))
  return join(directory, "node_modules")
}

/** The text of a program in fixtures/packages. */
export const program = (name: string): Promise<string> => Bun.file(join(root, "fixtures/packages", name)).text()

/** The bytes of all files below a directory. */
export function bytesIn(directory: string): number {
  const names = [...new Bun.Glob("**").scanSync({ cwd: directory, dot: true })]
  return names.reduce((sum, name) => sum + Bun.file(join(directory, name)).size, 0)
}

/** True if npm reaches the registry that it is set to. */
export async function registryAnswers(): Promise<boolean> {
  const ask = ["npm", "view", "@opentui/core-linux-x64", "version", "--fetch-retries=0", "--fetch-timeout=5000"]
  const { code } = await run(ask, root, { ...process.env, PATH: process.env.PATH ?? "" })
  return code === 0
}

const HARMFUL = {
  "bunfig.toml": 'preload = ["./harm.cjs"]\n[run]\npreload = ["./harm.cjs"]\n',
  ".env": "OPENTUI_REPLAY=/gone\nNODE_OPTIONS=--require ./harm.cjs\nBUN_OPTIONS=--preload ./harm.cjs\n",
  "harm.cjs": "process.exit(99)\n",
  "tsconfig.json":
    '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "./harm.cjs", "paths": { "*": ["./harm.cjs"] } } }\n',
  "node_modules/@opentui/core-linux-x64/index.js": "process.exit(99)\n",
}

/** The names in a directory of traps. */
export const TRAPS = Object.keys(HARMFUL)
  .map(path => path.replace(/\/.*/, ""))
  .sort()

/** Writes files that a program would run or read if it trusted its directory; it would end with 99. */
export async function layTraps(directory: string): Promise<void> {
  await Promise.all(Object.entries(HARMFUL).map(([name, text]) => Bun.write(join(directory, name), text)))
}
