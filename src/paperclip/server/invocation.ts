// Builds the agent's command line (docs/contract.md section 6).
import { ednString } from "./prompt.ts"
import type { Settings } from "./settings.ts"

/** One start of the agent. `sessionId` is a valid id of ours. */
interface CommandLine {
  readonly sessionId: string
  readonly resume: boolean
  readonly prompt: string
}

/** The arguments, for no shell. The configured extra ones come last, so that they win. */
export function argumentsOf(settings: Settings, { sessionId, resume, prompt }: CommandLine): string[] {
  const { chart, workDir, input, params, promptParam, backend, model, logLevel, extraArgs } = settings
  const option = (flag: string, value: string) => (value === "" ? [] : [flag, value])
  return [
    ...["run", chart, "--work-dir", workDir, "--session", sessionId],
    ...(resume ? ["--resume"] : []),
    ...option("--input", input),
    ...params.flatMap(([key, value]) => ["--param", `${key}=${value}`]),
    ...["--param", `${promptParam}=${ednString(prompt)}`],
    ...option("--backend", backend),
    ...option("--model", model),
    ...option("--log-level", logLevel),
    "--no-tui",
    ...extraArgs,
  ]
}
