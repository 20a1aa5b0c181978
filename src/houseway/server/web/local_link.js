// The note shown beside a link that only works on this computer.

const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The note shown with a link that others cannot open; empty if they can. */
export const localLinkNote = () => (LOCAL.test(location.hostname)
  ? "This link only works on this computer. To invite friends on your network, start the server with "
    + "make run HOST=0.0.0.0 and send them the address it prints."
  : "");
