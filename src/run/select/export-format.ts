export const EXPORT_FORMATS = ["md", "html", "jsonl", "otlp"] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** A format made to be read. It can also hold a single session. */
export type DocumentFormat = Exclude<ExportFormat, "jsonl" | "otlp">

export const FORMAT_NAMES: { readonly [format in ExportFormat]: string } = {
  md: "Markdown",
  html: "HTML",
  jsonl: "JSONL, to be replayed",
  otlp: "OTLP, for a store of traces",
}

/** True for a format that people read. */
export function isDocumentFormat(format: ExportFormat): format is DocumentFormat {
  return format !== "jsonl" && format !== "otlp"
}

/** A moment of a run, and the turn of the session that is read there. */
export interface MomentPlace {
  readonly frame: number
  /** The moment as `--at` takes it. */
  readonly at: string
  /** Epoch ms. */
  readonly ts: number | null
  readonly session: number | null
  readonly turn: number | null
}
