// Requests to the house over HTTP.

/**
 * Random bytes as hexadecimal digits; unlike randomUUID it is there over plain http too.
 *
 * @param {number} bytes
 */
export const randomHex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A wish the house did not grant: its reasons, the first one as the message; `doubt` where it may have. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {readonly api.Refusal[]} refused
   */
  constructor(status, refused, doubt = false) {
    super(refused[0]?.message ?? "The server did not answer.");
    this.status = status;
    this.doubt = doubt;
    this.refused = refused;
    this.code = refused[0]?.code ?? "";
    this.clause = refused[0]?.clause ?? null;
  }
}

export class House {
  /**
   * @param {string} method
   * @param {string} path
   * @param {any} [body]
   * @returns {Promise<any>}
   */
  async ask(method, path, body) {
    /** @type {RequestInit & { headers: Record<string, string> }} */
    const given = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
    if (body !== undefined) {
      given.headers["Content-Type"] = "application/json";
      given.body = JSON.stringify(body);
    }
    let answer;
    try {
      answer = await fetch(path, given);
    } catch {
      throw new Refused(0, [{ code: "no-house", clause: null, where: path,
        message: "The server does not answer." }]);
    }
    const read = answer.status === 204 ? null : await answer.json().catch(() => null);
    if (!answer.ok) throw new Refused(answer.status, read?.refused ?? []);
    return read;
  }

  /** @param {string} path */
  get(path) { return this.ask("GET", path); }

  /**
   * @param {string} path
   * @param {any} body
   */
  post(path, body) { return this.ask("POST", path, body); }

  /** @param {string} path */
  delete(path) { return this.ask("DELETE", path); }
}
