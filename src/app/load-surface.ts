// Loads the surface that a run is shown on, and finds where its keys come from.
import { openSync } from "node:fs"
import { ReadStream } from "node:tty"
import type { Surface, SurfaceOptions } from "../screen/surface.ts"

/** Loads plain lines or a screen on demand, since commands need neither. */
export async function loadSurface(plain: boolean): Promise<(options: SurfaceOptions) => Promise<Surface>> {
  if (!plain) return (await loadScreen()).openTerminal
  const { PlainSurface } = await import("../screen/plain/plain.ts")
  return async options => new PlainSurface(options)
}

/** Sources must be transformed by Solid; a bundle is already. */
async function loadScreen(): Promise<typeof import("../screen/terminal.tsx")> {
  if (import.meta.path.endsWith(".ts")) {
    const { ensureSolidTransformPlugin } = await import("@opentui/solid/bun-plugin")
    ensureSolidTransformPlugin()
  }
  return await import("../screen/terminal.tsx")
}

/** The terminal for keys: stdin, or the device if a guest uses stdin. Null without a terminal, or if `plain`. */
export function keyboard(plain: boolean): NodeJS.ReadStream | null {
  if (process.stdin.isTTY) return process.stdin
  if (plain || !process.stdout.isTTY) return null
  try {
    return new ReadStream(openSync("/dev/tty", "r"))
  } catch {
    return null
  }
}
