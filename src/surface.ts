// Loads what the run is shown on. It comes late, since nothing else needs it.
import { prepareBundle, readyBundle } from "./bundle.ts"
import type { Surface, SurfaceOptions } from "./ui/surface.ts"

/** What opens the surface: plain lines, or a screen. */
export async function loadSurface(plain: boolean): Promise<(options: SurfaceOptions) => Promise<Surface>> {
  if (!plain) return (await loadScreen()).openTerminal
  const { openPlain } = await import("./ui/plain/plain.ts")
  return async options => openPlain(options)
}

/** From its bundle, or from its files, which Solid must transform. */
async function loadScreen(): Promise<typeof import("./ui/terminal.tsx")> {
  const ready = readyBundle()
  if (ready !== null) return await import(ready)
  prepareBundle()
  const { ensureSolidTransformPlugin } = await import("@opentui/solid/bun-plugin")
  ensureSolidTransformPlugin()
  return await import("./ui/terminal.tsx")
}
