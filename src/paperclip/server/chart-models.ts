// Finds the models that charts name, for the host's list of models.
import { readFile, stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { AdapterModel } from "@paperclipai/adapter-utils"
import { models } from "../capabilities.ts"
import type { Settings } from "./settings.ts"

/** The most charts remembered, and the most bytes read of one. */
const CHARTS = 64
const CHART_BYTES = 1024 * 1024

/** Matches `:model "gemma3:1b"` and `:model :smart` in EDN; comments are not told apart. */
const MODEL = /:model\s+(?:"([^"\\\n]{1,128})"|:([\w./-]{1,128}))/g

/** The charts' paths, oldest first. The host asks for models without saying for which agent. */
const charts = new Set<string>()

/** Remembers the chart of an agent that was tested or run. */
export function rememberChart({ cwd, chart }: Pick<Settings, "cwd" | "chart">): void {
  if (chart === "") return
  charts.add(resolve(cwd, chart))
  const [oldest] = charts
  if (charts.size > CHARTS && oldest !== undefined) charts.delete(oldest)
}

/** The chart's own choice, and the models that remembered charts name. Skips what can't be read; never rejects. */
export async function listModels(): Promise<AdapterModel[]> {
  const texts = await Promise.all([...charts].map(read))
  const names = texts.flatMap(text => [...text.matchAll(MODEL)].map(([, name, alias]) => name ?? alias ?? ""))
  return [...models, ...[...new Set(names)].sort().map(id => ({ id, label: id }))]
}

async function read(path: string): Promise<string> {
  try {
    const found = await stat(path)
    return found.isFile() && found.size <= CHART_BYTES ? await readFile(path, "utf8") : ""
  } catch {
    return ""
  }
}
