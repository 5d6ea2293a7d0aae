// Describes the adapter without loading the code that runs it.
import type { AdapterModel, ConfigFieldSchema, ServerAdapterModule } from "@paperclipai/adapter-utils"
import { agentConfigurationDoc } from "./guide.ts"
import { sessionCodec } from "./session-codec.ts"

export const type = "escapement_local"

export const label = "Escapement (local)"

/** The agent resolves models and aliases itself, so the user may also type any other name. */
export const models: AdapterModel[] = [{ id: "", label: "As the chart says" }]

/** The module object's data, without its functions that do work. */
export const capabilities = {
  type,
  models,
  agentConfigurationDoc,
  supportsLocalAgentJwt: true,
  supportsInstructionsBundle: true,
  instructionsPathKey: "instructionsFilePath",
  runtimeToolDelivery: "environment",
  sessionCodec,
  // The agent compacts its own context, so the host must not rotate sessions unless its owner configures that.
  sessionManagement: {
    supportsSessionResume: true,
    nativeContextManagement: "unknown",
    defaultSessionCompaction: { enabled: false, maxSessionRuns: 0, maxRawInputTokens: 0, maxSessionAgeHours: 0 },
  },
  getConfigSchema: () => ({ fields: configFields }),
} satisfies Partial<ServerAdapterModule>

export const configFields: ConfigFieldSchema[] = [
  {
    key: "chart",
    label: "Chart",
    type: "text",
    required: true,
    hint: "The statechart to run, as `escapement run` takes it: its name, like my.team/agent, or its file's whole path.",
  },
  {
    key: "promptParam",
    label: "Prompt parameter",
    type: "text",
    default: "prompt",
    hint: "The chart's parameter that gets the rendered prompt.",
  },
  {
    key: "params",
    label: "Parameters",
    type: "textarea",
    hint: "More parameters of the chart: key=value, one per line.",
  },
  { key: "input", label: "Input file", type: "text", hint: "An EDN file that the chart gets as its input." },
  { key: "workDir", label: "Work directory", type: "text", default: ".escapement", hint: "Where sessions are kept." },
  { key: "backend", label: "Backend", type: "text", hint: "The agent's --backend." },
  {
    key: "logLevel",
    label: "Log level",
    type: "select",
    options: ["", "error", "warn", "info", "debug"].map(value => ({ value, label: value === "" ? "default" : value })),
    hint: "The agent's --log-level.",
  },
  { key: "timeoutSec", label: "Time limit (s)", type: "number", default: 0, hint: "0 for no limit." },
  { key: "graceSec", label: "Grace (s)", type: "number", default: 15, hint: "Seconds between SIGTERM and SIGKILL." },
]
