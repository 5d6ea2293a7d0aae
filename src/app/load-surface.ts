// Loads what the run is shown on. It comes late, since nothing else needs it.
import type { Surface, SurfaceOptions } from "../screen/surface.ts"

/** What opens the surface: plain lines, or a screen. */
export async function loadSurface(plain: boolean): Promise<(options: SurfaceOptions) => Promise<Surface>> {
  if (!plain) return (await loadScreen()).openTerminal
  const { openPlain } = await import("../screen/plain/plain.ts")
  return async options => openPlain(options)
}

/** Its files, as they stand there, must be transformed by Solid; in a bundle they are. */
async function loadScreen(): Promise<typeof import("../screen/terminal.tsx")> {
  if (import.meta.path.endsWith(".ts")) {
    const { ensureSolidTransformPlugin } = await import("@opentui/solid/bun-plugin")
    ensureSolidTransformPlugin()
  }
  return await import("../screen/terminal.tsx")
}
