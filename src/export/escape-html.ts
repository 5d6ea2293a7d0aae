// Escapes text for HTML.

/**
 * Escapes text for an element or an attribute. Characters that XML does not allow are replaced, since the waterfall may
 * be saved as a file of its own.
 */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}
