// Names the build that runs, for files that only the same one may read.

/** A hash of the sources, which the bundler puts here. */
declare const OPENTUI_SIDECAR_SOURCES: string | undefined

/** The engine counts too: it writes the data. Null for a program that runs from its sources, which may change. */
export const buildName =
  typeof OPENTUI_SIDECAR_SOURCES === "undefined" ? null : `${OPENTUI_SIDECAR_SOURCES} ${Bun.version} ${Bun.revision}`
