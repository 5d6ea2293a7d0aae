// The names of this adapter. Loads nothing, so that every part of it may ask.
import type { AdapterModel } from "@paperclipai/adapter-utils"

/** The key under which agents of this kind are stored. */
export const type = "escapement_local"

export const label = "Escapement (local)"

/** The agent resolves models and aliases by its own configuration, so any other name may be typed too. */
export const models: AdapterModel[] = [{ id: "", label: "As the chart says" }]
