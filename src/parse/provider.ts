// Names the providers whose models are parsed.

export enum LLMProvider {
  OPENAI = "OPENAI",
  ANTHROPIC = "ANTHROPIC",
  MISTRAL = "MISTRAL",
  GEMINI = "GEMINI",
  OLLAMA = "OLLAMA",
  DEEPSEEK = "DEEPSEEK",
  GROK = "GROK",
  AUTOBYTEUS = "AUTOBYTEUS",
  KIMI = "KIMI",
  QWEN = "QWEN",
  LMSTUDIO = "LMSTUDIO",
  ZHIPU = "ZHIPU",
  MINIMAX = "MINIMAX",
}
