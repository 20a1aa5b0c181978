// The HTTP client of the page.

/**
 * Return random bytes as hexadecimal digits. Unlike randomUUID, this works over plain http.
 *
 * @param {number} bytes
 */
export const randomHex = (bytes) => Array.from(crypto.getRandomValues(new Uint8Array(bytes)),
  (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A refused request. The message is the first reason; `doubt` is true if the outcome is unknown. */
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

/** Requests to the server, as JSON. */
export class ApiClient {
  /**
   * @param {string} method
   * @param {string} path
   * @param {any} [body]
   * @returns {Promise<any>}
   */
  async ask(method, path, body) {
    /** @type {RequestInit & { headers: Record<string, string> }} */
    const options = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
    if (body !== undefined) {
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      throw new Refused(0, [{ code: "no-house", clause: null, where: path,
        message: "The server does not answer." }]);
    }
    const reply = response.status === 204 ? null : await response.json().catch(() => null);
    if (!response.ok) throw new Refused(response.status, reply?.refused ?? []);
    return reply;
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
