// Names the adapter; imports nothing, so that every part of it can use this file.
import type { AdapterModel } from "@paperclipai/adapter-utils"

/** The adapter type that Paperclip stores with an agent. */
export const type = "escapement_local"

export const label = "Escapement (local)"

/** The agent resolves models and aliases itself, so the user may also type any other name. */
export const models: AdapterModel[] = [{ id: "", label: "As the chart says" }]
