import assert from "node:assert/strict";
import { mock, test } from "node:test";

const sockets = [];
globalThis.location = { protocol: "http:", host: "tables.example" };
globalThis.WebSocket = class {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  closed = false;
  constructor() { sockets.push(this); }
  send(text) { this.sent.push(JSON.parse(text)); }
  close() { this.closed = true; }
};

const { TableSocket } = await import("../../src/houseway/server/web/table_socket.js");
const { Refused } = await import("../../src/houseway/server/web/api_client.js");

/** Let the promises that are settled continue. */
const settle = async () => { for (let n = 0; n < 5; n += 1) await Promise.resolve(); };

/** A socket that has entered its table, with the WebSocket under it and the states of its line. */
async function entered(post = async () => ({ ticket: "t" })) {
  sockets.length = 0;
  const lines = [];
  const tableSocket = new TableSocket({ post }, "t-1", "rail", { view: () => {}, line: (state) => lines.push(state) });
  await settle();
  const [socket] = sockets;
  socket?.onopen();
  socket?.onmessage({ data: JSON.stringify({ type: "entered", seq: 1, role: "rail", view: {} }) });
  return { tableSocket, socket, lines };
}

test("a table socket reconnects if a server sends nothing after a ping", async () => {
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  try {
    const { tableSocket, socket, lines } = await entered();
    mock.timers.tick(5000);
    assert.equal(socket.sent.at(-1).type, "ping");
    socket.onmessage({ data: JSON.stringify({ type: "pong", seq: 1 }) });
    mock.timers.tick(5000);
    assert.equal(socket.closed, false);
    mock.timers.tick(5000);
    assert.equal(socket.closed, true);
    assert.deepEqual(lines, ["there", "lost"]);
    mock.timers.tick(600);
    await settle();
    assert.equal(sockets.length, 2);
    tableSocket.leave();
  } finally {
    mock.timers.reset();
  }
});

test("a table socket asks again every second while its table moves, and shows no notice", async () => {
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  try {
    let moving = false;
    let asked = 0;
    const post = async () => {
      asked += 1;
      if (moving) throw new Refused(503, [{ code: "moving", clause: null, where: "table", message: "moving" }]);
      return { ticket: "t" };
    };
    const { tableSocket, socket, lines } = await entered(post);
    moving = true;
    socket.onmessage({ data: JSON.stringify({ type: "bye", code: "moving", message: "moving" }) });
    socket.onclose();
    assert.deepEqual(lines, ["there", "lost"]);
    for (let n = 0; n < 8; n += 1) {
      mock.timers.tick(1250);
      await settle();
    }
    assert.ok(asked >= 8, `asked ${asked} times in ten seconds`);
    moving = false;
    mock.timers.tick(1250);
    await settle();
    assert.equal(sockets.length, 2);
    tableSocket.leave();
  } finally {
    mock.timers.reset();
  }
});
