// Writes a run in any of the export formats, piece by piece.
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { noPrices, type Prices } from "../run/model/prices.ts"
import { type DocumentFormat, type ExportFormat, isDocumentFormat } from "../run/select/export-format.ts"
import type { RunTexts } from "../run/select/run-texts.ts"
import { type Document, type DocumentOptions, documentOf } from "./document.ts"
import { html } from "./html.ts"
import { JsonLines, type ReadLine } from "./jsonl.ts"
import { markdown } from "./markdown.ts"

/** Where an export takes a run from; only what the format needs is read. */
export interface ExportSource {
  /** The lines of the run, in batches. */
  lines(): AsyncIterable<readonly ReadLine[]> | Iterable<readonly ReadLine[]>
  run(): Promise<RunTexts>
}

export interface ExportTextOptions extends DocumentOptions {
  /** The text is printed on a terminal, so JSONL must escape control characters. */
  readonly shown: boolean
  /** OTLP has the contents of messages and calls too. Default false. */
  readonly content?: boolean
  /** Prices of tokens, for OTLP; none by default. */
  readonly prices?: Prices
}

const WRITERS: { readonly [format in DocumentFormat]: (document: Document) => AsyncIterable<string> } = {
  md: markdown,
  html,
}

/** The text of an export. JSONL streams: only the last few thousand lines are held in memory. */
export async function* exportText(
  format: ExportFormat,
  source: ExportSource,
  options: ExportTextOptions,
): AsyncGenerator<string> {
  if (isDocumentFormat(format)) {
    yield* WRITERS[format](documentOf(await source.run(), options))
    return
  }
  if (format === "otlp") {
    const { otlpLines } = await import("../otlp/otlp-lines.ts")
    const { redactor, content = false, prices = noPrices } = options
    const clean = (text: string) => redactor?.line(sanitize(text)) ?? sanitize(text)
    yield* otlpLines(source.lines(), { content, clean, prices })
    return
  }
  const lines = new JsonLines({ redactor: options.redactor, shown: options.shown })
  for await (const batch of source.lines()) yield lines.push(batch)
  yield lines.end()
}
