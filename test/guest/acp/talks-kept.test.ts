// Keeps conversations with agents that speak the Agent Client Protocol: what a person sees, and what the agent hears.
import { keepTalks } from "../talks.ts"

keepTalks("acp-tools", "acp-choices", "acp-forms", "acp-endings", "acp-more", "acp-rare", "acp-details")
