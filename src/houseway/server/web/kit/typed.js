// Amounts that a person types.

/**
 * Read an amount in dollars as cents; null if it is empty or cannot be read. A minus means chips taken.
 *
 * @param {string} text
 */
export function centsOf(text) {
  const match = /^([-−])?\$?\s*(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!match) return null;
  const cents = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return match[1] ? -cents : cents;
}

/**
 * Return an amount as the server reads it: without the dollar sign.
 *
 * @param {string} text
 */
export const withoutDollar = (text) => text.trim().replace(/^\$/, "");
